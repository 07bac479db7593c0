import { AppError, type Fault, fieldError } from "#src/platform/kernel/errors.ts";
import { readSuite } from "./read-suite.ts";
import { SuiteFault, type SuiteFaultDetail } from "./suite-fault.ts";
import type { Suite } from "./suite.ts";

/** The most conversations of one run. */
const MAX_CONVERSATIONS = 10_000;
/** The most in audio, which passes in real time. */
const MAX_AUDIO_CONVERSATIONS = 200;

/** The request for a run, as it was sent. */
export interface RunSource {
  /** YAML or JSON as a text, or an object. */
  suite: unknown;
  /** Texts of the files that the suite names, by that name. */
  files: Record<string, string>;
  /** Names of scenarios; null: all. */
  only: string[] | null;
  repeat: number | null;
  seed: number | null;
  mode: "TEXT" | "AUDIO" | null;
  /** The flow to use instead of the suite's; absent: the suite's own. */
  flow?: unknown;
}

/**
 * Reads the suite of a run and applies the request's options; `leftOut` names the scenarios that these take away.
 * Throws a 422 with the path and line of each fault.
 */
export function openSource(source: RunSource): {
  suite: Suite;
  conversations: number;
  leftOut: string[];
  warnings: string[];
} {
  const whole = readSent(source);
  const { suite, warnings } = narrow(whole, source);
  const held = new Set(suite.scenarios.map(({ name }) => name));
  const conversations = suite.scenarios.reduce((sum, { repeat }) => sum + repeat, 0);
  const limit = suite.mode === "AUDIO" ? MAX_AUDIO_CONVERSATIONS : MAX_CONVERSATIONS;
  if (conversations > limit) {
    const message = `comes to ${conversations} conversations; a run in ${suite.mode} has at most ${limit}.`;
    throw fieldError("suite.scenarios", "TOO_MANY", message);
  }
  const leftOut = whole.scenarios.map(({ name }) => name).filter((name) => !held.has(name));
  return { suite, conversations, leftOut, warnings };
}

function readSent({ suite, files }: RunSource): Suite {
  try {
    return readSuite(suite, "suite", (path) => findFile(files, path));
  } catch (error) {
    if (!(error instanceof SuiteFault)) throw error;
    const faults = error.faults.map(toFault);
    const first = faults[0];
    throw new AppError("VALIDATION_FAILED", `${first?.path}: ${first?.message}`, faults);
  }
}

/** Returns a file by its name; `./x` and `x` are the same. */
function findFile(files: Record<string, string>, path: string): string | undefined {
  const plain = (name: string) => name.replace(/^(?:\.\/)+/, "");
  const name = Object.hasOwn(files, path) ? path : Object.keys(files).find((one) => plain(one) === plain(path));
  return name === undefined ? undefined : files[name];
}

/**
 * Converts a fault to the paths of request bodies, such as `suite.scenarios.0.expect`; the line comes first in the
 * message.
 */
function toFault({ path, line, column, message }: SuiteFaultDetail): Fault {
  const place = line === null ? "" : `line ${line}, column ${column ?? 1}: `;
  const dotted = path.replaceAll(/\[(\d+)\]/g, ".$1");
  return {
    path: ["suite", dotted].filter(Boolean).join(".").toWellFormed(),
    code: "SUITE_INVALID",
    message: `${place}${message}`.toWellFormed(),
  };
}

function narrow(suite: Suite, source: RunSource): { suite: Suite; warnings: string[] } {
  const { only, repeat, seed } = source;
  const mode = source.mode ?? suite.mode;
  const lost = only?.find((name) => !suite.scenarios.some((scenario) => scenario.name === name));
  if (lost !== undefined) {
    const names = suite.scenarios.map(({ name }) => name).join(", ");
    throw fieldError("only", "UNKNOWN", `names a scenario that the suite does not have: ${lost}. It has: ${names}.`);
  }
  const wanted = suite.scenarios.filter(({ name }) => only === null || only.includes(name));
  const spoken = mode === "AUDIO" ? wanted.filter(({ channel }) => channel === "VOICE") : wanted;
  if (spoken.length === 0)
    throw fieldError("mode", "CHANNEL", "is AUDIO, but there are only chats, which have no audio.");
  const scenarios = spoken.map((scenario) => ({
    ...scenario,
    repeat: repeat ?? scenario.repeat,
    seed: seed ?? scenario.seed,
  }));
  const silent = wanted.filter((scenario) => !spoken.includes(scenario)).map(({ name }) => name);
  const warnings = silent.length > 0 ? [`Left out, since chats have no audio: ${silent.join(", ")}.`] : [];
  return { suite: { ...suite, scenarios, mode, seed: seed ?? suite.seed }, warnings };
}

/** Returns the phone numbers of a suite's contacts. */
export function phonesOf({ scenarios }: Suite): string[] {
  return [...new Set(scenarios.flatMap(({ contact }) => contact.phone ?? []))];
}
