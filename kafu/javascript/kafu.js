// @ts-check
/**
 * Kafu, the notation of hanafuda games: builds games move by move, writes their canonical form, computes
 * their identity, and uploads them to an archive. One module without dependencies; README.md has examples.
 *
 * The module contains no rules: an archive judges legality and sums (`verify`). Sums are whole numbers
 * per seat in the small unit of the ruleset (points or mon).
 */

const VERSION = "1";
const KAN = 12; // points
const WIDTH = 80; // characters per line of moves
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv";
const ORDER = `${LETTERS}_?`; // `_` is the blank card, `?` an unknown one
const LEADING_TAGS = ["Kafu", "Rules", "Options", "Event", "Site", "Date", "Round"];
const IDENTITY_TAGS = new Set(["Kafu", "Rules", "Options", "Date"]);

/** The rulesets: possible numbers of players, turns per round, and whether sums are written in kan. */
export const RULESETS = Object.freeze({
  hachihachi: { seats: [3], round: 3, kan: true },
  koikoi: { seats: [2], round: 2, kan: false },
  "hachihachi-bga": { seats: [3, 4, 5, 6], round: 3, kan: true },
  hanaawase: { seats: [3], round: 3, kan: false },
  "ten-five-one": { seats: [3, 4, 5, 6, 7], round: 3, kan: false },
});

/** Returns the canonical text of a `Game` or of Kafu's JSON form. Throws for an unknown ruleset. */
export function write(game) {
  return new Writer(game).lines.join("\n");
}

/**
 * Returns the identity, equal for all records of a game: the SHA-256 (64 hex digits) of the text without
 * comments, claims and most tags. Browsers support SHA-256 on https and localhost only.
 */
export async function identity(game) {
  const bare = new TextEncoder().encode(new Writer(game).bare.join("\n"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bare));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns card letters in the order of the canonical form. */
export function sortCards(letters) {
  return [...letters].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join("");
}

/** A game in progress, accepted by `write`, `identity` and `Archive`. */
export class Game {
  /** `players` are names in the order of seats, `options` house rules, `tags` such as `Event`, `Date`. */
  constructor(rules, players, { options = {}, tags = {} } = {}) {
    const { seats } = findRuleset(rules);
    if (!seats.includes(players.length)) {
      throw new RangeError(`${rules} is played by ${seats.join(", ")}, not by ${players.length}`);
    }
    this.seats = players.length;
    /** @type {any} */
    this.form = { kafu: VERSION, rules, options: { ...options }, tags: { ...tags }, players: [...players], months: [] };
  }

  /** Returns the JSON form. */
  toJSON() {
    return this.form;
  }

  /**
   * Adds a deal with its dealer and cards. `hands` are the letters of each hand by seat, as an object or
   * a list. Omit unknown hands, and write `?` for unknown cards. A `stock` with a known beginning ends
   * in `...`.
   */
  deal({ month, dealer, hands = {}, field, stock, ...fields }) {
    const bySeat = Array.isArray(hands) ? Object.fromEntries(hands.map((hand, i) => [i + 1, hand])) : hands;
    /** @type {Record<string, any>} */
    const deal = { dealer: this.checkSeat(dealer), ...fields };
    const knownHands = Object.entries(bySeat).filter(([, hand]) => hand);
    for (const [seat, hand] of knownHands) {
      this.checkSeat(Number(seat));
      checkCards(hand);
    }
    if (knownHands.length) deal.hands = Object.fromEntries(knownHands);
    if (field !== undefined) deal.field = checkCards(field);
    if (stock !== undefined) deal.stock = (checkCards(stock.replace(/\.\.\.$/, "")), stock);
    this.form.months.push({ month, deal });
    return this;
  }

  /** Adds the declaration of a dealt hand: the ids of its yaku and the cards shown. */
  show(seat, yaku, shown = "") {
    push(this.last, "shows", { seat: this.checkSeat(seat), yaku: [yaku].flat(), cards: checkCards(shown) });
    return this;
  }

  /** Adds a bid: a player goes in or out. */
  bid(seat, goesIn) {
    push(this.last, "bids", [this.checkSeat(seat), goesIn ? "in" : "out"]);
    return this;
  }

  /** Begins a turn with a card from the hand and the cards that it captures. */
  play(card, take = "") {
    push(this.last, "turns", { play: checkCard(card), ...(take && { take: checkCards(take) }) });
    return this;
  }

  /** Adds the card from the draw pile to the turn, and the cards that it captures. */
  draw(card, take = "") {
    const { turn } = this;
    if (turn.turn) throw new RangeError(`this turn has its card from the draw pile: ${turn.turn}`);
    if (turn.say) {
      turn.say1 = turn.say; // decisions before the card was turned
      delete turn.say;
    }
    turn.turn = checkCard(card);
    if (take) turn.take2 = checkCards(take);
    return this;
  }

  /** Adds a decision of the player in turn: `koikoi`, `shobu`, `sage` … */
  say(word) {
    push(this.turn, "say", word);
    return this;
  }

  /** Adds a call between turns: `torikeshi`, `void-show`. */
  call(word, seat) {
    push(this.last, "turns", { call: word, seat: this.checkSeat(seat) });
    return this;
  }

  /** Adds a comment to the last turn, else to the month, else to the head of the record. */
  comment(words) {
    const { months } = this.form;
    if (!months.length) this.form.comments = { head: [...(this.form.comments?.head ?? []), words] };
    else if (this.last.turns) push(this.last.turns.at(-1), "comments", words);
    else push((this.last.comments ??= {}), "month", words);
    return this;
  }

  /** Declares the deal void (`misdeal`, `mismatch`, `other`). */
  void(reason) {
    this.last.void = reason;
    return this;
  }

  /** Records that the cards are dealt again, with the reason. */
  redeal(reason) {
    this.last.redeal = reason;
    return this;
  }

  /** Sets the score of the deal as the program counts, which the archive compares. */
  score(...sums) {
    this.last.claims = { ...this.last.claims, score: this.checkSums(sums.flat()) };
    return this;
  }

  /** Sets the grade of the field (`small`, `large`, `absolute`) as the program counts. */
  grade(word) {
    this.last.claims = { ...this.last.claims, ba: word };
    return this;
  }

  /** Sets the final totals in the tag `Result`. */
  result(...sums) {
    this.form.claims = { ...this.form.claims, result: this.checkSums(sums.flat()) };
    return this;
  }

  /** Sets the final totals in the line `final`. */
  final(...sums) {
    this.form.claims = { ...this.form.claims, final: this.checkSums(sums.flat()) };
    return this;
  }

  // Score sheets: months without cards ---------------------------------------------------------

  /** Begins a month of a score sheet. */
  month(month, dealer) {
    this.form.tags.Sheet = "1";
    this.form.months.push({ month, deal: { dealer: this.checkSeat(dealer) } });
    return this;
  }

  /** Adds a payment: its label (`month` for the sum of the month) and the amount for each seat. */
  pay(label, sums, { struckOut = false } = {}) {
    push(this.last, "pays", { label, amounts: this.checkSums(sums), ...(struckOut && { void: true }) });
    return this;
  }

  /** Sets the player with the stone, who deals the next month. */
  stone(seat) {
    this.last.stone = this.checkSeat(seat);
    return this;
  }

  // --------------------------------------------------------------------------------------------

  /** The current month. */
  get last() {
    const month = this.form.months.at(-1);
    if (!month) throw new RangeError("nothing is dealt yet: call deal, or month for a score sheet");
    return month;
  }

  /** The current turn. */
  get turn() {
    const turn = this.last.turns?.findLast(({ call }) => !call);
    if (!turn) throw new RangeError("no card is played yet in this month: call play");
    return turn;
  }

  checkSeat(number) {
    if (!Number.isInteger(number) || number < 1 || number > this.seats) {
      throw new RangeError(`a seat is 1 to ${this.seats}, not ${number}`);
    }
    return number;
  }

  checkSums(sums) {
    if (sums.length !== this.seats || !sums.every(Number.isSafeInteger)) {
      throw new RangeError(`expected ${this.seats} whole numbers, one a seat`);
    }
    return sums;
  }
}

/** An archive at an address. With a token, uploads belong to the owner of the token. */
export class Archive {
  constructor(address, { token = "" } = {}) {
    this.api = new URL("/api/v1/", address).href;
    this.token = token;
  }

  /** Returns the archive's verdict on a game, or on its text, without storing the game. */
  async verify(game) {
    return (await this.send("verify", game)).json();
  }

  /** Stores a game or its text as `public`, `unlisted` or `private`. The response has its report as `page`. */
  async upload(game, { visibility = "public" } = {}) {
    return (await this.send(`uploads?visibility=${encodeURIComponent(visibility)}`, game)).json();
  }

  /** Returns an upload when all its games are read. */
  async wait(upload) {
    let newest = upload;
    while (newest.state !== "done") {
      const response = await this.send(`uploads/${encodeURIComponent(upload.key)}?wait=20`);
      newest = await response.json();
      const pause = Number(response.headers.get("Retry-After")); // the server cannot hold more requests
      if (pause) await new Promise((resolve) => setTimeout(resolve, 1000 * pause));
    }
    return newest;
  }

  /** Posts a game, or gets an address without one. Returns the response; throws ArchiveError. */
  async send(path, game = undefined) {
    const headers = { Accept: "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (game) headers["Content-Type"] = "text/x-kafu";
    const body = typeof game === "object" ? write(game) : game;
    const response = await fetch(this.api + path, game ? { method: "POST", headers, body } : { headers });
    if (!response.ok) throw new ArchiveError(response, await response.json().catch(() => ({})));
    return response;
  }
}

/** A refusal of the archive, with the `code` of the problem and the `requestId` for its operators. */
export class ArchiveError extends Error {
  constructor(response, { detail, title, code = "", request_id: requestId = "" }) {
    super(detail ?? title ?? `${response.status} ${response.statusText}`);
    this.name = "ArchiveError";
    this.status = response.status;
    this.code = code;
    this.requestId = requestId;
  }
}

// Writing --------------------------------------------------------------------------------------

/** The writer of one game: its `lines`, and the lines for the identity (`bare`). */
class Writer {
  constructor(source) {
    const game = source instanceof Game ? source.form : source;
    this.game = game;
    this.rules = findRuleset(game.rules);
    this.notes = game.comments ?? {};
    this.lines = [];
    this.bare = [];
    for (const words of normalize(this.notes.head)) {
      // Readers take a text that begins with a brace and a quote for JSON.
      this.lines.push(words.includes("}") || words.startsWith('"') ? `; ${words}` : `{${words}}`);
    }
    this.writeTags();
    for (const month of game.months) this.writeMonth(month);
    const final = game.claims?.final;
    if (final) {
      this.lines.push("");
      this.put([["final", `final ${this.bySeat(final)}`]], this.notes, true);
    }
    this.lines.push("");
    this.bare.push("");
  }

  /**
   * Writes statements with their comments: `items` are pairs of a key in `notes` and a text. Claims are
   * not part of `bare`.
   */
  put(items, notes, claim = false) {
    for (const [key, text] of items) {
      if (!claim) this.bare.push(text);
      this.lines.push(...joinTokens([text, ...formatComments(notes[key])]));
    }
  }

  writeTags() {
    const { rules, options = {}, tags = {}, players, claims } = this.game;
    const chosen = Object.entries(options).sort(byName).map(([name, value]) => `${name}=${value}`);
    const values = { ...tags, Kafu: VERSION, Rules: rules, Options: chosen.join(" ") };
    for (const name of LEADING_TAGS) {
      if (values[name] !== undefined && !(name === "Options" && !values[name])) {
        this.writeTag(name, values[name], !IDENTITY_TAGS.has(name));
      }
    }
    players.forEach((player, i) => this.writeTag(`Player${i + 1}`, player, false));
    if (claims?.result) {
      this.writeTag("Result", claims.result.map((sum) => this.formatAmount(sum)).join(" "), true);
    }
    for (const [name, value] of Object.entries(tags).sort(byName)) {
      if (!LEADING_TAGS.includes(name)) this.writeTag(name, value, true);
    }
  }

  writeTag(name, value, claim) {
    const key = /^\p{Lu}/u.test(name) ? name : `tag.${name}`;
    const quoted = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
    this.put([[key, `[${name} "${quoted}"]`]], this.notes, claim);
  }

  writeMonth(month) {
    const notes = month.comments ?? {};
    this.lines.push("");
    this.bare.push("");
    this.put(formatBeginning(month), notes);
    const [turns, before] = [month.turns ?? [], formatComments(notes.turns)];
    if (turns.length || before.length) this.lines.push(...this.formatRounds(turns, before, false));
    if (turns.length) this.bare.push(...this.formatRounds(turns, [], true));
    this.put(this.formatEnding(month), notes);
    const score = month.claims?.score;
    if (score) this.put([["score", `score ${this.bySeat(score)}`]], notes, true);
  }

  formatEnding({ redeal, void: reason, pays = [], stone }) {
    const statements = [];
    if (redeal) statements.push(["redeal", `redeal ${redeal}`]);
    if (reason) statements.push(["void", `void ${reason}`]);
    pays.forEach(({ label, amounts, void: struckOut }, i) => {
      statements.push([`pay.${i}`, `${struckOut ? "void" : "pay"} ${label} ${this.bySeat(amounts)}`]);
    });
    if (stone) statements.push(["stone", `stone ${stone}`]);
    return statements;
  }

  /** Returns a line per round, each with its number; calls follow their turn. */
  formatRounds(turns, before, bare) {
    const lines = [];
    const number = (turn, due) => `${(!bare && turn?.round) || due}.`;
    let tokens = [number(turns.find(({ call }) => !call), 1), ...before];
    let count = 0;
    for (const turn of turns) {
      if (turn.call) {
        tokens.push(`=${turn.call} ${turn.seat}`);
      } else {
        const place = count % this.rules.round;
        if (count && !place) {
          lines.push(...joinTokens(tokens, WIDTH));
          tokens = [number(turn, count / this.rules.round + 1)];
        } else if (place && turn.round && !bare) {
          tokens.push(`${turn.round}.`);
        }
        count += 1;
        tokens.push((turn.seat && !bare ? `${turn.seat}:` : "") + formatTurn(turn));
      }
      if (!bare) tokens.push(...formatComments(turn.comments));
    }
    return [...lines, ...joinTokens(tokens, WIDTH)];
  }

  formatAmount(sum) {
    if (!sum) return "0";
    const size = Math.abs(sum);
    const kan = this.rules.kan ? Math.floor(size / KAN) : 0;
    const points = size - kan * KAN;
    return `${sum > 0 ? "+" : "-"}${kan ? `${kan}k` : ""}${points || !kan ? points : ""}`;
  }

  bySeat(sums) {
    return sums.map((sum, i) => `${i + 1} ${this.formatAmount(sum)}`).join(" ");
  }
}

/** Returns the statements before the turns, with their keys. */
function formatBeginning({ month, deal, bids = [], shows = [], claims }) {
  const { dealer, draws = [], split = {}, blind, hands = {}, field, stock, swaps = [] } = deal;
  const statements = [["month", `month ${month} dealer ${dealer}`]];
  draws.forEach((cards, i) => statements.push([`draw.${i}`, `draw ${joinPairs(cards)}`]));
  if (Object.keys(split).length) {
    const parts = sortSeats(split).map(([seat, cards]) => [seat, sortCards(cards)]);
    statements.push(["split", `split ${joinPairs(parts)}`]);
  }
  if (blind) statements.push(["blind", `blind ${blind}`]);
  for (const [seat, hand] of sortSeats(hands)) statements.push([`hand.${seat}`, `hand ${seat} ${sortCards(hand)}`]);
  if (field !== undefined) statements.push(["field", `field ${sortCards(field)}`]);
  if (stock !== undefined) statements.push(["stock", `stock ${stock}`]);
  swaps.forEach((seat, i) => statements.push([`swap.${i}`, `swap ${seat}`]));
  if (bids.length) {
    // A blind dealer is in by definition: the canonical form omits the dealer's first bid.
    const isImplied = bids.length > 1 && bids[0][0] === blind && bids[0][1] === "in";
    statements.push(["bid", `bid ${joinPairs(bids.slice(isImplied ? 1 : 0))}`]);
  }
  if (claims?.ba) statements.push(["ba", `ba ${claims.ba}`]);
  shows.forEach(({ seat, yaku, cards = "" }, i) => {
    statements.push([`show.${i}`, `show ${seat} ${yaku.join("+")} ${sortCards(cards) || "-"}`]);
  });
  return statements;
}

function sortSeats(valueBySeat) {
  return Object.entries(valueBySeat).sort(([a], [b]) => Number(a) - Number(b));
}

/** Returns pairs of a seat and a value in the form `1A 2B`. */
function joinPairs(pairs) {
  return pairs.map((pair) => pair.join("")).join(" ");
}

/** Returns a turn in the form `BxA/GxH=koikoi`. */
function formatTurn({ play, take = "", turn = "", take2 = "", say1 = [], say = [] }) {
  const drawn = turn ? `/${formatCard(turn, take2)}` : "";
  return formatCard(play, take) + formatDecisions(say1) + drawn + formatDecisions(say);
}

function formatCard(card, captured) {
  return captured ? `${card}x${sortCards(captured)}` : card;
}

function formatDecisions(words) {
  return words.map((word) => `=${word}`).join("");
}

function formatComments(comments) {
  return normalize(comments).map((words) => (words.includes("}") ? `; ${words}` : `{${words}}`));
}

/** Returns comments with single spaces, without empty ones. */
function normalize(comments = []) {
  return comments.map((words) => words.replace(/[ \t\n\r\f\v]+/g, " ").replace(/^ | $/g, "")).filter(Boolean);
}

/** Joins tokens with spaces to lines. A line ends after a `;` comment and before exceeding the width. */
function joinTokens(tokens, width = Infinity) {
  const lines = [];
  let line = "";
  let isEnded = false;
  for (const token of tokens) {
    if (!line) line = token;
    else if (isEnded || [...line].length + 1 + [...token].length > width) {
      lines.push(line);
      line = token;
    } else line = `${line} ${token}`;
    isEnded = token.startsWith(";");
  }
  return [...lines, line];
}

// ------------------------------------------------------------------------------------------------

function findRuleset(id) {
  if (!Object.hasOwn(RULESETS, id)) {
    throw new RangeError(`${id} is no ruleset; expected ${Object.keys(RULESETS).join(", ")}`);
  }
  return RULESETS[id];
}

function checkCards(letters) {
  const wrong = [...letters].find((letter) => !ORDER.includes(letter));
  if (wrong) throw new RangeError(`${wrong} is no card; expected A to Z, a to v, _ or ?`);
  return letters;
}

function checkCard(card) {
  if (checkCards(card).length !== 1) throw new RangeError(`expected one card, not ${card || "none"}`);
  return card;
}

function push(owner, name, item) {
  owner[name] = [...(owner[name] ?? []), item];
}

function byName(a, b) {
  return a[0] < b[0] ? -1 : Number(a[0] > b[0]);
}
