import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, sep } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";
import { pickEnvironment, programEnvironment } from "../kit/test-environment.ts";

/** Every one of them has made a test fail, or let one write to somebody's home. */
const OF_A_PERSON = {
  CI: "1",
  COLUMNS: "40",
  DATA_DIR: "/home/person/data",
  DATABASE_URL: "postgres://person@localhost/theirs",
  FORCE_COLOR: "1",
  HOME: "/home/person",
  HTTP_PROXY: "http://proxy:3128",
  LANG: "C",
  LC_ALL: "C",
  NO_COLOR: "1",
  NODE_OPTIONS: "--require=/home/person/hook.js",
  PARLEY_API_KEY: "svc_live_theirs",
  PARLEY_PROFILE: "/home/person/profile.json",
  PGPASSWORD: "theirs",
  PORT: "1",
  TERM: "dumb",
  TZ: "America/New_York",
  XDG_CONFIG_HOME: "/home/person/.config",
};

test("of a person's variables only those that steer a run get in", () => {
  const picked = pickEnvironment({ ...OF_A_PERSON, PATH: "/bin", FUZZ_SEED: "7" }, "/home/of-the-run");
  expect(picked).toEqual({
    PATH: "/bin",
    FUZZ_SEED: "7",
    HOME: "/home/of-the-run",
    LANG: "de_DE.UTF-8",
    TZ: "Asia/Kolkata",
    TERM: "xterm-256color",
    SHELL: "/bin/bash",
  });
});

test("tests run in it, with a home that the run has made and removes", () => {
  for (const name of ["CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LC_ALL", "DATABASE_URL", "XDG_CONFIG_HOME"]) {
    expect(process.env[name], name).toBeUndefined();
  }
  expect(homedir().startsWith(tmpdir() + sep)).toBe(true);
  expect(process.umask()).toBe(0o022);
  // Read when the process began: setting them later would change nothing.
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  expect([locale, new Date(0).getTimezoneOffset()]).toEqual(["de-DE", -330]);
});

test.skipIf(!existsSync("/proc/self/environ"))(
  "the runner has no person's home either: it keeps a token in its own",
  () => {
    const began = readFileSync(`/proc/${process.ppid}/environ`, "utf8").split("\0");
    expect(began).toContain(`HOME=${join(ROOT, "node_modules", ".cache", "home")}`);
    expect(began.filter((entry) => /^XDG_\w+_HOME=/.test(entry))).toEqual([]);
  },
);

test("a program that a test starts sees that environment and what the test adds", () => {
  const asked = ["-p", "JSON.stringify([process.env, os.homedir(), new Date(0).getHours(), (0.5).toLocaleString()])"];
  const out = execFileSync(process.execPath, asked, { env: programEnvironment({ PORT: "7" }), encoding: "utf8" });
  const [env, home, hours, half] = JSON.parse(out) as [Record<string, string>, string, number, string];
  expect([home, hours, half, env["PORT"]]).toEqual([homedir(), 5, "0,5", "7"]);
  expect(Object.keys(env).filter((name) => /^(VITEST|NODE_ENV|NODE_OPTIONS|TEST)/.test(name))).toEqual([]);
});
