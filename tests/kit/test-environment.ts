import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Variables by which a person steers a run of the tests, and what programs need to be found. Nothing else gets in. */
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
  "SIPP_TRACE",
  "SIP_LOG",
  "SPEECH_VAD_MODEL",
  "WEB_PHONE_PICTURES",
];

/** What vitest sets for its workers. */
const OF_VITEST = /^(VITEST|VITE_|TEST$|DEV$|PROD$|SSR$|MODE$|BASE_URL$|NODE_ENV$|FORCE_TTY$)/;

/**
 * The same for everybody, and far from UTC and English: what depends on the zone or the language of a machine fails here
 * on every machine, and not first on somebody's.
 */
const FIXED = { LANG: "de_DE.UTF-8", TZ: "Asia/Kolkata", TERM: "xterm-256color", SHELL: "/bin/bash" };
const UMASK = 0o022;

/** Names of the variables in `env` that tests and their programs may see. */
export function pickEnvironment(env: NodeJS.ProcessEnv, home: string): Record<string, string> {
  const kept = KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...Object.fromEntries(kept), ...FIXED, HOME: home };
}

/**
 * Replaces the environment of this process by the one of the tests, with a home in `folder`: neither a profile, nor
 * NO_COLOR, CI or a locale of the person gets in, and nothing is written to their home. Workers inherit it.
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

/** The environment of a program that a test starts: that of the tests, without what is vitest's, and `more`. */
export function programEnvironment(more: Record<string, string> = {}): Record<string, string> {
  return { ...pickEnvironment(process.env, process.env.HOME ?? ""), ...more };
}
