import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { Line } from "#src/audio/line/line.ts";
import type { LanguageModel, TokenUsage } from "#src/engine/models/models.ts";
import type { StageVisit } from "#src/engine/stages/stage-state.ts";
import type { Span } from "#src/platform/kernel/tracing.ts";
import type { FilledOutput, SessionPlan, Turn, ValidateOutput } from "./plan.ts";
import type { SessionServices } from "./services.ts";
import type { SupervisorNotes } from "./supervisor-notes.ts";
import type { ToolRunner } from "./tool-port.ts";

/** Follows a session for those who supervise it. */
export interface SessionWatch {
  /** Notes that our side begins or ends to be heard: the agent speaks, or the person is being handed over. */
  noteBusy(isBusy: boolean): void;
  /** Notes the result of a tool. */
  noteTool(isFailed: boolean): void;
  /** Notes values of the flow's fields. */
  noteFields(fields: Record<string, unknown>): void;
}

/**
 * Ports that a flow's grants open to its session. When one is absent, the tools that need it fail with a clear answer.
 */
export interface GrantedPorts {
  /** Runs the plan's own tools. */
  tools?: ToolRunner;
  /** Implementations of the system tools. */
  services?: SessionServices;
  /** Returns the cost of the session so far, in the workspace's currency. */
  costOf?(used: TokenUsage & { elapsedMs: number }): number;
  /** Returns the configured model that speaks in a stage; undefined: the session's own. */
  modelOf?(modelId: string): LanguageModel | undefined;
  /** Opens another flow of the workspace, by id or apiId, for the same contact; rejects when there is none. */
  openFlow?(flow: string): Promise<{ plan: SessionPlan; ports: GrantedPorts }>;
}

/** A template of a stage, and what fills it. */
export interface StageText {
  use: "SAY" | "PROMPT";
  stageId: string;
  template: string;
  variables: Record<string, unknown>;
  globals: object;
}

/** Ports of a session. */
export interface SessionPorts extends GrantedPorts {
  line: Line;
  model: LanguageModel;
  now(): Date;
  validate: ValidateOutput;
  answeredBy: AnsweredBy;
  /** Span of the attempt, below which the session records its own. */
  trace?: Span | null;
  /** Follows the session for supervisors. */
  watch?: SessionWatch;
  /** Notes, words and commands of the supervisor. */
  notes?: Pick<
    SupervisorNotes,
    "take" | "ended" | "isHeld" | "released" | "wake" | "hasWords" | "takeWords" | "takeSpoken"
  >;
  /**
   * True when time passes on the line while nobody speaks, so that a supervisor's words may end a silence. Where call
   * time costs nothing, a wait that can be ended would hold the silence back.
   */
  isPaced?: boolean;
  /** Aborts when the operator's time for live sessions is over: the agent says goodbye and ends the session. */
  closing?: AbortSignal;
  /** Called after each change with the transcript so far. The array goes on growing: read it, do not keep it. */
  onTurn(turns: Turn[]): void;
  /** Called when the session enters a stage. */
  onStage?(path: readonly StageVisit[]): void;
  /** Called with each text that a stage says or asks the model with, before it is filled in. */
  onStageText?(text: StageText): void;
  /** Called when outputs that are filled during the session have new values. */
  onOutputs?(outputs: Record<string, FilledOutput>): void;
  /** Adds the person's number to the do-not-call list; rejects when that fails. */
  addToDoNotCall(): Promise<void>;
  /** Stores and announces that the person of a call wants a human; rejects when that fails. */
  noteHumanRequest?(): Promise<void>;
  /**
   * Milliseconds of wall-clock time that a model may take to its first piece, 10,000 by default. A whole turn may take
   * three times that.
   */
  modelStallMs?: number;
}
