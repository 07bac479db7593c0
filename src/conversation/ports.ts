import type { Line } from "#src/media/line.ts";
import type { LanguageModel } from "#src/models/models.ts";
import type { Turn, ValidateOutput } from "./plan.ts";

/** Who or what picked up, as the carrier tells it. */
export type AnsweredBy =
  | "HUMAN"
  | "MACHINE_VOICEMAIL"
  | "MACHINE_IVR"
  | "MACHINE_SCREENING"
  | "MACHINE_UNAVAILABLE"
  | "FAX"
  | "UNCERTAIN";

/** What a session uses of the world. */
export interface SessionPorts {
  line: Line;
  model: LanguageModel;
  now(): Date;
  validate: ValidateOutput;
  answeredBy: AnsweredBy;
  /** Called after each change with the transcript so far, which goes on growing: read it, do not keep it. */
  onTurn(turns: Turn[]): void;
  /** Puts the person's number on the do-not-call list; rejects when that did not succeed. */
  addToDoNotCall(): Promise<void>;
  /** How long a model may take to its first piece, in wall-clock milliseconds, 10,000 by default; a whole turn may take three times that. */
  modelStallMs?: number;
}
