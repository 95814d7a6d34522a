/**
 * Kafu, the notation of hanafuda games: build a game move by move, write it in canonical form, know
 * its identity, and bring it to an archive. One module without dependencies; README.md has examples.
 *
 * Rules are not known here: what may be played, and what it comes to, the archive says (`verify`).
 * Sums are whole numbers in the small unit of the ruleset (points or mon), one a seat.
 */

const VERSION = "1";
const KAN = 12; // points
const WIDTH = 80; // characters of a line of moves
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv";
const ORDER = `${LETTERS}_?`; // `_` is the blank card, `?` an unknown one
const LEADING_TAGS = ["Kafu", "Rules", "Options", "Event", "Site", "Date", "Round"];
const IDENTITY_TAGS = new Set(["Kafu", "Rules", "Options", "Date"]);

/** Of each ruleset: how many may play, turns a round, and whether sums are written in kan. */
export const RULESETS = Object.freeze({
  hachihachi: { seats: [3], round: 3, kan: true },
  koikoi: { seats: [2], round: 2, kan: false },
  "hachihachi-bga": { seats: [3, 4, 5, 6], round: 3, kan: true },
  hanaawase: { seats: [3], round: 3, kan: false },
  "ten-five-one": { seats: [3, 4, 5, 6, 7], round: 3, kan: false },
});

/** The canonical text of a game in Kafu's JSON form, or of a `Game`. Throws for another ruleset. */
export function write(game) {
  return new Writer(game).lines.join("\n");
}

/**
 * The SHA-256, in 64 hex digits, of the text without comments, claims and most tags: the same for
 * all records of one game. (Browsers have it on https and localhost only.)
 */
export async function identity(game) {
  const bare = new TextEncoder().encode(new Writer(game).bare.join("\n"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bare));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Card letters in the order of the canonical form. */
export function sortCards(letters) {
  return [...letters].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join("");
}

/** A game while it is played; `write`, `identity` and an archive take it as it is. */
export class Game {
  /** `players` in the order of seats; `options` are house rules, `tags` such as `Event`, `Date`. */
  constructor(rules, players, { options = {}, tags = {} } = {}) {
    const known = ruleset(rules);
    if (!known.seats.includes(players.length)) {
      throw new RangeError(`${rules} is played by ${known.seats.join(", ")}, not by ${players.length}`);
    }
    this.seats = players.length;
    /** @type {any} */
    this.form = { kafu: VERSION, rules, options: { ...options }, tags: { ...tags }, players: [...players], months: [] };
  }

  /** The JSON form. */
  toJSON() {
    return this.form;
  }

  /**
   * The cards of the next deal, and who deals. `hands` by seat (an object or a list), each of
   * letters; what is not known is left out, or `?`; a `stock` that ends in `...` is known so far.
   */
  deal({ month, dealer, hands = {}, field, stock, ...rest }) {
    const held = Array.isArray(hands) ? Object.fromEntries(hands.map((hand, i) => [i + 1, hand])) : hands;
    /** @type {Record<string, any>} */
    const deal = { dealer: this.seat(dealer), ...rest };
    const known = Object.entries(held).filter(([, hand]) => hand);
    for (const [seat, hand] of known) {
      this.seat(Number(seat));
      cards(hand);
    }
    if (known.length) deal.hands = Object.fromEntries(known);
    if (field !== undefined) deal.field = cards(field);
    if (stock !== undefined) deal.stock = (cards(stock.replace(/\.\.\.$/, "")), stock);
    this.form.months.push({ month, deal });
    return this;
  }

  /** Somebody declares a dealt hand: yaku by their ids, and the cards that are laid open. */
  show(seat, yaku, shown = "") {
    push(this.last, "shows", { seat: this.seat(seat), yaku: [yaku].flat(), cards: cards(shown) });
    return this;
  }

  /** Somebody goes in, or not. */
  bid(seat, goesIn) {
    push(this.last, "bids", [this.seat(seat), goesIn ? "in" : "out"]);
    return this;
  }

  /** A card from the hand, and what it captures: a turn begins. */
  play(card, take = "") {
    push(this.last, "turns", { play: single(card), ...(take && { take: cards(take) }) });
    return this;
  }

  /** The card that is turned from the draw pile in this turn, and what it captures. */
  draw(card, take = "") {
    const { turn } = this;
    if (turn.turn) throw new RangeError(`this turn has its card from the draw pile: ${turn.turn}`);
    if (turn.say) {
      turn.say1 = turn.say; // it was said before the card was turned
      delete turn.say;
    }
    turn.turn = single(card);
    if (take) turn.take2 = cards(take);
    return this;
  }

  /** What the player in turn decides: `koikoi`, `shobu`, `sage` … */
  say(word) {
    push(this.turn, "say", word);
    return this;
  }

  /** What somebody calls between turns: `torikeshi`, `void-show`. */
  call(word, seat) {
    push(this.last, "turns", { call: word, seat: this.seat(seat) });
    return this;
  }

  /** A comment on what was written last. */
  comment(words) {
    const { months } = this.form;
    if (!months.length) this.form.comments = { head: [...(this.form.comments?.head ?? []), words] };
    else if (this.last.turns) push(this.last.turns.at(-1), "comments", words);
    else push((this.last.comments ??= {}), "month", words);
    return this;
  }

  /** The deal is void (`misdeal`, `mismatch`, `other`). */
  void(reason) {
    this.last.void = reason;
    return this;
  }

  /** The cards are dealt again, and why. */
  redeal(reason) {
    this.last.redeal = reason;
    return this;
  }

  /** What the deal gave each seat, as the program counts it: the archive compares. */
  score(...sums) {
    this.last.claims = { ...this.last.claims, score: this.sums(sums.flat()) };
    return this;
  }

  /** The grade of the field (`small`, `large`, `absolute`), as the program counts it. */
  grade(word) {
    this.last.claims = { ...this.last.claims, ba: word };
    return this;
  }

  /** The final totals as the tag at the head of the record has them. */
  result(...sums) {
    this.form.claims = { ...this.form.claims, result: this.sums(sums.flat()) };
    return this;
  }

  /** What the game gave each seat. */
  final(...sums) {
    this.form.claims = { ...this.form.claims, final: this.sums(sums.flat()) };
    return this;
  }

  // Score sheets: months without cards ---------------------------------------------------------

  /** The next month of a score sheet. */
  month(month, dealer) {
    this.form.tags.Sheet = "1";
    this.form.months.push({ month, deal: { dealer: this.seat(dealer) } });
    return this;
  }

  /** A payment of the month: its label (`month` for the sum of all), and what each seat gets. */
  pay(label, sums, { struckOut = false } = {}) {
    push(this.last, "pays", { label, amounts: this.sums(sums), ...(struckOut && { void: true }) });
    return this;
  }

  /** Who has the stone, and so deals next. */
  stone(seat) {
    this.last.stone = this.seat(seat);
    return this;
  }

  // --------------------------------------------------------------------------------------------

  /** The month that is played. */
  get last() {
    const found = this.form.months.at(-1);
    if (!found) throw new RangeError("nothing is dealt yet: call deal, or month for a score sheet");
    return found;
  }

  /** The turn that is played. */
  get turn() {
    const found = this.last.turns?.findLast(({ call }) => !call);
    if (!found) throw new RangeError("no card is played yet in this month: call play");
    return found;
  }

  seat(number) {
    if (!Number.isInteger(number) || number < 1 || number > this.seats) {
      throw new RangeError(`a seat is 1 to ${this.seats}, not ${number}`);
    }
    return number;
  }

  sums(sums) {
    if (sums.length !== this.seats || !sums.every(Number.isSafeInteger)) {
      throw new RangeError(`expected ${this.seats} whole numbers, one a seat`);
    }
    return sums;
  }
}

/** An archive, by its address; with a token games are their owner's. */
export class Archive {
  constructor(address, { token = "" } = {}) {
    this.api = new URL("/api/v1/", address).href;
    this.token = token;
  }

  /** The archive's verdict on a game, of which nothing is stored. */
  verify(game) {
    return this.send("verify", game);
  }

  /** Stores a game, `public`, `unlisted` or `private`; `page` of the answer has its report. */
  upload(game, { visibility = "public" } = {}) {
    return this.send(`uploads?visibility=${encodeURIComponent(visibility)}`, game);
  }

  /** Posts a game; the answer. Throws an Error with the archive's own words where it refuses. */
  async send(path, game) {
    const headers = { "Content-Type": "text/x-kafu", Accept: "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const answer = await fetch(this.api + path, { method: "POST", headers, body: write(game) });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.detail ?? body.title ?? `${answer.status} ${answer.statusText}`);
    return body;
  }
}

// Writing --------------------------------------------------------------------------------------

/** Writes one game: its `lines`, and those without what the identity leaves out (`bare`). */
class Writer {
  constructor(given) {
    const game = given instanceof Game ? given.form : given;
    this.game = game;
    this.rules = ruleset(game.rules);
    this.notes = game.comments ?? {};
    this.lines = [];
    this.bare = [];
    for (const words of notEmpty(this.notes.head)) {
      // A text that began with a brace and a quote would look like JSON.
      this.lines.push(words.includes("}") || words.startsWith('"') ? `; ${words}` : `{${words}}`);
    }
    this.tags();
    for (const month of game.months) this.month(month);
    const final = game.claims?.final;
    if (final) {
      this.lines.push("");
      this.put([["final", `final ${this.bySeat(final)}`]], this.notes, true);
    }
    this.lines.push("");
    this.bare.push("");
  }

  /** Statements with their keys, each followed by the comments under it; `claim`: not in `bare`. */
  put(items, notes, claim = false) {
    for (const [key, text] of items) {
      if (!claim) this.bare.push(text);
      this.lines.push(...flow([text, ...comments(notes[key])]));
    }
  }

  tags() {
    const { rules, options = {}, tags = {}, players, claims } = this.game;
    const chosen = Object.entries(options).sort(byName).map(([name, value]) => `${name}=${value}`);
    const own = { ...tags, Kafu: VERSION, Rules: rules, Options: chosen.join(" ") };
    for (const name of LEADING_TAGS) {
      if (own[name] !== undefined && !(name === "Options" && !own[name])) {
        this.tag(name, own[name], !IDENTITY_TAGS.has(name));
      }
    }
    players.forEach((player, i) => this.tag(`Player${i + 1}`, player, false));
    if (claims?.result) {
      this.tag("Result", claims.result.map((sum) => this.amount(sum)).join(" "), true);
    }
    for (const [name, value] of Object.entries(tags).sort(byName)) {
      if (!LEADING_TAGS.includes(name)) this.tag(name, value, true);
    }
  }

  tag(name, value, claim) {
    const key = /^\p{Lu}/u.test(name) ? name : `tag.${name}`;
    const quoted = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
    this.put([[key, `[${name} "${quoted}"]`]], this.notes, claim);
  }

  month(month) {
    const notes = month.comments ?? {};
    this.lines.push("");
    this.bare.push("");
    this.put(statements(month), notes);
    const [turns, before] = [month.turns ?? [], comments(notes.turns)];
    if (turns.length || before.length) this.lines.push(...this.rounds(turns, before, false));
    if (turns.length) this.bare.push(...this.rounds(turns, [], true));
    this.put(this.ended(month), notes);
    const score = month.claims?.score;
    if (score) this.put([["score", `score ${this.bySeat(score)}`]], notes, true);
  }

  ended({ redeal, void: reason, pays = [], stone }) {
    const found = [];
    if (redeal) found.push(["redeal", `redeal ${redeal}`]);
    if (reason) found.push(["void", `void ${reason}`]);
    pays.forEach(({ label, amounts, void: struckOut }, i) => {
      found.push([`pay.${i}`, `${struckOut ? "void" : "pay"} ${label} ${this.bySeat(amounts)}`]);
    });
    if (stone) found.push(["stone", `stone ${stone}`]);
    return found;
  }

  /** A line a round, which begins with its number; calls follow their turn. */
  rounds(turns, before, bare) {
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
          lines.push(...flow(tokens, WIDTH));
          tokens = [number(turn, count / this.rules.round + 1)];
        } else if (place && turn.round && !bare) {
          tokens.push(`${turn.round}.`);
        }
        count += 1;
        tokens.push((turn.seat && !bare ? `${turn.seat}:` : "") + turnText(turn));
      }
      if (!bare) tokens.push(...comments(turn.comments));
    }
    return [...lines, ...flow(tokens, WIDTH)];
  }

  amount(sum) {
    if (!sum) return "0";
    const size = Math.abs(sum);
    const kan = this.rules.kan ? Math.floor(size / KAN) : 0;
    const rest = size - kan * KAN;
    return `${sum > 0 ? "+" : "-"}${kan ? `${kan}k` : ""}${rest || !kan ? rest : ""}`;
  }

  bySeat(sums) {
    return sums.map((sum, i) => `${i + 1} ${this.amount(sum)}`).join(" ");
  }
}

/** The statements before the turns, with their keys. */
function statements({ month, deal, bids = [], shows = [], claims }) {
  const { dealer, draws = [], split = {}, blind, hands = {}, field, stock, swaps = [] } = deal;
  const found = [["month", `month ${month} dealer ${dealer}`]];
  draws.forEach((drawn, i) => found.push([`draw.${i}`, `draw ${joined(drawn)}`]));
  if (Object.keys(split).length) {
    found.push(["split", `split ${joined(bySeats(split).map(([seat, held]) => [seat, sortCards(held)]))}`]);
  }
  if (blind) found.push(["blind", `blind ${blind}`]);
  for (const [seat, hand] of bySeats(hands)) found.push([`hand.${seat}`, `hand ${seat} ${sortCards(hand)}`]);
  if (field !== undefined) found.push(["field", `field ${sortCards(field)}`]);
  if (stock !== undefined) found.push(["stock", `stock ${stock}`]);
  swaps.forEach((seat, i) => found.push([`swap.${i}`, `swap ${seat}`]));
  if (bids.length) {
    // A blind dealer is in already: a bid of theirs before others is not written.
    const isImplied = bids.length > 1 && bids[0][0] === blind && bids[0][1] === "in";
    found.push(["bid", `bid ${joined(bids.slice(isImplied ? 1 : 0))}`]);
  }
  if (claims?.ba) found.push(["ba", `ba ${claims.ba}`]);
  shows.forEach(({ seat, yaku, cards: shown = "" }, i) => {
    found.push([`show.${i}`, `show ${seat} ${yaku.join("+")} ${sortCards(shown) || "-"}`]);
  });
  return found;
}

function bySeats(held) {
  return Object.entries(held).sort(([a], [b]) => Number(a) - Number(b));
}

/** `1A 2B`: pairs of a seat and what belongs to it. */
function joined(pairs) {
  return pairs.map((pair) => pair.join("")).join(" ");
}

/** One turn: `BxA/GxH=koikoi`. */
function turnText({ play, take = "", turn = "", take2 = "", say1 = [], say = [] }) {
  return placed(play, take) + said(say1) + (turn ? `/${placed(turn, take2)}` : "") + said(say);
}

function placed(card, taken) {
  return taken ? `${card}x${sortCards(taken)}` : card;
}

function said(words) {
  return words.map((word) => `=${word}`).join("");
}

function comments(given) {
  return notEmpty(given).map((words) => (words.includes("}") ? `; ${words}` : `{${words}}`));
}

function notEmpty(given = []) {
  return given.map((words) => words.replace(/[ \t\n\r\f\v]+/g, " ").replace(/^ | $/g, "")).filter(Boolean);
}

/** Lines of tokens with a space between; a new one after `;` and beyond a width. */
function flow(tokens, width = Infinity) {
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

function ruleset(id) {
  if (!Object.hasOwn(RULESETS, id)) {
    throw new RangeError(`${id} is no ruleset; expected ${Object.keys(RULESETS).join(", ")}`);
  }
  return RULESETS[id];
}

/** Letters of cards, as they are. */
function cards(letters) {
  const wrong = [...letters].find((letter) => !ORDER.includes(letter));
  if (wrong) throw new RangeError(`${wrong} is no card; expected A to Z, a to v, _ or ?`);
  return letters;
}

function single(card) {
  if (cards(card).length !== 1) throw new RangeError(`expected one card, not ${card || "none"}`);
  return card;
}

function push(owner, name, item) {
  owner[name] = [...(owner[name] ?? []), item];
}

function byName(a, b) {
  return a[0] < b[0] ? -1 : Number(a[0] > b[0]);
}
