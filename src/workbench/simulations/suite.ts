import type { PersonaChoice } from "./persona-choice.ts";
import type { SimulatedContact } from "./prepared-flow.ts";

/** The flow that a suite is for. */
export type FlowChoice =
  | { kind: "SAVED"; flow: string; version: number | null }
  | { kind: "DRAFT"; flow: string }
  | { kind: "DOCUMENT"; document: unknown };

/** Answer of a tool in a simulation; the first mock whose `when` matches the input is used. */
export interface ToolMock {
  /** Matchers by input; null: any input. */
  when: Record<string, unknown> | null;
  returns: unknown;
  /** Error message for the model, for a mock that fails. */
  fails: string | null;
  /** Variables that the tool adds to the session. */
  variables: Record<string, unknown>;
  /** Call time that the answer takes. */
  takesMs: number;
}

/** A passage of the knowledge base of a simulation. */
export interface KnowledgeEntry {
  title: string;
  text: string;
}

/** Limits of a conversation. */
export interface SimulationLimits {
  /** Turns of the agent. */
  turns: number;
  /** Seconds of call time. */
  seconds: number;
}

/** Required input of a tool call, and the number of calls. */
export interface ExpectedCall {
  call: string;
  with: Record<string, unknown>;
  /** A matcher of the count; null: at least once. */
  times: unknown;
}

/** Required results of a conversation. An absent member expects nothing. */
export interface Expectations {
  /** States or outcomes of a call row, any of which may occur. */
  outcome?: string[];
  endReason?: string[];
  fields: Record<string, unknown>;
  outputs: Record<string, "VALID" | "INVALID" | "MISSING">;
  tools: ExpectedCall[];
  neverCalls: string[];
  /** Texts to be found, or matchers of one line. */
  says: unknown[];
  neverSays: unknown[];
  turns?: unknown;
  longestSilenceMs?: unknown;
  durationSeconds?: unknown;
  cost?: unknown;
  optOut?: boolean;
}

/** One conversation of a suite, with the suite's values filled in. */
export interface Scenario {
  name: string;
  persona: PersonaChoice;
  contact: SimulatedContact;
  variables: Record<string, unknown>;
  contextData: Record<string, unknown>;
  channel: "VOICE" | "CHAT";
  tools: Record<string, ToolMock[]>;
  knowledge: KnowledgeEntry[];
  /** Records of the contact by the key of their data store. */
  records: Record<string, Record<string, unknown>[]>;
  repeat: number;
  seed: number;
  limits: SimulationLimits;
  expect: Expectations;
  /** Always-on checks that are switched off. */
  ignore: AlwaysOnCheck[];
  /** Share of the repetitions that must pass. */
  passRate: number;
}

/** A flow, and the required results of its conversations with some personas. */
export interface Suite {
  name: string;
  flow: FlowChoice;
  channel: "VOICE" | "CHAT";
  mode: "TEXT" | "AUDIO";
  /** FLOW, SCRIPTED, or the name of a language model. */
  model: string;
  seed: number;
  /** The time in the conversations, ISO 8601. */
  now: string;
  scenarios: Scenario[];
}

/** Checks that run in every conversation without being listed. */
export const ALWAYS_ON_CHECKS = [
  "SESSION_ERROR",
  "MISSING_VARIABLE",
  "TOOL_NOT_MOCKED",
  "TOOL_FAILED",
  "OUTPUT_INVALID",
  "OPT_OUT_IGNORED",
  "LIMIT_REACHED",
] as const;
export type AlwaysOnCheck = (typeof ALWAYS_ON_CHECKS)[number];
