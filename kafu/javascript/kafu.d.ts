/** Kafu, the notation of hanafuda games. Sums are whole numbers in the small unit, one a seat. */

import type { Ruleset, Verdict } from "./library.js";

export type * from "./library.js";
export type Comments = Record<string, string[]>;

export const RULESETS: Readonly<
  Record<Ruleset, { readonly seats: readonly number[]; readonly round: number; readonly kan: boolean }>
>;

export interface Turn {
  seat?: number;
  round?: number;
  play: string;
  take?: string;
  turn?: string;
  take2?: string;
  say1?: string[];
  say?: string[];
  comments?: string[];
}

export interface Call {
  call: string;
  seat: number;
  comments?: string[];
}

export interface Deal {
  dealer: number;
  draws?: [number, string][][];
  split?: Record<string, string>;
  blind?: number;
  hands?: Record<string, string>;
  field?: string;
  stock?: string;
  swaps?: number[];
}

export interface Month {
  month: number;
  deal: Deal;
  bids?: [number, "in" | "out"][];
  shows?: { seat: number; yaku: string[]; cards?: string }[];
  turns?: (Turn | Call)[];
  redeal?: string;
  void?: string;
  pays?: { label: string; amounts: number[]; void?: boolean }[];
  stone?: number;
  claims?: { ba?: string; score?: number[] };
  comments?: Comments;
}

/** Kafu's JSON form. */
export interface GameForm {
  kafu: "1";
  rules: Ruleset;
  options?: Record<string, string>;
  tags?: Record<string, string>;
  players: string[];
  months: Month[];
  claims?: { result?: number[]; final?: number[] };
  comments?: Comments;
}

export function write(game: Game | GameForm): string;
export function identity(game: Game | GameForm): Promise<string>;
export function sortCards(letters: string): string;

export class Game {
  constructor(
    rules: Ruleset,
    players: string[],
    more?: { options?: Record<string, string>; tags?: Record<string, string> },
  );
  toJSON(): GameForm;
  deal(
    cards: Omit<Deal, "hands"> & { month: number; hands?: Record<number, string> | string[] },
  ): this;
  show(seat: number, yaku: string | string[], cards?: string): this;
  bid(seat: number, goesIn: boolean): this;
  play(card: string, take?: string): this;
  draw(card: string, take?: string): this;
  say(word: string): this;
  call(word: string, seat: number): this;
  comment(words: string): this;
  void(reason: string): this;
  redeal(reason: string): this;
  score(...sums: number[] | [number[]]): this;
  grade(word: string): this;
  result(...sums: number[] | [number[]]): this;
  final(...sums: number[] | [number[]]): this;
  month(month: number, dealer: number): this;
  pay(label: string, sums: number[], more?: { struckOut?: boolean }): this;
  stone(seat: number): this;
}

export interface Upload {
  key: string;
  page: string;
  state: "waiting" | "cutting" | "working" | "done";
  [name: string]: unknown;
}

export class Archive {
  constructor(address: string | URL, more?: { token?: string });
  verify(game: Game | GameForm | string): Promise<Verdict>;
  upload(game: Game | GameForm | string, more?: { visibility?: "public" | "unlisted" | "private" }): Promise<Upload>;
  wait(upload: Upload): Promise<Upload>;
}

export class ArchiveError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
}
