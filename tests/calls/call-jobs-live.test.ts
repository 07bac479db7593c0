import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = { [name: string]: unknown };
type Options = { key?: string; headers?: Record<string, string> };

const isOver = (job: Body) => job.completedAt !== null;
const later = () => new Date(Date.now() + 3_600_000).toISOString();

async function make(body: Body, options: Options = {}): Promise<{ path: string; job: Body }> {
  const created = await world.request("POST", "/call-jobs", { body, ...options });
  expect(created.status, created.text).toBe(200);
  return { path: `/call-jobs/${String(created.body.id)}`, job: created.body };
}

async function send(method: string, path: string, body?: unknown, options: Options = {}): Promise<Body> {
  const reply = await world.request(method, path, { ...(body === undefined ? {} : { body }), ...options });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function rowsOf(path: string): Promise<Body[]> {
  return (await send("GET", `${path}/rows?size=200`)).content as Body[];
}

const completions = (jobId: unknown) =>
  world.database.query<{ data: { run: number } }>(
    "select data from events where subject_id = $1 and type = 'call_job.completed' order by created_at",
    [jobId],
  );

describe("PATCH /call-jobs/{id}", () => {
  test("changes what is sent and leaves the rest; null clears; a finished job answers 409", async () => {
    const rows = [{ customerNumber: "+12025550100" }];
    const { path } = await make({ name: "Before", rows, startAt: later(), retryConfig: { maxAttempts: 5 } });
    expect(await send("PATCH", path, { name: "After" })).toMatchObject({
      name: "After",
      retryConfig: { maxAttempts: 5 },
      status: "SCHEDULED",
    });
    const changed = await send("PATCH", path, {
      retryConfig: { maxAttempts: 2, retryOn: ["BUSY"] },
      maxConcurrency: 7,
    });
    expect(changed).toMatchObject({
      name: "After",
      maxConcurrency: 7,
      retryConfig: { maxAttempts: 2, retryOn: ["BUSY"] },
    });
    expect(await rowsOf(path)).toMatchObject([{ maxAttempts: 2 }]);
    expect(await send("PATCH", path, { maxConcurrency: null })).toMatchObject({ maxConcurrency: null });
    expect((await world.request("PATCH", path, { body: { name: null } })).status).toBe(400);
    await send("POST", `${path}/cancel`);
    const refused = await world.request("PATCH", path, { body: { name: "Late" } });
    expect([refused.status, refused.body.error]).toEqual([409, "Conflict"]);
  });

  test("shares a new maxConcurrency out over the job's numbers, and refuses fewer calls than numbers", async () => {
    const numbers = ["+442079460170", "+442079460171", "+442079460172"];
    for (const phoneNumber of numbers) await send("POST", "/phone-numbers", { provider: "SANDBOX", phoneNumber });
    const rows = [{ customerNumber: "+12025550100" }];
    const { path, job } = await make({ rows, startAt: later(), fromPhoneNumbers: numbers, maxConcurrency: 3 });
    await send("PATCH", path, { maxConcurrency: 8 });
    const lanes = () =>
      world.database.query<{ max_calls: number | null }>(
        "select max_calls from lanes where job_id = $1 order by max_calls desc",
        [job.id],
      );
    expect((await lanes()).map((lane) => lane.max_calls)).toEqual([3, 3, 2]);
    const refused = await world.request("PATCH", path, { body: { maxConcurrency: 2 } });
    expect([refused.status, refused.body.details]).toMatchObject([422, [{ path: "maxConcurrency" }]]);
    await send("PATCH", path, { maxConcurrency: null });
    expect((await lanes()).map((lane) => lane.max_calls)).toEqual([null, null, null]);
    await send("POST", `${path}/cancel`);
  });

  test("lowered below the live calls, no call starts until they are fewer, and the job goes on", async () => {
    const { apiKey: key } = await world.createWorkspace({ speed: 120 });
    const rows = Array.from({ length: 24 }, (_, i) => ({ customerNumber: `+1415${4_000_000 + i}` }));
    const { path, job } = await make({ rows, maxConcurrency: 6, retryConfig: { maxAttempts: 1 } }, { key });
    const read = () => send("GET", path, undefined, { key });
    while (Number((await read()).inProgressRows) < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    await send("PATCH", path, { maxConcurrency: 1 }, { key });
    const live: number[] = [];
    for (let body = await read(); body.completedAt === null; body = await read())
      live.push(Number(body.inProgressRows));
    const low = live.findIndex((count) => count <= 1);
    expect(low).toBeGreaterThanOrEqual(0);
    expect(Math.max(...live.slice(low))).toBe(1);
    expect(await read()).toMatchObject({ status: "COMPLETED", processedRows: 24 });
    expect(await completions(job.id)).toHaveLength(1);
  });

  test("keeps the webhook's secrets for the same origin only, and tells the new one at the end", async () => {
    await using receiver = await Receiver.start();
    await using other = await Receiver.start();
    const webhook = { url: receiver.url, authMode: "BEARER", secret: "first-secret" };
    const rows = [{ customerNumber: "+12025550100" }];
    const { path } = await make({ rows, startAt: later(), completionWebhook: webhook });
    const moved = { ...webhook, secret: "********", url: `${receiver.url}/moved` };
    expect(await send("PATCH", path, { completionWebhook: moved })).toMatchObject({
      completionWebhook: { url: moved.url, authMode: "BEARER", signingSecret: null },
    });
    const elsewhere = { url: other.url, authMode: "BEARER", secret: "********" };
    const refused = await world.request("PATCH", path, { body: { completionWebhook: elsewhere } });
    expect([refused.status, refused.body.details]).toMatchObject([422, [{ path: "completionWebhook.secret" }]]);
    await send("POST", `${path}/cancel`);
    const [delivery] = await receiver.waitFor(1);
    expect(delivery?.headers.authorization).toBe("Bearer first-secret");
  });
});

describe("GET /call-jobs/{id}/summary", () => {
  test("counts rows by status, outcome and error, and tells what each number does", async () => {
    const rows = ["00", "00", "30", "32"].map((code) => ({ customerNumber: `+120255501${code}` }));
    const { path, job } = await make({ name: "Summed 100%_up", rows: [...rows, { customerNumber: "+12025550110" }] });
    await world.until(path, isOver);
    const summary = await send("GET", `${path}/summary`);
    expect(summary).toMatchObject({
      jobId: job.id,
      statuses: [
        { status: "COMPLETED", count: 2 },
        { status: "FAILED", count: 2 },
        { status: "SKIPPED", count: 1 },
      ],
      retries: [],
      numbers: [{ phoneNumber: "+12025550190", status: "ACTIVE", activeCalls: 0 }],
    });
    const outcomes = summary.outcomes as { outcome: string; count: number }[];
    expect(Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, count]))).toEqual({
      ANSWERED: 2,
      BLOCKED: 1,
      BUSY: 1,
      INVALID_NUMBER: 1,
    });
    expect(summary.errors).toContainEqual({ code: "DO_NOT_CALL", count: 1 });
    const none = await world.request("GET", "/call-jobs/0195a000-0000-7000-8000-000000000000/summary");
    expect(none.status).toBe(404);
  });

  test("lists of jobs are narrowed by state and by part of the name, taken literally", async () => {
    const names = async (query: string) =>
      ((await send("GET", `/call-jobs?${query}`)).content as Body[]).map((job) => job.name);
    await make({ name: "Later", rows: [{ customerNumber: "+12025550100" }], startAt: later() });
    expect(await names("name=100%25_UP")).toEqual(["Summed 100%_up"]);
    expect(await names("name=100_")).toEqual([]);
    expect(await names("status=SCHEDULED&name=Later")).toEqual(["Later"]);
    expect(await names("status=RUNNING&name=Later")).toEqual([]);
    for (const path of ["/call-jobs?name=%00", "/call-history?externalId=a%00", "/call-history?flowApiId=%00"]) {
      expect((await world.request("GET", path)).status, path).toBe(400);
    }
  });
});

describe("POST /call-jobs/{id}/rows", () => {
  test("after completion starts a new run, which completes once more with a new event", async () => {
    await using receiver = await Receiver.start();
    const rows = [{ customerNumber: "+12025550100", externalId: "a" }, { customerNumber: "+12025550130" }];
    const { path } = await make({ rows, completionWebhook: { url: receiver.url } });
    await world.until(path, isOver);
    // Deliveries run side by side: the second could overtake the first.
    await receiver.waitFor(1);
    const added = await send("POST", `${path}/rows`, {
      rows: [
        { customerNumber: "+12025550101", externalId: "b", contextData: { n: 1 } },
        { customerNumber: "+12025550101", externalId: "b" },
        { customerNumber: "+12025550102", externalId: "a" },
        { customerNumber: "nobody", externalId: "c" },
      ],
    });
    expect(added).toMatchObject({
      run: 2,
      status: "RUNNING",
      completedAt: null,
      totalRows: 3,
      acceptedRows: 1,
      duplicateRows: 2,
      rejectedRows: 1,
      rowErrors: [{ line: 4, column: "customerNumber", code: "E164" }],
    });
    const job = await world.until(path, isOver);
    expect(job).toMatchObject({
      run: 2,
      status: "COMPLETED",
      totalRows: 3,
      processedRows: 3,
      successfulRows: 2,
      errorRows: 1,
    });
    const events = (await receiver.waitFor(2)).map(({ body }) => JSON.parse(body) as { eventId: string; job: Body });
    expect(events.map((event) => event.job.totalRows)).toEqual([2, 3]);
    expect(new Set(events.map((event) => event.eventId)).size).toBe(2);
    expect(receiver.received).toHaveLength(2);
  });

  test("a list of known rows changes nothing; one of bad rows is a 422; a cancelled job a 409", async () => {
    const { path } = await make({ rows: [{ customerNumber: "+12025550100", externalId: "a" }] });
    await world.until(path, isOver);
    const again = await send("POST", `${path}/rows`, { rows: [{ customerNumber: "+12025550100", externalId: "a" }] });
    expect(again).toMatchObject({ run: 1, status: "COMPLETED", acceptedRows: 0, duplicateRows: 1 });
    const bad = await world.request("POST", `${path}/rows`, { body: { rows: [{ customerNumber: "x" }] } });
    expect([bad.status, bad.body.details]).toMatchObject([422, [{ path: "rows.0.customerNumber", code: "E164" }]]);
    expect(await send("GET", path)).toMatchObject({ run: 1, rejectedRows: 0 });
    const other = await make({ rows: [{ customerNumber: "+12025550100" }], startAt: later() });
    await send("POST", `${other.path}/cancel`);
    const rows = [{ customerNumber: "+12025550101" }];
    expect((await world.request("POST", `${other.path}/rows`, { body: { rows } })).status).toBe(409);
  });

  test("an Idempotency-Key adds the rows once", async () => {
    const { path } = await make({ rows: [{ customerNumber: "+12025550100" }], startAt: later() });
    const options = { body: { rows: [{ customerNumber: "+12025550101" }] }, headers: { "idempotency-key": "more" } };
    const first = await world.request("POST", `${path}/rows`, options);
    const again = await world.request("POST", `${path}/rows`, options);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
    expect(await send("GET", path)).toMatchObject({ totalRows: 2 });
    await send("POST", `${path}/cancel`);
  });

  test("racing with the last row, every run completes exactly once and no row is left over", async () => {
    const rows = [{ customerNumber: "+12025550100" }];
    const jobs = await Promise.all(Array.from({ length: 8 }, () => make({ rows })));
    await Promise.all(
      jobs.map(async ({ path }, i) => {
        for (let round = 0; round < 6; round++) {
          await send("POST", `${path}/rows`, { rows: [{ customerNumber: `+1415${5_000_000 + i * 10 + round}` }] });
          await new Promise((resolve) => setTimeout(resolve, (i * 7 + round * 5) % 40));
        }
      }),
    );
    for (const { path, job } of jobs) {
      const done = await world.until(path, isOver);
      expect(done).toMatchObject({ status: "COMPLETED", totalRows: 7, processedRows: 7, pendingRows: 0 });
      const runs = (await completions(job.id)).map((event) => event.data.run);
      expect(runs).toEqual(Array.from({ length: Number(done.run) }, (_, i) => i + 1));
    }
  });

  test("two lists with the same externalId at once add it once", async () => {
    const { path } = await make({ rows: [{ customerNumber: "+12025550100" }], startAt: later() });
    const body = { rows: [{ customerNumber: "+12025550101", externalId: "same" }] };
    const replies = await Promise.all(Array.from({ length: 4 }, () => send("POST", `${path}/rows`, body)));
    expect(replies.map((reply) => Number(reply.acceptedRows)).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1]);
    expect(await send("GET", path)).toMatchObject({ totalRows: 2 });
    await send("POST", `${path}/cancel`);
  });
});

describe("POST /call-jobs/{id}/retry-failed", () => {
  /** Numbers, and true when they may be rung again: no person answered, and nothing forbids it. */
  const CASES: [string, boolean][] = [
    ["+12025550100", false], // answered
    ["+12025550107", false], // opted out or answered: a person
    ["+12025550110", true], // busy
    ["+12025550111", true], // no answer
    ["+12025550112", false], // rejected by the person
    ["+12025550130", false], // no such number
    ["+12025550131", true], // unreachable
    ["+12025550132", false], // do not call
    ["+12025550133", false], // country not enabled
    ["+12025550140", true], // carrier failure
    ["+12025550143", false], // cut off in mid-talk
  ];

  test("dials again whom nobody reached, in a new run, and never anybody who was spoken to", async () => {
    await using receiver = await Receiver.start();
    const rows = CASES.map(([customerNumber]) => ({ customerNumber }));
    const retryConfig = { maxAttempts: 2, delaysSeconds: [1] };
    const { path, job } = await make({ rows, retryConfig, completionWebhook: { url: receiver.url } });
    await world.until(path, isOver);
    const before = await rowsOf(path);
    const reply = await send("POST", `${path}/retry-failed`);
    const expected = CASES.filter(([, isRetried]) => isRetried).length;
    expect(reply).toMatchObject({
      retriedRows: expected,
      run: 2,
      status: "RUNNING",
      processedRows: rows.length - expected,
    });
    expect(reply.processedRows).toBe(Number(reply.successfulRows) + Number(reply.errorRows));
    const done = await world.until(path, isOver);
    expect(done).toMatchObject({ run: 2, processedRows: rows.length, totalRows: rows.length });
    expect(done.processedRows).toBe(Number(done.successfulRows) + Number(done.errorRows));
    const after = await rowsOf(path);
    for (const [i, [number, isRetried]] of CASES.entries()) {
      const [was, is] = [before[i] as Body, after[i] as Body];
      const factor = isRetried ? 2 : 1;
      expect((is.attempts as unknown[]).length, number).toBe((was.attempts as unknown[]).length * factor);
      expect(is.outcome, number).toBe(was.outcome);
      expect(is.sessionId === was.sessionId, number).toBe(!isRetried);
    }
    expect(await completions(job.id)).toHaveLength(2);
    await receiver.waitFor(2);
  });

  test("takes only the outcomes asked for; nothing to retry starts no run", async () => {
    const rows = [{ customerNumber: "+12025550110" }, { customerNumber: "+12025550131" }];
    const { path } = await make({ rows, retryConfig: { maxAttempts: 1 } });
    await world.until(path, isOver);
    expect(await send("POST", `${path}/retry-failed?outcome=NO_ANSWER`)).toMatchObject({ retriedRows: 0, run: 1 });
    expect(await send("POST", `${path}/retry-failed?outcome=UNREACHABLE`)).toMatchObject({ retriedRows: 1, run: 2 });
    expect((await world.request("POST", `${path}/retry-failed?outcome=ANSWERED`)).status).toBe(400);
    await world.until(path, isOver);
  });

  test("takes the version of the flow that is published by then: each row is a new session", async () => {
    const flow = await world.request("POST", "/flows", { body: { name: "Mended", firstMessage: "Wrong." } });
    const flowId = String(flow.body.id);
    const rows = [{ customerNumber: "+12025550110" }];
    const { path } = await make({ rows, flowId, retryConfig: { maxAttempts: 1 } });
    await world.until(path, isOver);
    expect(await rowsOf(path)).toMatchObject([{ outcome: "BUSY", flowVersion: 1 }]);
    await send("PUT", `/flows/${flowId}`, { firstMessage: "Right." });
    await send("POST", `${path}/retry-failed`);
    await world.until(path, isOver);
    expect(await rowsOf(path)).toMatchObject([{ outcome: "BUSY", flowVersion: 2 }]);
  });

  test("while a job runs it keeps its run, and processed stays successful + error", async () => {
    const far = { delaysSeconds: [2_592_000], retryOn: ["BUSY"], jitterPercent: 0 };
    const { apiKey: key, workspaceId } = await world.createWorkspace({ speed: 50 });
    const rows = [{ customerNumber: "+12025550110" }, { customerNumber: "+12025550131" }];
    const { path } = await make({ rows, retryConfig: far }, { key });
    const read = () => send("GET", path, undefined, { key });
    while ((await read()).errorRows !== 1) await new Promise((resolve) => setTimeout(resolve, 20));
    const reply = await send("POST", `${path}/retry-failed`, undefined, { key });
    expect(reply).toMatchObject({ retriedRows: 1, run: 1, status: "RUNNING", processedRows: 0, errorRows: 0 });
    while ((await read()).errorRows !== 1) await new Promise((resolve) => setTimeout(resolve, 20));
    await world.operator("workspace.update", { id: workspaceId, sandboxSpeed: "instant" });
    await send("POST", `${path}/cancel`, undefined, { key });
    expect(await read()).toMatchObject({ processedRows: 2, successfulRows: 0, errorRows: 2 });
  });
});

describe("preflight", () => {
  const tables = "call_jobs call_rows lanes events tasks call_job_row_errors idempotency_keys".split(" ");
  const counts = () =>
    world.database.query(
      tables.map((table) => `select '${table}' as t, count(*)::int as n from ${table}`).join(" union all "),
    );

  test("tells who would be skipped and why, by the gate of the dial, and writes nothing", async () => {
    await world.database.query(
      "insert into do_not_call (workspace_id, number, source) values ($1, '+12025550155', 'OPERATOR') on conflict do nothing",
      [world.sample.workspaceId],
    );
    const refused = Array.from({ length: 25 }, (_, i) => ({ customerNumber: "+12025550155", externalId: `d${i}` }));
    const rows = [
      { customerNumber: "+12025550100" },
      ...refused,
      { customerNumber: "+19005551234" },
      { customerNumber: "+1911123" },
      { customerNumber: "+881612345678" },
      { customerNumber: "+12025550133" },
      { customerNumber: "what" },
    ];
    const before = await counts();
    const reply = await send("POST", "/call-jobs/preflight", { rows });
    expect(await counts()).toEqual(before);
    expect(reply).toMatchObject({
      totalRows: 30,
      callableRows: 1,
      skippedRows: 29,
      rejectedRows: 1,
      rowErrors: [{ line: 31 }],
    });
    const reasons = reply.reasons as { code: string; count: number; rows: Body[] }[];
    expect(Object.fromEntries(reasons.map(({ code, count }) => [code, count]))).toEqual({
      DO_NOT_CALL: 25,
      PREMIUM_NUMBER: 1,
      EMERGENCY_NUMBER: 1,
      SATELLITE_NUMBER: 1,
      COUNTRY_NOT_ENABLED: 1,
    });
    expect(reasons[0]).toMatchObject({
      code: "DO_NOT_CALL",
      rows: refused.slice(0, 20).map((row, i) => ({ ...row, line: i + 2 })),
    });
    expect(reasons[0]?.rows).toHaveLength(20);

    const { path } = await make({ rows, startAt: later() });
    expect(await send("POST", `${path}/preflight`)).toMatchObject({
      totalRows: 30,
      callableRows: 1,
      reasons: reasons.map(({ code, count }) => ({ code, count })),
    });
    await send("POST", `${path}/cancel`);
    expect(await send("POST", `${path}/preflight`)).toMatchObject({ totalRows: 0, reasons: [] });
  });

  test("refuses the settings that the creation would refuse, and jobs of other workspaces", async () => {
    const rows = [{ customerNumber: "+12025550100" }];
    const body = { rows, flowId: "00000000-0000-4000-8000-000000000000" };
    expect((await world.request("POST", "/call-jobs/preflight", { body })).status).toBe(404);
    const { apiKey: key } = await world.createWorkspace();
    const { path } = await make({ rows, startAt: later() }, { key });
    for (const [method, name] of [
      ["POST", "/preflight"],
      ["POST", "/retry-failed"],
      ["PATCH", ""],
    ] as const) {
      const reply = await world.request(method, path + name, { body: {} });
      expect([reply.status, reply.text], name).toEqual([404, '{"error":"Not found"}']);
    }
  });

  test("of a stored job needs only CALL_JOBS_READ; what changes a job needs CALL_JOBS_WRITE", async () => {
    const { path } = await make({ rows: [{ customerNumber: "+12025550100" }], startAt: later() });
    const reader = (await world.operator("key.create", {
      workspaceId: world.sample.workspaceId,
      permissions: ["CALL_JOBS_READ"],
    })) as { apiKey: string };
    const ask = async (method: string, to: string, body?: unknown) =>
      (await world.request(method, to, { key: reader.apiKey, ...(body ? { body } : {}) })).status;
    const rows = [{ customerNumber: "+12025550101" }];
    expect(await ask("POST", `${path}/preflight`)).toBe(200);
    expect(await ask("POST", "/call-jobs/preflight", { rows })).toBe(403);
    expect(await ask("POST", `${path}/rows`, { rows })).toBe(403);
    expect(await ask("POST", `${path}/retry-failed`)).toBe(403);
    expect(await ask("PATCH", path, { name: "x" })).toBe(403);
  });
});
