/** The program of tests/test_javascript.py: reads a line of JSON per game and writes a line per game. */
import { createInterface } from "node:readline";

import { sheet } from "../kafu/javascript/examples/match-record.js";
import { Game, identity, write } from "../kafu/javascript/kafu.js";

/** Builds a game by the calls of a program that plays the game. */
function rebuild(form) {
  const game = new Game(form.rules, form.players, { options: form.options, tags: form.tags });
  for (const { month, deal, bids = [], shows = [], turns = [], redeal, void: reason, claims } of form.months) {
    game.deal({ month, ...deal });
    for (const [seat, goes] of bids) game.bid(seat, goes === "in");
    for (const { seat, yaku, cards } of shows) game.show(seat, yaku, cards);
    for (const { call, seat, play, take, turn, take2, say1 = [], say = [] } of turns) {
      if (call) {
        game.call(call, seat);
        continue;
      }
      game.play(play, take);
      for (const word of say1) game.say(word);
      if (turn) game.draw(turn, take2);
      for (const word of say) game.say(word);
    }
    if (redeal) game.redeal(redeal);
    if (reason) game.void(reason);
    if (claims?.ba) game.grade(claims.ba);
    if (claims?.score) game.score(claims.score);
  }
  if (form.claims?.result) game.result(form.claims.result);
  if (form.claims?.final) game.final(form.claims.final);
  return game;
}

const GAMES = { json: (form) => form, calls: rebuild, record: (record) => sheet(record) };

/** Calls that the library must refuse. */
const WRONG = {
  ruleset: () => new Game("poker", ["a", "b"]),
  players: () => new Game("koikoi", ["a"]),
  "nothing dealt": () => new Game("koikoi", ["a", "b"]).play("A"),
  seat: () => new Game("koikoi", ["a", "b"]).deal({ month: 1, dealer: 3 }),
  card: () => new Game("koikoi", ["a", "b"]).deal({ month: 1, dealer: 1, field: "A!" }),
  "no turn": () => new Game("koikoi", ["a", "b"]).deal({ month: 1, dealer: 1 }).draw("A"),
  twice: () => new Game("koikoi", ["a", "b"]).deal({ month: 1, dealer: 1 }).play("A").draw("B").draw("C"),
  sums: () => new Game("koikoi", ["a", "b"]).month(1, 1).pay("month", [1]),
};

function refused(name) {
  try {
    WRONG[name]();
  } catch (error) {
    return error.message;
  }
  return "";
}

for await (const line of createInterface({ input: process.stdin })) {
  const { kind, value } = JSON.parse(line);
  if (kind === "wrong") {
    console.log(JSON.stringify(Object.keys(WRONG).map(refused)));
    continue;
  }
  const game = GAMES[kind](value);
  console.log(JSON.stringify([write(game), await identity(game)]));
}
