import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, Tab, tokenOf } from "../kit/console-harness.ts";
import { FakeSystem } from "../kit/fake-system.ts";
import { programEnvironment } from "../kit/test-environment.ts";
import { World } from "../kit/world.ts";

/* `parley setup-link` and `parley user …` on a whole server: some as a shell runs them, in a process of their own, the others within this one. */

interface Ended {
  code: number;
  out: string;
  err: string;
}

let world: World;
beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
});
afterAll(() => world[Symbol.asyncDispose]());

/** One command line of the program, within this process. */
async function parley(...argv: string[]): Promise<Ended> {
  await using system = new FakeSystem();
  system.env.DATA_DIR = world.dataDir;
  const code = await system.run(...argv);
  return { code, out: system.out, err: system.err };
}

/** The same in a process of its own. */
function spawned(...argv: string[]): Promise<Ended> {
  const env = programEnvironment({
    NODE_COMPILE_CACHE: "node_modules/.cache/tests",
    DATA_DIR: world.dataDir,
    XDG_CONFIG_HOME: join(world.dataDir, "config"),
  });
  return new Promise((resolve) => {
    execFile(process.execPath, ["src/main.ts", ...argv], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

async function link(...argv: string[]): Promise<string> {
  const { code, out, err } = await parley(...argv, "--json");
  expect([code, err]).toEqual([0, ""]);
  return tokenOf(JSON.parse(out) as { url: string });
}

test("links of the command line let people in, and what was disabled stays out", async () => {
  const tab = new Tab(world);
  const old = await link("setup-link");
  const shown = await spawned("setup-link");
  expect([shown.code, shown.err]).toEqual([0, expect.stringContaining("Nothing was sent to anybody.")]);
  const setup = String(/\/setup\/(\w+)/.exec(shown.out)?.[1]);
  const owner = { name: "Olive", email: "olive@example.com", password: PASSWORD };
  expect((await tab.ask("POST", "/setup", { ...owner, token: old })).status).not.toBe(200);
  expect((await tab.ask("POST", "/setup", { ...owner, token: setup })).status).toBe(200);

  const { workspaceId } = world.sample;
  const [again, invitation] = await Promise.all([
    parley("setup-link"),
    link("user", "invite", "--workspace", workspaceId, "--role", "operator", "--email", "otto@example.com"),
  ]);
  expect(again).toEqual({ code: 1, out: "", err: expect.stringContaining("parley user reset E-MAIL") as string });
  const otto = new Tab(world);
  const joined = { token: invitation, name: "Otto", email: "otto@example.com", password: PASSWORD };
  expect((await otto.ask("POST", "/invitations/accept", joined)).status).toBe(200);

  const disabled = await parley("user", "disable", "otto@example.com");
  expect(disabled).toEqual({ code: 0, out: "Disabled otto@example.com.\n", err: "" });
  expect((await otto.ask("GET", `/workspaces/${workspaceId}/overview`)).status).toBe(401);
  expect((await otto.signIn("otto@example.com")).status).toBe(401);
  const [listed, refused] = await Promise.all([parley("user", "list"), parley("user", "reset", "otto@example.com")]);
  expect(listed.code).toBe(0);
  expect(listed.out).toMatch(/olive@example.com +Olive +owner of the installation/);
  expect(listed.out).toMatch(/otto@example.com +Otto +Test: operator .*disabled/);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("This account is disabled.")]);
  expect((await parley("user", "enable", "OTTO@example.com")).code).toBe(0);
  const reset = await link("user", "reset", "otto@example.com");
  const fresh = { token: reset, password: "another horse battery" };
  expect((await otto.ask("POST", "/password/reset", fresh)).status).toBe(200);
  expect((await otto.signIn("otto@example.com", fresh.password)).status).toBe(200);
}, 120_000);

test("wrong arguments are named, each with its exit code", async () => {
  const wrong: [string[], number, string][] = [
    [["user", "invite", "--role", "king"], 2, "Allowed choices are owner, builder, operator, viewer"],
    [["user", "invite"], 2, "required option '--role <role>'"],
    [["user", "reset"], 2, "missing required argument 'email'"],
    [["user", "disable", "nobody@example.com"], 4, "There is no such user."],
    [["user", "disable", "olive@example.com"], 1, "The installation must keep an owner."],
    [["user", "reset", "not an address"], 2, "email"],
    [["user", "invite", "--workspace", "x", "--role", "viewer"], 2, "workspaceId"],
    [["setup-link", "now"], 2, "too many arguments"],
  ];
  const ended = await Promise.all(wrong.map(([argv]) => parley(...argv)));
  expect(await spawned("user", "invite", "--role", "king")).toEqual(ended[0]);
  const expected = wrong.map(([, code, message]) => ({
    code,
    out: "",
    err: expect.stringContaining(message) as string,
  }));
  expect(ended).toEqual(expected);
}, 120_000);
