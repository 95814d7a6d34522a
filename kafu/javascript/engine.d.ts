/** The rules of Kafu: the Python library in a worker, for browsers and Node. */

import type { GameForm } from "./kafu.js";
import type { BegunGame, PlayedGame, ReportParts, TableJson, Verdict } from "./library.js";

export type * from "./library.js";
export const VERSION: string;

/** An error of the library, with its place in the game, or a failure of the engine itself. */
export class EngineError extends Error {
  readonly code: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly deal: number | null;
  readonly turn: number | null;
  readonly expected: readonly string[];
}

/** A game is a text: Kafu, its JSON form, or a log of another program. */
export class Engine {
  private constructor();
  static start(more?: { base?: string | URL; onProgress?: (share: number) => void }): Promise<Engine>;
  read(text: string): Promise<GameForm>;
  write(text: string): Promise<string>;
  verify(text: string, more?: { lang?: "en" | "ja" }): Promise<Verdict>;
  replay(text: string, more?: { lang?: "en" | "ja" }): Promise<PlayedGame>;
  legal(text: string, more?: { begun?: string }): Promise<TableJson>;
  apply(text: string, action: string, more?: { begun?: string }): Promise<BegunGame>;
  analyse(text: string, more?: { seed?: number; most?: number | null }): Promise<ReportParts>;
  sheet(text: string): Promise<string>;
  call(name: string, parameters: object): Promise<unknown>;
  close(): void;
}
