import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeSystem } from "../kit/fake-system.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;
type Tool = { id: string; name: string; isNew: boolean };

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

/** A terminal whose commands go to the world's server. */
function createTerminal(apiKey = world.sample.apiKey): FakeSystem {
  const terminal = new FakeSystem();
  Object.assign(terminal.env, { PARLEY_URL: world.url, PARLEY_API_KEY: apiKey });
  return terminal;
}

/** Runs a command with --json and returns what it printed. */
async function ask(terminal: FakeSystem, ...argv: string[]): Promise<Json & { id: string }> {
  terminal.out = "";
  expect(await terminal.run(...argv, "--json"), terminal.err).toBe(0);
  return JSON.parse(terminal.out) as Json & { id: string };
}

const stored = async (id: string) => (await world.request("GET", `/connections/${id}`)).body;

test("a connection with a key is made, listed, renamed and deleted; the key is asked for and never shown", async () => {
  await using terminal = createTerminal();
  terminal.canAsk = true;
  terminal.answer = "cal_secret";
  const { id } = await ask(terminal, "connection", "create", "cal-com", "--name", "Bookings");
  expect(terminal.questions).toEqual([expect.stringContaining("API key (not shown")]);
  expect(await stored(id)).toMatchObject({ provider: "CAL_COM", method: "API_KEY", state: "CONNECTED" });
  await ask(terminal, "connection", "update", id, "--name", "Appointments");
  expect(terminal.questions).toHaveLength(1);
  terminal.out = "";
  expect(await terminal.run("connection", "list")).toBe(0);
  expect(terminal.out).toMatch(new RegExp(`${id} +CAL_COM +API_KEY +CONNECTED +Appointments`));
  expect(await ask(terminal, "connection", "delete", id)).toEqual({ id, revoked: null });
  expect((await world.request("GET", `/connections/${id}`)).status).toBe(404);
  expect(await terminal.run("connection", "show", id)).toBe(4);
  expect(terminal.out + terminal.err).not.toContain("cal_secret");
});

test("a provider that does not exist, or takes no key, is named before a secret is asked for", async () => {
  await using terminal = createTerminal();
  terminal.canAsk = true;
  expect(await terminal.run("connection", "create", "googl")).toBe(2);
  expect(terminal.err).toMatch(/There is no provider googl\. There are google, cal-com, /);
  expect(await terminal.run("connection", "create", "google")).toBe(2);
  expect(terminal.err).toContain("Google takes no key. Give the --client-id");
  expect(terminal.questions).toEqual([]);
});

test("a connection to sign in to says where; its secret comes from a file or standard input", async () => {
  await using terminal = createTerminal();
  const file = join(terminal.folder, "secret");
  writeFileSync(file, "app-secret\n");
  const app = ["--client-id", "app-1", "--scopes", "a,b"];
  expect(await terminal.run("connection", "create", "google", ...app, "--secret", `clientSecret=@${file}`)).toBe(0);
  expect(terminal.err).toContain("press Sign in");
  const [, id = ""] = /^id +(\S+)$/m.exec(terminal.out) ?? [];
  const expected = { name: "google", clientId: "app-1", clientSecret: "********", scopes: ["a", "b"] };
  expect(await stored(id)).toMatchObject({ ...expected, state: "NOT_CONNECTED" });
  terminal.lines = ['{"clientSecret":"another-secret"}'];
  await ask(terminal, "connection", "update", id, "--client-id", "app-2", "--secrets-stdin");
  expect(await stored(id)).toMatchObject({ clientId: "app-2" });
  expect(await terminal.run("connection", "providers")).toBe(0);
  expect(terminal.out).toMatch(/SALESFORCE +Salesforce +OAUTH\n/);
  expect(terminal.err).toContain("/connections/callback");
  expect(terminal.out + terminal.err).not.toMatch(/app-secret|another-secret/);
});

test("a CUSTOM provider comes from a file; what is wrong is said before anything is sent, or by the server", async () => {
  await using terminal = createTerminal();
  const file = join(terminal.folder, "custom.json");
  const create = ["connection", "create", "custom", "--name", "Own", "--custom", file];
  expect(await terminal.run(...create)).toBe(2);
  writeFileSync(file, JSON.stringify({ apiOrigins: ["https://api.example.com"], keyHeader: "X-Api-Key" }));
  expect(await terminal.run(...create)).toBe(2);
  expect(terminal.err).toContain("apiKey is missing");
  terminal.lines = ['{"apiKey":"k1","password":"k2"}'];
  expect(await terminal.run(...create, "--secrets-stdin")).toBe(2);
  expect(terminal.err).toContain("A connection has no secret password.");
  terminal.lines = ['{"apiKey":"k1"}'];
  const { id } = await ask(terminal, ...create, "--secrets-stdin");
  expect(await stored(id)).toMatchObject({ apiOrigins: ["https://api.example.com"], method: "API_KEY" });
  expect(await terminal.run("connection", "create", "myspace", "--secrets-stdin")).toBe(2);
  expect(terminal.err).toMatch(/provider/);
});

test("a pack is listed, shown and installed for a connection; a repetition brings its tools up to date", async () => {
  await using terminal = createTerminal();
  terminal.lines = ['{"apiKey":"k1"}'];
  const { id } = await ask(terminal, "connection", "create", "cal-com", "--secrets-stdin");
  expect(await terminal.run("tool-pack", "list")).toBe(0);
  expect(terminal.out).toMatch(/cal-com +CAL_COM +list_slots, book_slot/);
  expect(await terminal.run("tool-pack", "show", "cal-com")).toBe(0);
  expect(terminal.out).toMatch(/eventTypeId +required/);
  const install = ["tool-pack", "install", "cal-com", "--connection", id, "--set", "eventTypeId=123"];
  const { tools } = (await ask(terminal, ...install)) as unknown as { tools: Tool[] };
  expect(tools.map(({ name, isNew }) => [name, isNew])).toContainEqual(["book_slot", true]);
  const made = await world.request("GET", `/tools/${tools[0]?.id}`);
  expect(made.body).toMatchObject({ connectionId: id, name: tools[0]?.name });
  expect(await terminal.run(...install)).toBe(0);
  expect(terminal.out).toMatch(new RegExp(`${tools[0]?.id} +\\S+ +brought up to date`));
});

test("an installation without its settings, its connection or its pack is refused with the reason", async () => {
  await using terminal = createTerminal();
  terminal.lines = ['{"apiKey":"k1"}'];
  const { id } = await ask(terminal, "connection", "create", "cal-com", "--secrets-stdin");
  expect(await terminal.run("tool-pack", "install", "cal-com")).toBe(2);
  expect(await terminal.run("tool-pack", "install", "cal-com", "--connection", id)).toBe(2);
  expect(terminal.err).toContain("eventTypeId");
  expect(await terminal.run("tool-pack", "install", "no-such-pack", "--connection", id)).toBe(4);
  const other = await world.createWorkspace();
  await using stranger = createTerminal(other.apiKey);
  const set = ["--set", "eventTypeId=1"];
  expect(await stranger.run("tool-pack", "install", "cal-com", "--connection", id, ...set)).toBe(4);
  expect(await stranger.run("connection", "delete", id)).toBe(4);
});
