import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "../kit/fake-system.ts";
import { programEnvironment } from "../kit/test-environment.ts";

const FAILS = `suite: Fails
flow: appointment-reminder
scenarios:
  - persona: agrees
    expect: { fields: { confirmed: false } }
`;

/** Ten thousand conversations take longer than the test waits. */
const LONG = `suite: Long
flow: appointment-reminder
repeat: 1000
scenarios: [${["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((name) => `{ name: ${name}, persona: slow }`).join(", ")}]
`;

test("--serve runs suites on a server of its own, whatever the environment names, and Ctrl-C leaves nothing of it", async () => {
  await using system = new FakeSystem();
  const foreign = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", PARLEY_URL: "http://127.0.0.1:1", PORT: "1" };
  Object.assign(system.env, programEnvironment({ TMPDIR: system.folder, ...foreign }));
  const [fails, long] = [join(system.folder, "fails.yaml"), join(system.folder, "long.yaml")];
  writeFileSync(fails, FAILS);
  writeFileSync(long, LONG);
  const watch = setInterval(() => {
    if (system.out.includes("Fails")) system.interrupt();
  }, 100);
  const exitCode = await system.run("simulate", "--serve", fails, long);
  clearInterval(watch);
  expect(system.out, system.err).toContain("confirmed should be false, and is true");
  expect(exitCode, system.err).toBe(130);
  expect(system.out).not.toContain("Long");
  expect(readdirSync(system.folder).filter((name) => name.startsWith("parley-simulate-"))).toEqual([]);
}, 120_000);
