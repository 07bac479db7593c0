import type { Line } from "#src/audio/line/line.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { FilledOutput, SessionPlan, Turn, ValidateOutput } from "./plan.ts";
import type { SessionServices } from "./services.ts";
import type { SupervisorNotes } from "./supervisor-notes.ts";
import type { ToolRunner } from "./tool-port.ts";

/** Who or what picked up, as the carrier tells it. */
export type AnsweredBy =
  | "HUMAN"
  | "MACHINE_VOICEMAIL"
  | "MACHINE_IVR"
  | "MACHINE_SCREENING"
  | "MACHINE_UNAVAILABLE"
  | "FAX"
  | "UNCERTAIN";

/** What a session may reach beyond its talk; a member that is absent makes its tools fail with a clear answer. */
export interface GrantedPorts {
  /** Runs the plan's own tools. */
  tools?: ToolRunner;
  /** What the system tools do. */
  services?: SessionServices;
  /** What the session has cost so far, in the workspace's currency. */
  costOf?(used: { inputTokens: number; outputTokens: number; elapsedMs: number }): number;
  /** Another flow of the workspace, by id or apiId, for the same contact; rejects when there is none. */
  openFlow?(flow: string): Promise<{ plan: SessionPlan; flowGrants: GrantedPorts }>;
}

/** What a session uses of the world. */
export interface SessionPorts extends GrantedPorts {
  line: Line;
  model: LanguageModel;
  now(): Date;
  validate: ValidateOutput;
  answeredBy: AnsweredBy;
  /** What whoever supervises the talk wants the agent to know. */
  notes?: Pick<SupervisorNotes, "take" | "ended" | "isHeld">;
  /** Called after each change with the transcript so far, which goes on growing: read it, do not keep it. */
  onTurn(turns: Turn[]): void;
  /** Called when outputs that are filled during the session have new values. */
  onOutputs?(outputs: Record<string, FilledOutput>): void;
  /** Puts the person's number on the do-not-call list; rejects when that did not succeed. */
  addToDoNotCall(): Promise<void>;
  /** Stores, and announces, that the person of a call wants a human; rejects when that did not succeed. */
  noteHumanRequest?(): Promise<void>;
  /** How long a model may take to its first piece, in wall-clock milliseconds, 10,000 by default; a whole turn may take three times that. */
  modelStallMs?: number;
}
