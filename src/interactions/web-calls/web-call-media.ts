import type { Line } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { ShownTurn } from "#src/telephony/carriers/carrier.ts";
import type { ToPage } from "./messages.ts";

/** The page, as seen from a conversation. */
export interface Page {
  send(message: ToPage): void;
  sendFrame(frame: Uint8Array): void;
  /** Called once, when our side has ended the call. */
  onHungUp(): void;
}

/** Media of one conversation with a page: the page's input on one side, the conversation's line on the other. */
export interface WebCallMedia {
  /** False when too many messages already wait, and this one is dropped. */
  hearText(text: string): boolean;
  hearDigits(digits: string): boolean;
  hearFrame(frame: Uint8Array): void;
  /** Called when the page is gone: it hung up, or its connection was lost. */
  leave(by: "REMOTE" | "LOST"): void;
  /** The line of a conversation in text; null when the line is built from `source`. */
  readonly line: Line | null;
  readonly source: MediaSource | null;
  showTurns(turns: readonly ShownTurn[]): void;
  /** Ends the call from our side. Idempotent. */
  hangUp(): void;
}
