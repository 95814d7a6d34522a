// @ts-check
/**
 * An example of a score sheet: converts a `MatchRecord` (schema version 1) of LinkDX's hanafuda-koikoi,
 * which stores a list of records in the browser under `hkk:records:v1`.
 *
 * A record has no cards, only the winner, the yaku and the points of each month. The archive checks
 * the yaku and their values, the dealers and the sums of a sheet.
 */
import { Game } from "../kafu.js";

/** The ids of yaku in Kafu by their ids in a record. */
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

/** The house rules of the program, as differences from a common preset. */
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

/** Returns the sheet of a record. `players` are the names of seat 1 (user) and seat 2 (computer). */
export function sheet(record, players = ["Player", `Computer ${record.aiLevel}`]) {
  const options = { ...HOUSE, months: String(record.totalRounds) };
  const date = new Date(record.timestamp).toISOString().slice(0, 10);
  const game = new Game("koikoi", players, { options, tags: { Date: date } });
  let dealer = 1; // the record does not have the first dealer
  record.rounds.forEach((round, i) => {
    game.month(i + 1, dealer);
    if (round.winner === null) return; // a draw: the dealer stays
    dealer = round.winner + 1;
    const pay = (label, gain) => game.pay(label, dealer === 1 ? [gain, 0] : [0, gain]);
    const lines = explainPoints(round);
    if (lines) for (const [label, gain] of lines) pay(label, gain);
    else pay("month", round.points); // doubled by rules that are not in the record
  });
  return game.final(record.finalScores);
}

/** Returns the winner's payments of a month; null if the usual doubling does not explain the points. */
function explainPoints({ winner, points, yaku, koikoi, instantWin }) {
  if (instantWin) return [[instantWin, points]];
  const lines = yaku.map(({ id, points: value }) => [YAKU[id], value]);
  let total = yaku.reduce((sum, { points: value }) => sum + value, 0);
  if (total >= 7) lines.push(["bai", total]);
  if (total >= 7) total *= 2;
  if (koikoi[1 - winner]) lines.push(["koikoigaeshi", total]);
  if (koikoi[1 - winner]) total *= 2;
  return total === points && lines.every(([label]) => label) ? lines : null;
}
