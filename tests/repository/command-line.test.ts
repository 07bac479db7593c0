import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PRINT_MODULES } from "../kit/print-modules.ts";
import { ROOT } from "../kit/repository.ts";

const OF_THE_SERVER = /\/node_modules\/(pg|fastify|kysely|@ai-sdk)\/|\/src\/(app|platform\/(db|config))\//;
const SLOW = new RegExp(`${OF_THE_SERVER.source}|/node_modules/yaml/`);

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
  "parley %s loads nothing of the server, which takes ten times as long, and no YAML",
  (...args) => {
    const modules = modulesOf(...args);
    expect(modules.filter((url) => SLOW.test(url))).toEqual([]);
    expect(modules.length).toBeGreaterThan(40);
  },
);

test("parley --version does not load Node's fetch, which takes a third of its time", () => {
  const report = 'process.on("exit", () => console.log(process.moduleLoadList.join("\\n")))';
  const node = [
    "--import",
    `data:text/javascript,${encodeURIComponent(report)}`,
    join(ROOT, "src/main.ts"),
    "--version",
  ];
  const builtIns = execFileSync(process.execPath, node, { encoding: "utf8" });
  expect(builtIns).toContain("NativeModule util");
  expect(builtIns).not.toContain("undici");
});

test("a command whose messages nobody reads any more ends with its own exit code", async () => {
  const child = spawn(process.execPath, [join(ROOT, "src/main.ts"), "jobs", "rows"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.destroy();
  expect((await once(child, "exit"))[0]).toBe(2);
});

test("the server's own modules are found by this test", () => {
  expect(modulesOf("serve", "--role", "none").some((url) => OF_THE_SERVER.test(url))).toBe(true);
});
