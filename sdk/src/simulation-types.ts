import type { JsonObject } from "./output-types.ts";

/** A run of a test suite to be started. */
export interface StartSimulation {
  /** YAML or JSON as a text, or an object. */
  suite: string | JsonObject;
  /** Texts of the files that the suite names, by the names that it uses. */
  files?: Record<string, string>;
  /** Instead of the suite's flow. */
  flow?: string | { flow: string; version?: number } | { draft: string } | { document: JsonObject };
  /** Names of the scenarios to run. Default: all. */
  only?: string[];
  /** Conversations of each scenario. */
  repeat?: number;
  seed?: number;
  mode?: "TEXT" | "AUDIO";
  /** Id of the run to compare with, or "none". Default: the last finished run of the same suite and flow. */
  compareWith?: string;
}

/** Where a run stands. PASSED and FAILED say what the suite found; ERROR: it could not be run to its end. */
export type SimulationState = "QUEUED" | "RUNNING" | "PASSED" | "FAILED" | "CANCELLED" | "ERROR";

/** A run of a test suite without its report. */
export interface SimulationEntry {
  id: string;
  kind: string;
  state: SimulationState;
  suite: string;
  flow: { id: string | null; apiId: string | null; name: string; version: number | null };
  progress: { done: number; total: number; failed: number };
  comparedWith: string | null;
  error: { code: string; message: string } | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

/** A run of a test suite. */
export interface Simulation extends SimulationEntry {
  /** Null until the run is over. */
  report: SimulationReport | null;
  /** What changed since the run in comparedWith. */
  comparison: JsonObject | null;
}

/** What a run was asked for; null where it was not said. */
export type SimulationSource = {
  [Name in Exclude<keyof StartSimulation, "compareWith">]-?: StartSimulation[Name] | null;
} & { suite: string | JsonObject; files: Record<string, string> };

/** What came of a suite. */
export interface SimulationReport {
  suite: string;
  passed: boolean;
  conversations: number;
  passedConversations: number;
  scenarios: SimulationScenario[];
  warnings: string[];
  [field: string]: unknown;
}

/** What came of one scenario: its repetitions, and the share of them that passed with its 95 % interval. */
export interface SimulationScenario {
  name: string;
  persona: string;
  passed: boolean;
  repetitions: number;
  passedRepetitions: number;
  passRate: number;
  requiredPassRate: number;
  interval: { low: number; high: number };
  conversations: JsonObject[];
}

/** Somebody, or a machine, whom a suite may name. */
export interface Persona {
  /** What suites call it. */
  name: string;
  title: string;
  description: string;
  kind: string;
  answeredBy: string;
  language: string | null;
}
