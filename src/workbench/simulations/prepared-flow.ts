import type { Line } from "#src/audio/line/line.ts";
import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Persona } from "#src/engine/personas/reaction.ts";
import type { UsageKind } from "#src/tenancy/usage/prices.ts";

/** The contact of a suite or a scenario. */
export interface SimulatedContact {
  name: string | null;
  phone: string | null;
  email: string | null;
}

/** Differences between the session plans of scenarios. */
export interface PlanInput {
  sessionId: string;
  contact: SimulatedContact;
  /** The row's data. */
  variables: Record<string, unknown>;
  contextData: Record<string, unknown>;
  channel: "VOICE" | "CHAT";
}

/** Identity of the flow, for the report. */
export interface FlowReference {
  id: string | null;
  apiId: string | null;
  name: string;
  version: number | null;
}

/** A flow ready to be simulated. Everything has been read from the database already. */
export interface PreparedFlow {
  ref: FlowReference;
  /**
   * Returns the plan of one session as a real call of the flow would get it: outputs, grants with the workspace's own
   * tools (offered, never run), limits. Plain data, because it may go to a worker thread. Deterministic.
   */
  toPlan(input: PlanInput): SessionPlan;
  /** Model that speaks and fills the outputs; null: the scripted model. */
  model: LanguageModel | null;
  /** Returns the model of a stage by its id; absent: no stage has one of its own. */
  modelOf?: (modelId: string) => LanguageModel | undefined;
  /** Unit prices for the cost of a conversation. */
  prices: Record<UsageKind, string>;
  currency: string;
  /** Returns another flow of the workspace, by id or apiId, for a transfer to it; undefined when there is none. */
  findFlow?(name: string): PreparedFlow | undefined;
}

/** A line that replaces the instant text line of a simulation. */
export interface OpenedLine {
  line: Line;
  /** Frees the line's resources, however the conversation ended. */
  close(): Promise<void>;
}

/** Dependencies of `runSuite` besides the suite. */
export interface SuitePorts {
  flow: PreparedFlow;
  /** Model that plays model-driven personas; null: their scripts are used. */
  personaModel: LanguageModel | null;
  /**
   * Opens the audio path to a persona (mode AUDIO). Absent: a suite in AUDIO is refused. The line ends when its signal
   * aborts.
   */
  openAudioLine?: (input: AudioLineInput, signal: AbortSignal) => Promise<OpenedLine>;
}

/** Input for opening the audio path to a persona. */
export interface AudioLineInput {
  /** Seeded already. */
  persona: Persona;
  language: string;
  seed: number;
}
