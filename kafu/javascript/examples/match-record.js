/**
 * Another program's record as a score sheet: the `MatchRecord` (schema version 1) of LinkDX's
 * hanafuda-koikoi, which keeps a list of them in the browser under `hkk:records:v1`.
 *
 * It has no cards: who won each month, with which yaku, and for how much. A sheet of Kafu is just
 * that, and the archive judges it: yaku and values that can be, who deals, the sums.
 */
import { Game } from "../kafu.js";

/** Yaku: their names there, and Kafu's. */
const YAKU = {
  gokou: "goko",
  shikou: "shiko",
  ameShikou: "ameshiko",
  sankou: "sanko",
  hanamiZake: "hanami",
  tsukimiZake: "tsukimi",
  inoshikachou: "inoshikacho",
  akatan: "akatan",
  aotan: "aotan",
  tane: "tane",
  tanzaku: "tan",
  kasu: "kasu",
};

/** Its house rules, as far as they differ from those that most video games have. */
const HOUSE = {
  profile: "koikoi-nintendo",
  "inoshikacho-step": "0",
  "inoshikacho-over": "no",
  "akatan-step": "0",
  "akatan-over": "no",
  "aotan-step": "0",
  "aotan-over": "no",
  "akatan-aotan": "0",
  "nagare-dealer": "stays",
  shima: "4",
  teyaku: "yes",
  teshi: "6",
  kuttsuki: "6",
};

/** The sheet of a record; `players` are the names of seat 1 (its player) and seat 2 (its computer). */
export function sheet(record, players = ["Player", `Computer ${record.aiLevel}`]) {
  const options = { ...HOUSE, months: String(record.totalRounds) };
  const date = new Date(record.timestamp).toISOString().slice(0, 10);
  const game = new Game("koikoi", players, { options, tags: { Date: date } });
  let dealer = 1; // who dealt first is not in the record
  record.rounds.forEach((round, i) => {
    game.month(i + 1, dealer);
    if (round.winner === null) return; // nobody won: the dealer stays
    dealer = round.winner + 1;
    const pay = (label, gain) => game.pay(label, dealer === 1 ? [gain, 0] : [0, gain]);
    const lines = paid(round);
    if (lines) for (const [label, gain] of lines) pay(label, gain);
    else pay("month", round.points); // doubled or not by rules that the record does not name
  });
  return game.final(record.finalScores);
}

/** What a month's winner got, line by line; null if the usual doubling does not explain it. */
function paid({ winner, points, yaku, koikoi, instantWin }) {
  if (instantWin) return [[instantWin, points]];
  const lines = yaku.map(({ id, points: value }) => [YAKU[id], value]);
  let total = yaku.reduce((sum, one) => sum + one.points, 0);
  if (total >= 7) lines.push(["bai", total]);
  if (total >= 7) total *= 2;
  if (koikoi[1 - winner]) lines.push(["koikoigaeshi", total]);
  if (koikoi[1 - winner]) total *= 2;
  return total === points && lines.every(([label]) => label) ? lines : null;
}
