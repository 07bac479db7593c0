import type { Line } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { ShownTurn } from "#src/telephony/carriers/carrier.ts";
import type { ToPage } from "./messages.ts";

/** The page at the other end, as a talk sees it. */
export interface Page {
  send(message: ToPage): void;
  sendFrame(frame: Uint8Array): void;
  /** Our side has ended the talk; told once. */
  onHungUp(): void;
}

/** One conversation with a page: what the page does on one side, what the conversation takes on the other. */
export interface WebCallMedia {
  /** False: too much waits to be heard already, and this is not. */
  hearText(text: string): boolean;
  hearDigits(digits: string): boolean;
  hearFrame(frame: Uint8Array): void;
  /** The page is gone: it hung up, or its connection was lost. */
  leave(by: "REMOTE" | "LOST"): void;
  /** What is spoken and heard; null where it is made of `source`. */
  readonly line: Line | null;
  readonly source: MediaSource | null;
  showTurns(turns: readonly ShownTurn[]): void;
  /** Ends it from our side. Idempotent. */
  hangUp(): void;
}
