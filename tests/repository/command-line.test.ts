import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PRINT_MODULES } from "../kit/print-modules.ts";
import { ROOT } from "../kit/repository.ts";

const OF_THE_SERVER = /\/node_modules\/(pg|fastify|kysely|@ai-sdk)\/|\/src\/(app|platform\/db)\//;

/** Runs the command line, and returns the modules that it loaded. */
function modulesOf(...args: string[]): string[] {
  const node = ["--import", PRINT_MODULES, join(ROOT, "src/main.ts"), ...args];
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATA_DIR: join(ROOT, "no-such-folder") };
  const said = execFileSync("bash", ["-c", `"$@" 2>&1 >/dev/null || true`, "-", process.execPath, ...node], {
    env,
    encoding: "utf8",
  });
  return said.split("\n").filter((line) => line.startsWith("file:"));
}

test.each([["--version"], ["flow", "--help"], ["init"], ["backup", "--help"], ["doctor"]])(
  "parley %s loads nothing of the server, which takes ten times as long",
  (...args) => {
    const modules = modulesOf(...args);
    expect(modules.filter((url) => OF_THE_SERVER.test(url))).toEqual([]);
    expect(modules.length).toBeGreaterThan(40);
  },
);

test("the server's own modules are found by this test", () => {
  expect(modulesOf("serve", "--role", "none").some((url) => OF_THE_SERVER.test(url))).toBe(true);
});
