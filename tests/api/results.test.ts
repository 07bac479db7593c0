import { afterAll, beforeAll, expect, test } from "vitest";
import { foldResults } from "#src/interactions/results/fold.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { World } from "../kit/world.ts";

const NIL = "00000000-0000-0000-0000-000000000000";

type Json = Record<string, unknown>;
interface Call {
  id: string;
  outcome: string | null;
  status: string;
  error: { code: string } | null;
  endReason: string | null;
  extractedFields: Json | null;
  attemptsMade?: number;
}
interface Results {
  waiting: number;
  isFilling: boolean;
  funnel: Json & { calls: number };
  hours: { weekday: number; hour: number; dials: number; answeredByPerson: number; answeredByMachine: number }[];
  fields: { field: string; type: string; filled: number; values: { value: string; count: number }[] }[];
  versions: (Json & { version: number; calls: number })[];
  verdicts: Json[];
  numbers: (Json & { phoneNumber: string; dials: number })[];
  outcomes: { outcome: string; count: number }[];
  reasons: { code: string; count: number }[];
}

const PERSONS = new Set(["ANSWERED", "TRANSFERRED", "OPTED_OUT", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR"]);
const MACHINES = new Set(["VOICEMAIL", "CALL_SCREENED", "IVR", "FAX"]);
/** Numbers of the sandbox: people who agree, decline, are silent or hang up, machines, and nobody. */
const CALLED = "00 01 02 04 07 09 20 21 23 10 13 30 32 50 51".split(" ").map((end) => `+120255501${end}`);
const TWINS = ["+442079460100", "+61255500100"];

let world: World;
let jobId: string;
let flowApiId: string;
beforeAll(async () => {
  world = await World.start();
  const schema = { type: "object", properties: { attending: { type: "boolean" }, guests: { type: "integer" } } };
  const flow = { name: "Counted", firstMessage: "Good day.", structuredOutputs: [{ name: "visit", schema }] };
  const made = await ask("POST", "/flows", flow);
  flowApiId = String(made.apiId);
  jobId = String(
    (
      await ask("POST", "/call-jobs", {
        name: "Counted",
        flowId: made.id,
        rows: [...CALLED, ...TWINS].map((customerNumber) => ({ customerNumber })),
        retryConfig: { maxAttempts: 2, delaysSeconds: [1], jitterPercent: 0 },
      })
    ).id,
  );
  await world.until(`/call-jobs/${jobId}`, ({ completedAt }) => completedAt !== null, 60_000);
});
afterAll(() => world[Symbol.asyncDispose]());

async function ask(method: string, path: string, body?: unknown, status = 200): Promise<Json> {
  const reply = await world.request(method, path, body === undefined ? {} : { body });
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
  return reply.body;
}

/** Reads results once every call that ended is in them. */
async function results(query: string): Promise<Results> {
  const done = (body: Json) => body.waiting === 0 && body.isFilling === false;
  return (await world.until(`/results?${query}`, done)) as unknown as Results;
}

async function listCalls(): Promise<Call[]> {
  const page = await ask("GET", `/call-jobs/${jobId}/rows?size=100`);
  return page.content as Call[];
}

/** Code of a call's error, or the limit that cut it off. */
const reasonOf = ({ error, endReason }: Call) => error?.code ?? /^LIMIT_.+/.exec(endReason ?? "")?.[0];

const sum = (counts: number[]) => counts.reduce((all, one) => all + one, 0);

test("the funnel, outcomes and fields of a job are those of its calls, counted one by one", async () => {
  const found = await results(`jobId=${jobId}`);
  const calls = await listCalls();
  const by = (fits: (call: Call) => boolean) => calls.filter(fits).length;
  expect(calls).toHaveLength(CALLED.length + TWINS.length);
  const persons = by(({ outcome }) => PERSONS.has(outcome ?? ""));
  const machines = by(({ outcome }) => MACHINES.has(outcome ?? ""));
  expect(persons).toBeGreaterThan(0);
  expect(machines).toBeGreaterThan(0);
  expect(found.funnel).toMatchObject({
    calls: calls.length,
    answeredByPerson: persons,
    answeredByMachine: machines,
  });
  for (const { outcome, count } of found.outcomes) expect(count).toBe(by((call) => call.outcome === outcome));
  expect(sum(found.outcomes.map(({ count }) => count))).toBe(calls.length);
  for (const { code, count } of found.reasons) expect(count).toBe(by((call) => reasonOf(call) === code));
  expect(found.reasons.map(({ code }) => code)).toContain("LIMIT_SILENCE");
  for (const { field, filled, values } of found.fields) {
    const own = calls.filter(
      (call) => PERSONS.has(call.outcome ?? "") && (call.extractedFields?.[field] ?? null) !== null,
    );
    expect(filled).toBe(own.length);
    for (const { value, count } of values) {
      expect(count).toBe(own.filter((call) => String(call.extractedFields?.[field]) === value).length);
    }
  }
  expect(found.fields.map(({ field }) => field)).toContain("attending");
});

test("hours count dials, retries as well, by the clock of the zone asked for", async () => {
  const [utc, tokyo, kathmandu] = [
    await results(`jobId=${jobId}`),
    await results(`jobId=${jobId}&timeZone=Asia/Tokyo`),
    await results(`jobId=${jobId}&timeZone=Asia/Kathmandu`),
  ];
  const attempts = await Promise.all(
    (await listCalls()).map(async ({ id }) => (await ask("GET", `/call-rows/${id}`)).attempts as Json[]),
  );
  const dials = attempts.flat().filter(({ state }) => state === "ENDED");
  expect(dials.length).toBeGreaterThan(CALLED.length);
  for (const { hours } of [utc, tokyo, kathmandu]) expect(sum(hours.map((hour) => hour.dials))).toBe(dials.length);
  const later = (ahead: number) => (utc.hours[0]?.hour ?? 0) * 60 + ahead;
  expect(tokyo.hours[0]?.hour).toBe(Math.floor((later(540) % 1_440) / 60));
  expect([5, 6]).toContain(((kathmandu.hours[0]?.hour ?? 0) - (utc.hours[0]?.hour ?? 0) + 24) % 24);
  expect(sum(utc.numbers.map((number) => number.dials))).toBe(dials.length);
  expect(sum(utc.hours.map((hour) => hour.answeredByPerson))).toBe(
    dials.filter(({ outcome }) => PERSONS.has(String(outcome))).length,
  );
});

test("any value of a field may be the goal; a version and a channel narrow the results", async () => {
  const calls = await listCalls();
  const coming = calls.filter(({ extractedFields }) => extractedFields?.attending === true).length;
  const goal = "goalField=attending&goalValue=true";
  const found = await results(`jobId=${jobId}&${goal}`);
  expect(coming).toBeGreaterThan(0);
  expect(found.funnel).toMatchObject({ succeeded: coming });
  expect(sum(found.versions.map(({ succeeded }) => Number(succeeded)))).toBe(coming);
  expect(await results(`jobId=${jobId}&${goal}&flowApiId=${flowApiId}&flowVersion=1`)).toMatchObject({
    // The number on the do-not-call list was never dialled, so it took no version.
    funnel: { succeeded: coming, calls: calls.length - 1 },
    versions: [{ flowApiId, version: 1 }],
  });
  expect((await results(`jobId=${jobId}&channel=WEB`)).funnel.calls).toBe(0);
  expect((await results(`jobId=${jobId}&to=2020-01-01`)).funnel.calls).toBe(0);
  expect((await results("")).funnel.calls).toBe(calls.length);
});

test("filters that cannot be are refused with their names", async () => {
  const faults: [string, string][] = [
    ["timeZone=Mars/Base", "timeZone"],
    ["from=2026-02-30", "from"],
    ["from=2026-03-02&to=2026-03-01", "from"],
    ["from=2026-01-01&to=2026-06-01", "from"],
    ["flowVersion=1", "flowApiId"],
    ["goalField=a", "goalValue"],
    ["goalValue=a", "goalField"],
    ["from=2026-01-01&lastDays=3", "lastDays"],
  ];
  for (const [query, path] of faults) {
    const body = await ask("GET", `/results?${query}`, undefined, 422);
    expect(body.details, query).toMatchObject([{ path }]);
  }
  await ask("GET", "/results?channel=FAX", undefined, 400);
});

test("results belong to their workspace, and need the permission to read calls", async () => {
  const { workspaceId } = world.sample;
  const { apiKey } = await world.operator("key.create", { workspaceId, permissions: ["FLOWS_READ"] });
  for (const path of ["/results", "/results/csv?table=hours", "/results/calls", "/results/boards"]) {
    expect((await world.request("GET", path, { key: String(apiKey) })).status).toBe(403);
  }
  const other = await world.createWorkspace();
  const { body } = await world.request("GET", `/results?jobId=${jobId}`, { key: other.apiKey });
  expect(body).toMatchObject({ waiting: 0, funnel: { calls: 0 }, fields: [], versions: [], numbers: [] });
});

test("each table is written as CSV", async () => {
  const found = await results(`jobId=${jobId}`);
  for (const table of ["funnel", "hours", "fields", "versions", "numbers", "outcomes", "reasons", "tools"]) {
    const { status, text, headers } = await world.request("GET", `/results/csv?jobId=${jobId}&table=${table}`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(text.split("\r\n").length).toBeGreaterThanOrEqual(table === "tools" ? 1 : 2);
  }
  const { text } = await world.request("GET", `/results/csv?jobId=${jobId}&table=outcomes`);
  const lines = found.outcomes.map(({ outcome, count }) => `${outcome},${count}`);
  expect(text).toBe(["outcome,count", ...lines, ""].join("\r\n"));
});

/** Reads all pages of the calls behind a figure, by page and by cursor, which both have each call once. */
async function drill(query: string): Promise<string[]> {
  const read = async (more: string) =>
    (await ask("GET", `/results/calls?${query}&size=4&${more}`)) as unknown as {
      content: Call[];
      totalElements: number;
      last: boolean;
      nextCursor: string | null;
    };
  const byPage: string[] = [];
  let total = -1;
  for (let page = 0, isLast = false; !isLast; page++) {
    const { content, totalElements, last } = await read(`page=${page}`);
    byPage.push(...content.map(({ id }) => id));
    [total, isLast] = [totalElements, last];
  }
  expect(total, query).toBe(byPage.length);
  const byCursor: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await read(cursor === "" ? "" : `cursor=${cursor}`);
    byCursor.push(...page.content.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(byCursor, query).toEqual(byPage);
  expect(new Set(byPage).size, query).toBe(byPage.length);
  return byPage.toSorted();
}

test("each figure leads to exactly its calls", async () => {
  const found = await results(`jobId=${jobId}&timeZone=Asia/Tokyo`);
  const calls = await listCalls();
  const idsOf = (fits: (call: Call) => boolean) =>
    calls
      .filter(fits)
      .map(({ id }) => id)
      .toSorted();
  const of = (query: string) => drill(`jobId=${jobId}&timeZone=Asia/Tokyo&${query}`);
  expect(await of("")).toEqual(idsOf(() => true));
  expect(await of("step=ANSWERED_BY_PERSON")).toEqual(idsOf(({ outcome }) => PERSONS.has(outcome ?? "")));
  expect(await of("step=ANSWERED_BY_MACHINE")).toEqual(idsOf(({ outcome }) => MACHINES.has(outcome ?? "")));
  for (const [step, figure] of Object.entries({ DIALLED: "dialled", TALKED: "talked", SUCCEEDED: "succeeded" })) {
    expect(await of(`step=${step}`), step).toHaveLength(Number(found.funnel[figure]));
  }
  for (const { outcome } of found.outcomes) {
    expect(await of(`outcome=${outcome}`)).toEqual(idsOf((call) => call.outcome === outcome));
  }
  for (const { code } of found.reasons) {
    expect(await of(`reason=${code}`)).toEqual(idsOf((call) => reasonOf(call) === code));
  }
  for (const { field, type, values } of found.fields) {
    for (const { value } of values) {
      const ids = await of(`field=${field}&fieldType=${type}&value=${encodeURIComponent(value)}`);
      const isOf = ({ outcome, extractedFields }: Call) =>
        PERSONS.has(outcome ?? "") && `${(extractedFields?.[field] ?? "") as string}` === value;
      expect(ids).toEqual(idsOf(isOf));
    }
  }
  const guests = idsOf(({ extractedFields: all }) => Number(all?.guests ?? 0) >= 1 && Number(all?.guests) < 50);
  expect(await of("field=guests&fieldType=NUMBER&valueFrom=1&valueBelow=50")).toEqual(guests);
  const cells = await Promise.all(found.hours.map(({ weekday, hour }) => of(`weekday=${weekday}&hour=${hour}`)));
  expect([...new Set(cells.flat())].toSorted()).toEqual(await of("step=DIALLED"));
  expect(await of(`flowApiId=${flowApiId}&flowVersion=1`)).toHaveLength(Number(found.versions[0]?.calls));
  expect(await of("step=SUCCEEDED&goalField=attending&goalValue=true")).toEqual(
    idsOf(({ extractedFields }) => extractedFields?.attending === true),
  );
  expect(await of("channel=WEB")).toEqual([]);
  for (const [query, path] of [
    ["field=a", "value"],
    ["field=a&value=b&step=TALKED", "field"],
    ["hour=3", "weekday"],
    ["field=a&fieldType=NUMBER&valueFrom=x", "valueFrom"],
    ["field=a&valueFrom=1", "fieldType"],
  ]) {
    expect((await ask("GET", `/results/calls?${query}`, undefined, 422)).details, query).toMatchObject([{ path }]);
  }
});

test("a flow's success condition counts all of its calls anew, those of the past as well", async () => {
  const [flow] = ((await ask("GET", "/flows?size=100")).content as Json[]).filter(({ apiId }) => apiId === flowApiId);
  const path = `/flows/${String(flow?.id)}/success`;
  const usual = await results(`jobId=${jobId}`);
  expect(await ask("GET", path)).toEqual({ conditions: null });
  const conditions = [
    { field: "attending", operator: "EQUALS", value: true },
    { field: "guests", operator: "IS_SET" },
  ];
  expect(await ask("PUT", path, { conditions })).toEqual({ conditions });
  const calls = await listCalls();
  const isSuccess = ({ extractedFields: all }: Call) => all?.attending === true && (all?.guests ?? null) !== null;
  const wanted = calls.filter(isSuccess).map(({ id }) => id);
  const found = await results(`jobId=${jobId}`);
  expect(found).toMatchObject({
    funnel: { succeeded: wanted.length },
    successConditions: [{ flowApiId, words: "attending is true and guests is given" }],
  });
  expect(found.versions[0]).toMatchObject({ succeeded: wanted.length });
  expect(await drill(`jobId=${jobId}&step=SUCCEEDED`)).toEqual(wanted.toSorted());
  const stale = { conditions: [], before: { conditions: null } };
  expect((await ask("PUT", path, stale, 409)).details).toMatchObject([{ code: "STALE" }]);
  for (const [value, operator] of [
    [undefined, "EQUALS"],
    [[], "ONE_OF"],
    [true, "ABOVE"],
  ] as const) {
    const body = { conditions: [{ field: "a", operator, value }] };
    expect((await ask("PUT", path, body, 422)).details).toMatchObject([{ path: "conditions.0.value" }]);
  }
  expect(await ask("PUT", path, { conditions: [] })).toEqual({ conditions: null });
  expect((await results(`jobId=${jobId}`)).funnel).toEqual(usual.funnel);
});

test("boards keep filters and cards by name", async () => {
  const board = { name: " Weekly ", filters: { lastDays: 7, channel: "OUTBOUND" }, cards: ["FUNNEL", "HOURS"] };
  const made = await ask("POST", "/results/boards", board);
  expect(made).toMatchObject({ ...board, name: "Weekly" });
  expect(await ask("GET", "/results/boards")).toEqual([made]);
  await ask("POST", "/results/boards", board, 409);
  expect(
    (await ask("POST", "/results/boards", { ...board, name: "x", filters: { flowVersion: 2 } }, 422)).details,
  ).toMatchObject([{ path: "filters.flowApiId" }]);
  await ask("POST", "/results/boards", { ...board, name: "x", cards: ["FUNNEL", "FUNNEL"] }, 422);
  const path = `/results/boards/${String(made.id)}`;
  const changed = await ask("PUT", path, { name: "Monthly", filters: { lastDays: 30 } });
  expect(changed).toMatchObject({ name: "Monthly", filters: { lastDays: 30 }, cards: board.cards });
  const other = await world.createWorkspace();
  expect((await world.request("DELETE", path, { key: other.apiKey })).status).toBe(404);
  await ask("DELETE", path, undefined, 204);
  expect(await ask("GET", "/results/boards")).toEqual([]);
  expect((await results("lastDays=1")).funnel.calls).toBeGreaterThan(0);
});

const MEASURES: Record<string, (call: Json) => number | null> = {
  durationSeconds: ({ durationSeconds }) => durationSeconds as number | null,
  latency: ({ latency }) => (latency as { p50Ms: number | null }).p50Ms,
  cost: ({ cost }) => Number((cost as { amount: string }).amount),
};

/** Reads a list page by page, each after the last row of the page before. */
async function listByCursor(path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor = ""; ;) {
    const page = await ask("GET", `${path}&size=4${cursor}`);
    rows.push(...(page.content as Json[]));
    if (page.nextCursor === null) return rows;
    cursor = `&cursor=${page.nextCursor as string}`;
  }
}

/** Gives calls the times of a model, which the scripted one has not, and waits until they are counted anew. */
async function giveModelTimes(): Promise<void> {
  await world.database.query(
    `with given as (
       update call_results set model_ms = json_build_array(100 + length(transcript::text) % 400)
        where workspace_id = $1 and model_ms::text = '[]' returning workspace_id, row_id)
     insert into result_changes (workspace_id, row_id) select workspace_id, row_id from given`,
    [world.sample.workspaceId],
  );
  await results(`jobId=${jobId}`);
}

test.each(Object.keys(MEASURES))("calls are sorted by %s over all pages, without those that have none", async (by) => {
  await giveModelTimes();
  const valueOf = MEASURES[by] as (call: Json) => number | null;
  const values = ((await listCalls()) as unknown as Json[]).map(valueOf).filter((value) => value !== null);
  for (const sign of ["", "-"]) {
    const expected = values.toSorted((a, b) => (sign === "" ? a - b : b - a));
    for (const path of [`/call-jobs/${jobId}/rows?sort=${sign}${by}`, `/call-history?sort=${sign}${by}`]) {
      const found = await listByCursor(path);
      expect(found.map(valueOf)).toEqual(expected);
      expect(new Set(found.map(({ id }) => id)).size).toBe(expected.length);
      const second = await ask("GET", `${path}&size=4&page=1`);
      expect((second.content as Json[]).map(valueOf)).toEqual(expected.slice(4, 8));
      expect([second.totalElements, second.totalIsExact]).toEqual([expected.length, true]);
    }
  }
  const longest = await ask("GET", `/call-history?sort=-${by}&outcome=ANSWERED`);
  expect(longest.content).not.toEqual([]);
  expect((longest.content as Json[]).every(({ outcome }) => outcome === "ANSWERED")).toBe(true);
});

test("jobs and contacts are sorted by name, all lists by age, and an order that is not offered is refused", async () => {
  const rows = [{ customerNumber: "+12025550177" }];
  for (const name of ["beta", "Alpha", "gamma"])
    await ask("POST", "/call-jobs", { name, rows, startAt: new Date(Date.now() + 86_400_000).toISOString() });
  await world.database.query(
    `insert into contacts (workspace_id, id, identifier, name)
     select $1, gen_random_uuid(), 'sorted-' || n, n from unnest($2::text[]) n`,
    [world.sample.workspaceId, ["Zoë", "ann", "Bob", "Cem", "Dora"]],
  );
  const names = async (path: string) => [...new Set((await listByCursor(path)).map(({ name }) => name))];
  expect(await names("/call-jobs?sort=name")).toEqual(["Alpha", "beta", "Counted", "gamma"]);
  expect(await names("/call-jobs?sort=-createdAt")).toEqual((await names("/call-jobs?sort=createdAt")).toReversed());
  expect(await names("/contacts?sort=name")).toEqual(["ann", "Bob", "Cem", "Dora", "Zoë"]);
  expect(await names("/contacts?sort=-name")).toEqual(["Zoë", "Dora", "Cem", "Bob", "ann"]);
  const calls = await listByCursor("/call-history?sort=createdAt");
  expect(calls.map(({ id }) => id)).toEqual(calls.map(({ id }) => String(id)).toSorted());
  for (const path of ["/call-history", `/call-jobs/${jobId}/rows`, "/call-jobs", "/contacts", "/chat-sessions"])
    for (const sort of ["status", "--createdAt", "createdAt,desc"])
      await ask("GET", `${path}?sort=${sort}`, undefined, 400);
  await ask("GET", "/chat-sessions?sort=createdAt");
  const gone = await ask("GET", `/call-history?sort=cost&cursor=${NIL}`, undefined, 400);
  expect(gone.details).toMatchObject([{ path: "cursor", code: "GONE" }]);
});

const figures = async () => {
  const { funnel, hours, fields, versions, numbers, outcomes, reasons } = await results(`jobId=${jobId}`);
  return { funnel, hours, fields, versions, numbers, outcomes, reasons };
};

test("counting calls again changes nothing, by several processes at once and from the start", async () => {
  const before = await figures();
  const pool = world.database.pool({ max: 4 });
  await pool.query("insert into result_changes (workspace_id, row_id) select workspace_id, id from call_rows");
  await Promise.all([
    foldResults(pool, createLog("silent")),
    foldResults(pool, createLog("silent")),
    foldResults(pool, createLog("silent")),
  ]);
  expect(await figures()).toEqual(before);
  await pool.query("truncate result_changes, call_facts, result_calls, result_sums, result_totals, result_values");
  await pool.query("update result_backfill set is_done = false, workspace_id = $1, row_id = $1", [NIL]);
  await foldResults(pool, createLog("silent"));
  expect(await figures()).toEqual(before);
  const left = await pool.query("select 1 from result_changes");
  expect(left.rowCount).toBe(0);
});

test("an erased person stays in the counts and leaves the fields", async () => {
  const before = await figures();
  const [contact] = (await ask("GET", "/contacts?phone=%2B12025550100")).content as Json[];
  await ask("DELETE", `/contacts/${String(contact?.id)}`, undefined, 204);
  const filled = (found: typeof before) => found.fields.find(({ field }) => field === "attending")?.filled ?? 0;
  let after = await figures();
  // A task forgets the call, after the reply.
  for (let i = 0; i < 200 && filled(after) === filled(before); i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    after = await figures();
  }
  expect(filled(after)).toBe(filled(before) - 1);
  expect(after.funnel).toEqual(before.funnel);
  expect(after.numbers).toEqual(before.numbers);
});
