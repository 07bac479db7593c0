import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildEdition } from "#src/surfaces/cli/edition.ts";
import { buildProgram, CHECKOUT } from "#src/surfaces/cli/program.ts";
import { Run } from "#src/surfaces/cli/run.ts";
import { FakeSystem } from "../kit/fake-system.ts";
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
    expect(modules.length).toBeGreaterThan(15);
  },
);

test.each([["--version"], ["call", "--help"], ["carrier", "--help"]])(
  "parley %s loads no command but its own, and no client of the API",
  (...args) => {
    const modules = modulesOf(...args);
    const commands = modules.flatMap((url) => /cli\/commands\/([\w-]+)\.ts$/.exec(url)?.[1] ?? []);
    expect(commands.filter((name) => !/^(call|carrier|credential)-commands$/.test(name))).toEqual([]);
    expect(modules.filter((url) => url.includes("/sdk/src/")).map((url) => url.split("/").at(-1))).toEqual([
      "errors.ts",
    ]);
  },
);

test("each group of commands is known by the first words of its commands", async () => {
  const all = (await buildProgram(new Run(new FakeSystem()))).commands.map((command) => command.name());
  expect(all.length).toBeGreaterThan(25);
  for (const name of all.filter((one) => one !== "completion" && one !== "help")) {
    const some = (await buildEdition(CHECKOUT, new Run(new FakeSystem()), ["--json", name])).commands.map((one) =>
      one.name(),
    );
    expect([name, some.includes(name), some.length < 4]).toEqual([name, true, true]);
  }
});

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

test.each(["is killed", "loses its reader"])("parley listen takes back its webhook when it %s", async (end) => {
  await using system = new FakeSystem();
  const event = (eventId: number) => ({ eventId: String(eventId), eventType: "session.ended", body: "{}" });
  await system.start(
    ({ method, url }, index) => ({
      body:
        method === "POST"
          ? { id: "hook", signingSecret: `whsec_${"A".repeat(32)}` }
          : url.pathname.endsWith("/address")
            ? { url: "http://127.0.0.1:1/inspector" }
            : { events: [event(index)], cursor: String(index) },
    }),
    () => ({ body: {} }),
  );
  const child = spawn(process.execPath, [join(ROOT, "src/main.ts"), "listen"], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH, PARLEY_URL: system.url, PARLEY_API_KEY: "svc_live_test", ...system.env },
  });
  await once(child.stdout, "data");
  if (end === "is killed") child.kill();
  else child.stdout.destroy();
  await once(child, "exit");
  expect(system.api.at(-1)).toMatchObject({ method: "DELETE" });
  expect(system.api.at(-1)?.url.pathname).toMatch(/\/session-webhooks\/hook$/);
});

test("the server's own modules are found by this test", () => {
  expect(modulesOf("serve", "--role", "none").some((url) => OF_THE_SERVER.test(url))).toBe(true);
});
