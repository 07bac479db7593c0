import type { JsonObject } from "./output-types.ts";

/** A run of a test suite to be started. */
export interface StartSimulation {
  /** YAML or JSON as text, or an object. */
  suite: string | JsonObject;
  /** Texts of the files that the suite refers to, by the names that it uses. */
  files?: Record<string, string>;
  /** Instead of the suite's flow. */
  flow?: string | { flow: string; version?: number } | { draft: string } | { document: JsonObject };
  /** Names of the scenarios to run. Default: all. */
  only?: string[];
  /** Conversations per scenario. */
  repeat?: number;
  seed?: number;
  mode?: "TEXT" | "AUDIO";
  /** Id of the run to compare with, or "none". Default: the last finished run of the same suite and flow. */
  compareWith?: string;
}

/** State of a run. PASSED and FAILED are the suite's result; ERROR: the run could not be completed. */
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
  /** Changes since the run in `comparedWith`. */
  comparison: JsonObject | null;
}

/** The request that started a run; null for members that it left out. */
export type SimulationSource = {
  [Name in Exclude<keyof StartSimulation, "compareWith">]-?: StartSimulation[Name] | null;
} & { suite: string | JsonObject; files: Record<string, string> };

/** Result of a suite. */
export interface SimulationReport {
  suite: string;
  passed: boolean;
  conversations: number;
  passedConversations: number;
  scenarios: SimulationScenario[];
  warnings: string[];
  [field: string]: unknown;
}

/** Result of one scenario: its repetitions, and the share of them that passed with its 95 % interval. */
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

/** A person or a machine that a suite may use. */
export interface Persona {
  /** Name in suites. */
  name: string;
  title: string;
  description: string;
  kind: string;
  answeredBy: string;
  language: string | null;
}
