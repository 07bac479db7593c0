import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

/* What comes back byte for byte is kept as text, so every JSON text may stand there (RFC 8259). */

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const number = "+12025550101";
const TEXTS = [
  String.raw`{"a":"\u0000","\u0000":1}`,
  '{"__proto__":{"polluted":true},"a":1}',
  String.raw`{"half":"\ud800"}`,
  '{"large":1e400,"small":-1e400,"digits":12345678901234567890,"one":1.10,"zero":-0}',
  '{"k":1,"k":2}',
  `{"deep":${"[".repeat(400)}${"]".repeat(400)}}`,
  String.raw`{ "spelt" : "\u0061\/", "white" : [ ] }`,
];

const post = (path: string, raw: string, headers = {}) => world.request("POST", path, { raw, headers });

describe.each(TEXTS)("%.60s", (text) => {
  test("is contextData of a call, from its placing to its history", async () => {
    const placed = await post("/outbound/calls", `{"customerNumber":"${number}","contextData":${text}}`);
    expect([placed.status, placed.text]).toEqual([200, expect.stringContaining(`"contextData":${text}`)]);
    const path = `/call-rows/${String(placed.body.rowId)}`;
    const row = await world.until(path, ({ endedAt }) => endedAt !== null);
    expect(row.status).toBe("COMPLETED");
    for (const read of [path, "/call-history?size=1"]) {
      expect((await world.request("GET", read)).text).toContain(`"contextData":${text}`);
    }
  });

  test("is contextData of a row, from JSON and from CSV", async () => {
    const rows = `[{"customerNumber":"${number}","contextData":${text}}]`;
    const job = await post("/call-jobs", `{"startAt":"2036-06-01T00:00:00Z","rows":${rows}}`);
    expect(job.status).toBe(200);
    const csv = `customerNumber,contextData\n${number},"${text.replaceAll('"', '""')}"\n`;
    const fromCsv = await post("/call-jobs?startAt=2036-06-01T00:00:00Z", csv, { "content-type": "text/csv" });
    expect([fromCsv.status, fromCsv.body.rejectedRows]).toEqual([200, 0]);
    for (const { body } of [job, fromCsv]) {
      const { text: shown } = await world.request("GET", `/call-jobs/${String(body.id)}/rows`);
      expect(shown).toContain(`"contextData":${text}`);
    }
  });

  test("is a field of a record, and what the echo gives back", async () => {
    const { id, storeKey, recordId } = world.sample.application;
    const path = `/applications/${id}/stores/${storeKey}/${recordId}`;
    const written = await world.request("PUT", path, { raw: `{"field":${text}}` });
    expect([written.status, written.text]).toEqual([200, expect.stringContaining(`"field":${text}`)]);
    expect((await world.request("GET", path)).text).toContain(`"field":${text}`);
    const echo = await post("/test/sync-echo", text);
    expect(echo.text).toContain(`"body":${text}`);
    expect(echo.body.bodyEncoding).toBe("JSON");
  });
});

test("an agent reads from it what can be stored", async () => {
  const flow = '{"name":"x","firstMessage":"Hello {{ memory.name }}, {{ memory.large }}."}';
  const context = String.raw`{"name":"Ann\u0000a\ud800","large":1e400}`;
  const placed = await post(
    "/outbound/calls",
    `{"customerNumber":"${number}","flow":${flow},"contextData":${context}}`,
  );
  const row = await world.until(`/call-rows/${String(placed.body.rowId)}`, ({ endedAt }) => endedAt !== null);
  expect((row.transcript as { content: string }[])[0]?.content).toContain("Hello Anna");
});

test("everywhere else the same is refused with its path", async () => {
  for (const [body, path] of [
    [String.raw`{"customerNumber":"${number}","rowData":{"contextData":"\u0000"}}`, "rowData.contextData"],
    [`{"customerNumber":"${number}","rowData":{"a":1e400}}`, "rowData.a"],
    [`{"customerNumber":"${number}","rowData":${"[".repeat(70)}${"]".repeat(70)}}`, ""],
  ] as const) {
    const reply = await post("/outbound/calls", body);
    expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([400, path]);
  }
  const tooDeep = `{"customerNumber":"${number}","contextData":{"a":${"[".repeat(600)}${"]".repeat(600)}}}`;
  expect((await post("/outbound/calls", tooDeep)).status).toBe(400);
});

describe("an Idempotency-Key", () => {
  test("knows the same JSON in another spelling, and other digits for what they are", async () => {
    const headers = { "idempotency-key": "spelling" };
    const first = await post(
      "/outbound/calls",
      `{"customerNumber":"${number}","rowData":{"a":1.0,"b":[1,2]}}`,
      headers,
    );
    const same = await post(
      "/outbound/calls",
      ` { "rowData": {"b":[1,2],"\\u0061":1.0}, "customerNumber":"${number}" }`,
      headers,
    );
    expect([first.status, same.text]).toEqual([200, first.text]);
    expect(same.headers.get("idempotent-replayed")).toBe("true");
    const other = await post(
      "/outbound/calls",
      `{"customerNumber":"${number}","rowData":{"a":1.00,"b":[1,2]}}`,
      headers,
    );
    expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("belongs to the workspace: another credential of it repeats nothing", async () => {
    const made = await world.operator("key.create", { workspaceId: world.sample.workspaceId });
    const headers = { "idempotency-key": "both" };
    const body = { customerNumber: number };
    const first = await world.request("POST", "/outbound/calls", { body, headers });
    const second = await world.request("POST", "/outbound/calls", { body, headers, key: String(made.apiKey) });
    expect([second.status, second.body.rowId]).toEqual([200, first.body.rowId]);
    const stranger = await world.createWorkspace();
    const third = await world.request("POST", "/outbound/calls", { body, headers, key: stranger.apiKey });
    expect(third.body.rowId).not.toBe(first.body.rowId);
  });

  test("whose first request still runs says when to come again", async () => {
    const headers = { "idempotency-key": "raced" };
    const body = { customerNumber: number };
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => world.request("POST", "/outbound/calls", { body, headers })),
    );
    expect(new Set(replies.filter(({ status }) => status === 200).map((reply) => reply.body.rowId)).size).toBe(1);
    const others = replies.filter(({ status }) => status !== 200);
    const inUse = others.map(({ status, headers: reported }) => [status, reported.get("retry-after")]);
    expect(inUse).toEqual(others.map(() => [409, "1"]));
  });
});

describe("equal externalIds in one job", () => {
  const rows = ["a", "b", "a", "a"].map((externalId) => ({ customerNumber: number, externalId }));
  const duplicate = (line: number) => ({
    line,
    column: "externalId",
    code: "DUPLICATE",
    message: expect.any(String) as string,
  });
  const startAt = "2036-06-01T00:00:00Z";

  test("in JSON and in CSV: the first counts, the others are told by their line", async () => {
    const job = await world.request("POST", "/call-jobs", { body: { startAt, rows } });
    expect(job.body).toMatchObject({ acceptedRows: 2, rejectedRows: 2, rowErrors: [duplicate(3), duplicate(4)] });
    const csv = `customerNumber,externalId\n${rows.map((row) => `${row.customerNumber},${row.externalId}`).join("\n")}\n`;
    const fromCsv = await post(`/call-jobs?startAt=${startAt}`, csv, { "content-type": "text/csv" });
    expect(fromCsv.body).toMatchObject({ acceptedRows: 2, rejectedRows: 2, rowErrors: [duplicate(4), duplicate(5)] });
  });

  test("in a list that is added to a job, too", async () => {
    const job = await world.request("POST", "/call-jobs", { body: { startAt, rows: rows.slice(0, 1) } });
    const added = await world.request("POST", `/call-jobs/${String(job.body.id)}/rows`, { body: { rows } });
    expect(added.body).toMatchObject({ acceptedRows: 1, duplicateRows: 3, totalRows: 2 });
  });
});
