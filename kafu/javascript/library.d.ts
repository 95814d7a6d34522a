/** The JSON of the Python library. Made by scripts/library-types from its types. */

/** The result of verifying one game; positions count from 1, sums are in the small unit. */
export interface Verdict {
  status: Status;
  source: string;
  game: number;
  line: number | null;
  rules: Ruleset | null;
  /** SHA-256 of what happened. */
  identity: string | null;
  error: FaultJson | null;
  mismatches: Mismatch[];
  warnings: FaultJson[];
  deals: DealResult[];
  final: number[] | null;
}

export type Status = "verified" | "consistent" | "unfinished" | "mismatch" | "unsupported" | "illegal" | "malformed";

export type Ruleset = "hachihachi" | "koikoi" | "hachihachi-bga" | "hanaawase" | "ten-five-one";

/** A fault or a repair, and its place. Positions count from 1. */
export interface FaultJson {
  code: string;
  line: number | null;
  column: number | null;
  deal: number | null;
  turn: number | null;
  expected: string[];
  message: string;
}

/** A claim of the record that differs from what was computed. */
export interface Mismatch {
  where: Where;
  deal: number | null;
  seat: number | null;
  /** A sum, or a grade. */
  claimed: number | string;
  computed: number | string | null;
}

export type Where = "ba" | "score" | "final" | "result";

/** The result of a deal. Sums a seat in the small unit. */
export interface DealResult {
  month: number;
  dealer: number;
  grade: SheetGrade | null;
  bound: string | null;
  ledger: Line[];
  score: number[];
  next_dealer: number | null;
  end: End;
}

export type SheetGrade = "small" | "large" | "absolute" | "large2" | "absolute2";

/** A line of a deal's ledger (C4): a payment, one amount a seat in the small unit. */
export interface Line {
  label: string;
  amounts: number[];
  void: boolean;
}

export type End = "agari" | "torikeshi" | "shobu" | "nagare" | "played-out" | "special" | "shiso" | "teyaku" | "fuke" | "redeal" | "void" | "sheet";

/** A game step by step, up to its end or first fault. */
export interface PlayedGame {
  options: Record<string, string>;
  players: string[];
  status: Status;
  final: number[] | null;
  error: FaultJson | null;
  deals: ReplayDealJson[];
}

/** One deal; `end` and `score` are null for an unfinished deal. */
export interface ReplayDealJson {
  number: number;
  month: number;
  dealer: number;
  grade: Grade | null;
  end: End | null;
  score: number[] | null;
  before: number[];
  totals: number[];
  ledger: Line[];
  steps: StepJson[];
}

export type Grade = "small" | "large" | "absolute";

/** One step, and the table after the step. */
export interface StepJson {
  kind: StepKind;
  turn: number;
  seat: number | null;
  /** The card played or turned. */
  card: string;
  /** Captured cards, or cards laid open. */
  take: string;
  /** The word said, or the end of the deal. */
  say: string;
  hands: string[];
  /** Cards of each hand that were shown to all. */
  known: string[];
  field: string;
  captured: string[];
  /** Cards left. */
  stock: number;
  yaku: Yaku[][];
  events: EventJson[];
  comments: string[];
}

export type StepKind = "deal" | "blind" | "swap" | "bid" | "show" | "hand" | "stock" | "say" | "call" | "redeal" | "void" | "end";

/** A current yaku of a seat. */
export interface Yaku {
  id: string;
  value: number;
}

/** An effect of a step. */
export interface EventJson {
  kind: string;
  seat: number | null;
  yaku?: string;
  /** For a yaku: its value. For a payment for koi-koi calls: their number. */
  amount?: number;
  /** For a payment: one sum per seat. */
  amounts?: number[];
  /** `share`: each other player pays a share. `hatto`, `sage`: `payer` pays for all. `calls`: the calls of koi-koi multiply a total. */
  why?: Why;
  payer?: number;
  /** Turn in which the payer threw the card or said sage. */
  turn?: number;
  /** The hatto card that the payer threw. */
  card?: string;
}

export type Why = "share" | "hatto" | "sage" | "calls";

/** The table after the last step of a game. */
export interface TableJson {
  phase: "deal" | "bid" | "pile" | "show" | "hand" | "stock" | "decide" | "over";
  /** In turn; 0 for nobody. */
  seat: number;
  month: number;
  /** The legal actions, as Kafu writes them. */
  actions: string[];
  hands: string[];
  field: string;
  captured: string[];
  /** Its known cards, the next one first. */
  stock: string;
  /** Cards in the stock. */
  left: number;
  totals: number[];
}

/** A game whose last turn may lack its second half, which no text of a game can. */
export interface BegunGame {
  /** The game without the begun turn. */
  text: string;
  /** The first half of the turn, or empty. */
  begun: string;
}

/** A whole analysis; in the library with `rules`. */
export interface ReportParts {
  effort: EffortJson;
  choices: ChoiceJson[];
  seats: SeatSums[];
  deals: DealAccount[];
}

/** How much was done for a choice. */
export interface EffortJson {
  /** The standard error aimed at. */
  error: number;
  /** Deals of a comparison at the most. */
  most: number;
  /** Simulated games behind the chances to win. */
  games: number;
}

/** A choice of a seat that was not forced. */
export interface ChoiceJson {
  /** From 1. */
  deal: number;
  /** Of the replay's deal, from 0. */
  step: number;
  turn: number;
  seat: number;
  kind: ChoiceKind;
  /** The action that was chosen. */
  played: string;
  /** Empty where there is a reason. */
  options: ActionJson[];
  /** The best other action. */
  rival: string;
  /** How much more the rival is worth. In the small unit. */
  better: number;
  /** The standard error of that. */
  error: number;
  /** Deals of that comparison, used for nothing else. */
  deals: number;
  /** All deals that fit were counted. */
  exact: boolean;
  /** The rival led where it was looked for. */
  sought: boolean;
  /** `better` if above two standard errors, else 0. */
  loss: number;
  /** How much likelier the seat wins the game with the rival, on the same deals. */
  chance: Winning;
  /** Costly beyond its error (Holm over the game). */
  costly: boolean;
  /** Why it cannot be analysed. */
  reason: ChoiceReason;
}

export type ChoiceKind = "hand" | "stock" | "say" | "bid" | "show";

/** An action that a choice offered, and what it was worth to its seat. */
export interface ActionJson {
  /** As Kafu writes it: `AxC`, a word, or a declaration and its cards; `in`, `out` and `blind` of bids; `-` for saying nothing. */
  move: string;
  /** Mean result of the deal. In the small unit. */
  mean: number;
  /** Its standard error. */
  error: number;
  /** Deals that it was tried on. */
  deals: number;
  /** The chance that the seat wins the game. */
  chance: Winning;
}

/** A chance to win the game, or a difference of two; a tie for the first place is shared. */
export interface Winning {
  value: number;
  /** The standard error. */
  error: number;
}

export type ChoiceReason = "" | "hand" | "count" | "rare";

/** The sums over the choices of a seat. */
export interface SeatSums {
  analysed: number;
  forced: number;
  costly: number;
  loss: number;
  error: number;
  /** Of the deals that were measured. */
  result: number;
  parts: SeatParts;
}

/** The parts of a result. */
export interface SeatParts {
  /** What is to be expected of any deal. */
  start: AmountJson;
  /** The luck of the cards dealt. */
  deal: AmountJson;
  /** The luck of the draw pile. */
  stock: AmountJson;
  /** What the seat's own choices brought it, the hands being what they were. */
  own: AmountJson;
  /** What the choices of the others brought it. */
  others: AmountJson;
  /** The result less all that: noise, within its error. */
  rest: AmountJson;
}

/** A measured sum. */
export interface AmountJson {
  /** In the small unit. */
  value: number;
  /** The standard error. */
  error: number;
}

/** The result of a deal and its parts; null and empty if it was not measured. */
export interface DealAccount {
  /** From 1. */
  deal: number;
  result: number[] | null;
  parts: DealParts | null;
  /** Steps at which it changed. */
  course: ExpectedJson[];
}

/** The parts of a result. */
export interface DealParts {
  /** What is to be expected of any deal. */
  start: AmountsJson;
  /** The luck of the cards dealt. */
  deal: AmountsJson;
  /** The luck of the draw pile. */
  stock: AmountsJson;
  /** What the seat's own choices brought it, the hands being what they were. */
  own: AmountsJson;
  /** What the choices of the others brought it. */
  others: AmountsJson;
  /** The result less all that: noise, within its error. */
  rest: AmountsJson;
}

/** Measured sums, a seat each. */
export interface AmountsJson {
  /** In the small unit. */
  value: number[];
  /** The standard error. */
  error: number[];
}

/** The expected result of the deal for each seat after a step, with all hands known. */
export interface ExpectedJson {
  /** In the small unit. */
  value: number[];
  /** The standard error. */
  error: number[];
  /** Of the replay's deal, from 0. */
  step: number;
}
