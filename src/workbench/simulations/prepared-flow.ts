import type { Line } from "#src/audio/line/line.ts";
import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { Persona } from "#src/engine/personas/reaction.ts";
import type { UsageKind } from "#src/tenancy/usage/prices.ts";

/** Who is called, as a suite or a scenario says it. */
export interface SimulatedContact {
  name: string | null;
  phone: string | null;
  email: string | null;
}

/** What differs from one scenario to the next in the plan of its sessions. */
export interface PlanInput {
  sessionId: string;
  contact: SimulatedContact;
  /** The row's data. */
  variables: Record<string, unknown>;
  contextData: Record<string, unknown>;
  channel: "VOICE" | "CHAT";
}

/** Which flow it is, for the report. */
export interface FlowReference {
  id: string | null;
  apiId: string | null;
  name: string;
  version: number | null;
}

/** A flow that is ready to be simulated: everything was read from the database, nothing more is. */
export interface PreparedFlow {
  ref: FlowReference;
  /**
   * The plan of one session as a real call of the flow would get it: outputs, grants with the workspace's own tools
   * (offered, never run), limits. Plain data, because it may go to a worker thread. Deterministic.
   */
  toPlan(input: PlanInput): SessionPlan;
  /** What speaks and fills the outputs; null: the scripted model. */
  model: LanguageModel | null;
  /** Unit prices for the cost of a conversation. */
  prices: Record<UsageKind, string>;
  currency: string;
  /** Another flow of the workspace, by id or apiId, for a transfer to it; undefined when there is none. */
  findFlow?(name: string): PreparedFlow | undefined;
}

/** A line that a simulation speaks over instead of the instant line of text. */
export interface OpenedLine {
  line: Line;
  /** Frees what the line holds, whatever became of the conversation. */
  close(): Promise<void>;
}

/** What `runSuite` takes of the world besides the suite. */
export interface SuitePorts {
  flow: PreparedFlow;
  /** Plays personas that a model drives; null: their scripts do. */
  personaModel: LanguageModel | null;
  /**
   * Opens the audio path to a persona (mode AUDIO). Absent: a suite in AUDIO is refused. The line ends
   * when its signal aborts.
   */
  openAudioLine?: (input: AudioLineInput, signal: AbortSignal) => Promise<OpenedLine>;
}

/** What the audio path to a persona needs to know. */
export interface AudioLineInput {
  /** Already seeded. */
  persona: Persona;
  language: string;
  seed: number;
}
