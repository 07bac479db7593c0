import type { PersonaChoice } from "./persona-choice.ts";
import type { SimulatedContact } from "./prepared-flow.ts";

/** Which flow a suite is for. */
export type FlowChoice =
  | { kind: "SAVED"; flow: string; version: number | null }
  | { kind: "DRAFT"; flow: string }
  | { kind: "DOCUMENT"; document: unknown };

/** What a tool answers in a simulation; the first mock whose `when` fits the input answers. */
export interface ToolMock {
  /** Matchers by input; null: any input. */
  when: Record<string, unknown> | null;
  returns: unknown;
  /** Set for a mock that fails: what the model is told. */
  fails: string | null;
  /** What the tool adds to the variables of the session. */
  variables: Record<string, unknown>;
  /** Call time that the answer takes. */
  takesMs: number;
}

/** A passage of the knowledge base of a simulation. */
export interface KnowledgeEntry {
  title: string;
  text: string;
}

/** How long a conversation may become. */
export interface SimulationLimits {
  /** Turns of the agent. */
  turns: number;
  /** Call time. */
  seconds: number;
}

/** What a tool must have been called with, and how often. */
export interface ExpectedCall {
  call: string;
  with: Record<string, unknown>;
  /** A matcher of the count; null: at least once. */
  times: unknown;
}

/** What must come of a conversation. An absent member expects nothing. */
export interface Expectations {
  /** States or outcomes of a call row; one of them. */
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

/** One conversation of a suite, with all that it takes from the suite filled in. */
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

/** A flow, and what must come of its conversations with some people. */
export interface Suite {
  name: string;
  flow: FlowChoice;
  channel: "VOICE" | "CHAT";
  mode: "TEXT" | "AUDIO";
  /** FLOW, SCRIPTED, or the name of a language model. */
  model: string;
  seed: number;
  /** The time it is in the conversations, ISO 8601. */
  now: string;
  scenarios: Scenario[];
}

/** What is checked in every conversation without being asked for. */
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
