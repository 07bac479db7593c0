import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";

const PATH = "/api/external/v1/do-not-call";
const nothing = () => ({ body: {} });
const entry = (number: string, note: string | null = null) => ({
  number,
  source: "OPERATOR",
  note,
  createdAt: "2031-01-01T00:00:00.000Z",
});

/** Returns a system whose API sends these replies, one after the other. */
async function systemWith(...replies: { status?: number; body: unknown }[]): Promise<FakeSystem> {
  const system = new FakeSystem();
  await system.start(() => replies.shift() ?? { body: {} }, nothing);
  system.env.PARLEY_API_KEY = "k";
  return system;
}

const bodyOf = (system: FakeSystem): unknown => JSON.parse(system.api[0]?.body ?? "");

test("list asks for every page, and shows what the filters let through", async () => {
  await using system = await systemWith(
    { body: { content: [entry("+12025550100", "asked\u0007 twice")], nextCursor: "c2" } },
    { body: { content: [entry("+12025550101")], nextCursor: null } },
  );
  expect(await system.run("dnc", "list", "--source", "OPERATOR", "--starts-with", "+1202")).toBe(0);
  const [first, second, ...more] = system.api.map(({ url }) => `${url.pathname}${url.search}`);
  expect(first).toBe(`${PATH}?source=OPERATOR&startsWith=%2B1202&size=1000`);
  expect(second).toContain("cursor=c2");
  expect(more).toEqual([]);
  expect(system.out).toMatch(/\+12025550100 +OPERATOR +2031-01-01T00:00:00.000Z +asked.* twice\n\+12025550101 /);
  expect(system.out).not.toContain("\u0007");
});

test("add sends the numbers with the note, and tells how many are new", async () => {
  await using system = await systemWith({ body: { added: 1, alreadyListed: 1 } });
  expect(await system.run("dnc", "add", "+12025550100", "+12025550101", "--note", "asked")).toBe(0);
  expect([system.api[0]?.method, system.api[0]?.url.pathname]).toEqual(["POST", PATH]);
  expect(bodyOf(system)).toEqual({ numbers: ["+12025550100", "+12025550101"], note: "asked" });
  expect(system.out).toMatch(/added +1\nalreadyListed +1\n/);
});

test("remove needs a reason, which goes along with the consent", async () => {
  await using system = await systemWith({ status: 204, body: "" });
  expect(await system.run("dnc", "remove", "+12025550100")).toBe(2);
  expect(system.api).toEqual([]);
  const why = ["--reason", "wrong number", "--consent", "by phone"];
  expect(await system.run("dnc", "remove", "+12025550100", ...why)).toBe(0);
  const [{ method, url } = { method: "", url: new URL("http://none") }] = system.api;
  expect(`${method} ${url.pathname}`).toBe(`DELETE ${PATH}/%2B12025550100`);
  expect(Object.fromEntries(url.searchParams)).toEqual({ reason: "wrong number", consent: "by phone" });
  expect(system.out).toBe("+12025550100 may be called again.\n");
});

test("import sends the file's text, and names the lines that were left out", async () => {
  const errors = [{ line: 3, code: "NUMBER", message: "is no number in E.164." }];
  await using system = await systemWith({ body: { added: 1, alreadyListed: 0, errorCount: 1, errors } });
  const file = join(system.folder, "ledger.csv");
  expect(await system.run("dnc", "import", file)).toBe(2);
  expect(system.api).toEqual([]);
  writeFileSync(file, "number\n+12025550100\nx\n");
  expect(await system.run("dnc", "import", file)).toBe(0);
  expect([system.api[0]?.url.pathname, bodyOf(system)]).toEqual([
    `${PATH}/import`,
    { csv: "number\n+12025550100\nx\n" },
  ]);
  expect(system.out).toMatch(/added +1\nalreadyListed +0\nerrorCount +1\n/);
  expect(system.err).toContain("Line 3 is no number in E.164.");
});

test("export prints the service's CSV and nothing else; with --json it prints the entries", async () => {
  const csv = 'number,source,note,createdAt\r\n+12025550100,OPERATOR,"a, b",2031-01-01T00:00:00.000Z\r\n';
  await using system = await systemWith({ body: csv });
  expect(await system.run("dnc", "export")).toBe(0);
  expect(system.api[0]?.url.pathname).toBe(`${PATH}/export`);
  expect(system.out).toContain("+12025550100,OPERATOR");
  await using other = await systemWith({ body: { content: [entry("+12025550100")], nextCursor: null } });
  expect(await other.run("dnc", "export", "--json")).toBe(0);
  expect(JSON.parse(other.out)).toEqual([entry("+12025550100")]);
});

test("what a write warns of is told on standard error, also with --quiet, and is no data", async () => {
  const warnings = [
    { path: "/nots", member: "nots", nearest: "note", message: "nots is not known. Did you mean note?" },
  ];
  for (const [option, out] of [
    ["--json", /^{"added":1,.*"warningsTotal":1}\n$/],
    ["--quiet", /^added +1\nalreadyListed +0\n$/],
  ] as const) {
    await using system = await systemWith({ body: { added: 1, alreadyListed: 0, warnings, warningsTotal: 1 } });
    expect(await system.run("dnc", "add", "+12025550100", option)).toBe(0);
    expect(system.err).toContain("warning /nots: nots is not known. Did you mean note?");
    expect(system.out).toMatch(out);
  }
});
