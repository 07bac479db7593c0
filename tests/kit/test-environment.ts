import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Variables with which a person controls a run of the tests, and those needed to find programs. No others get in. */
const KEPT = [
  "PATH",
  "TMPDIR",
  "NODE_COMPILE_CACHE",
  "CHROMIUM",
  "CRASH_KILLS",
  "DASHBOARD_PICTURES",
  "FUZZ_REQUESTS",
  "FUZZ_SEED",
  "PARLEY_CONTRACTS",
  "PARLEY_SPEC",
  "PARLEY_TEST_FOLDER",
  "PARLEY_TEST_SERVER",
  "SDK_MATRIX",
  "SIPP_TRACE",
  "SIP_LOG",
  "SPEECH_VAD_MODEL",
  "WEB_PHONE_PICTURES",
];

/** Variables that vitest sets for its workers. */
const OF_VITEST = /^(VITEST|VITE_|TEST$|DEV$|PROD$|SSR$|MODE$|BASE_URL$|NODE_ENV$|FORCE_TTY$)/;

/**
 * Fixed settings, far from UTC and English: code that depends on a machine's zone or language fails here on every
 * machine, not just on some.
 */
const FIXED = { LANG: "de_DE.UTF-8", TZ: "Asia/Kolkata", TERM: "xterm-256color", SHELL: "/bin/bash" };
/** A server ends its live calls when a test stops it. */
const ENDS_CALLS = { DRAIN_SECONDS: "0" };
const UMASK = 0o022;

/** Names of the variables in `env` that tests and their programs may see. */
export function pickEnvironment(env: NodeJS.ProcessEnv, home: string): Record<string, string> {
  const kept = KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...Object.fromEntries(kept), ...FIXED, HOME: home };
}

/**
 * Replaces the environment of this process by that of the tests, with a home in `folder`: no profile, NO_COLOR, CI or
 * locale of the person gets in, and nothing is written to their home. Workers inherit it.
 */
export function enterTestEnvironment(folder: string): void {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const wanted = pickEnvironment(process.env, home);
  for (const name of Object.keys(process.env)) {
    if (!(name in wanted) && !OF_VITEST.test(name)) delete process.env[name];
  }
  Object.assign(process.env, wanted);
  process.umask(UMASK);
}

/**
 * Returns the environment of a program that a test starts: that of the tests, without vitest's variables, plus `more`. A
 * server ends its live calls at once when it is stopped, unless `more` has DRAIN_SECONDS.
 */
export function programEnvironment(more: Record<string, string> = {}): Record<string, string> {
  return { ...pickEnvironment(process.env, process.env.HOME ?? ""), ...ENDS_CALLS, ...more };
}
