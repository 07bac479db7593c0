import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

type Row = {
  id: string;
  line: number;
  status: string;
  outcome: string;
  attempt: number;
  rowData: unknown;
  customerNumber: string;
};

const isOver = (job: { [name: string]: unknown }) => job.completedAt !== null;

async function allRows(jobId: unknown): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ;) {
    const { body } = await world.request(
      "GET",
      `/call-jobs/${String(jobId)}/rows?size=200${cursor && `&cursor=${cursor}`}`,
    );
    rows.push(...(body.content as Row[]));
    if (body.nextCursor === null) return rows;
    cursor = body.nextCursor as string;
  }
}

const post = (raw: string, query = "") =>
  world.request("POST", `/call-jobs${query}`, { raw, headers: { "content-type": "text/csv" } });

/** The documented numbers of the CSV, with their results under the default retries. */
const EXPECTED: [string, Partial<Row>][] = [
  ["+12025550100", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
  ["+12025550101", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
  ["+12025550104", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
  ["+12025550107", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
  ["+12025550110", { status: "FAILED", outcome: "BUSY", attempt: 3 }],
  ["+12025550111", { status: "FAILED", outcome: "NO_ANSWER", attempt: 3 }],
  ["+12025550112", { status: "FAILED", outcome: "REJECTED", attempt: 1 }],
  ["+12025550113", { status: "COMPLETED", outcome: "ANSWERED", attempt: 2 }],
  ["+12025550114", { status: "COMPLETED", outcome: "ANSWERED", attempt: 3 }],
  ["+12025550120", { status: "COMPLETED", outcome: "VOICEMAIL", attempt: 1 }],
  ["+12025550130", { status: "FAILED", outcome: "INVALID_NUMBER", attempt: 1 }],
  ["+12025550131", { status: "FAILED", outcome: "UNREACHABLE", attempt: 1 }],
  ["+12025550132", { status: "SKIPPED", outcome: "BLOCKED", attempt: 0 }],
  ["+12025550133", { status: "SKIPPED", outcome: "BLOCKED", attempt: 0 }],
  ["+12025550140", { status: "FAILED", outcome: "CARRIER_FAILURE", attempt: 1 }],
  ["+12025550141", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
  ["+12025550143", { status: "FAILED", outcome: "INTERRUPTED", attempt: 1 }],
  ["+442079460100", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
  ["+61255500150", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
  ["+12025550151", { status: "COMPLETED", outcome: "ANSWERED", attempt: 1 }],
];

/** 1,000 contacts: quoted commas, umlauts, BOM, CRLF, blank lines, three broken rows. */
function makeCsv(): { csv: string; numbers: string[] } {
  const numbers: string[] = [];
  const lines = ["\uFEFFPhone Number,Name,city,note"];
  for (let i = 0; i < 1_000; i++) {
    const [number] = EXPECTED[i % EXPECTED.length] as [string, unknown];
    numbers.push(number);
    lines.push(`${number},"Müller, Jörg ${i}",Köln,"said ""yes"", maybe"`);
    if (i % 100 === 0) lines.push("");
    if (i === 10) lines.push("not a number,Broken,Ulm,x");
    if (i === 20) lines.push("+12025550100,too,few");
    if (i === 30) lines.push(",Nobody,Bonn,x");
  }
  return { csv: lines.join("\r\n"), numbers };
}

test("a CSV of 1,000 contacts completes with the right outcome for each number and one webhook", async () => {
  await using receiver = await Receiver.start();
  const { csv, numbers } = makeCsv();
  const created = await post(
    csv,
    `?name=Umlauts%20%C3%BC&maxAttempts=3&completionWebhookUrl=${encodeURIComponent(receiver.url)}`,
  );
  expect(created.status, created.text).toBe(200);
  expect(created.body).toMatchObject({ name: "Umlauts ü", totalRows: 1_000, acceptedRows: 1_000, rejectedRows: 3 });
  expect((created.body.rowErrors as { code: string }[]).map((fault) => fault.code).sort()).toEqual([
    "COLUMN_COUNT",
    "E164",
    "REQUIRED",
  ]);
  const path = `/call-jobs/${String(created.body.id)}`;
  const faults = (await world.request("GET", `${path}/row-errors`)).body;
  expect(faults).toMatchObject({ totalElements: 3 });

  const job = await world.until(path, isOver, 50_000);
  const rows = await allRows(created.body.id);
  expect(rows.map((row) => row.customerNumber)).toEqual(numbers);
  const expected = new Map(EXPECTED);
  for (const row of rows) expect(row).toMatchObject(expected.get(row.customerNumber) as object);
  expect(rows[0]?.rowData).toEqual({ city: "Köln", note: 'said "yes", maybe' });
  const successful = rows.filter((row) => row.status === "COMPLETED").length;
  expect(job).toMatchObject({
    status: "COMPLETED",
    processedRows: 1_000,
    successfulRows: successful,
    errorRows: 1_000 - successful,
  });

  const [delivery, ...more] = await receiver.waitFor(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(more).toEqual([]);
  const event = JSON.parse(delivery?.body ?? "") as { job: object; eventId: string };
  expect(event.job).toEqual({
    id: created.body.id,
    name: "Umlauts ü",
    status: "COMPLETED",
    totalRows: 1_000,
    processedRows: 1_000,
    successfulRows: successful,
    errorRows: 1_000 - successful,
    flowApiId: world.sample.flow.apiId,
  });
  const numbersState = (await world.request("GET", "/phone-numbers")).body as unknown as {
    currentActiveCalls: number;
  }[];
  expect(numbersState.map((number) => number.currentActiveCalls)).toEqual([0, 0, 0]);
});

test("at speed 10 ringing, talk and the wait for a retry can be seen", async () => {
  const { apiKey } = await world.createWorkspace({ speed: 10 });
  // One number that answers slowly and one that nobody answers: each state lasts for seconds, so no poll misses it.
  const [slow, nobody] = ["+12025550153", "+12025550111"];
  const rows = [{ customerNumber: slow }, { customerNumber: nobody }];
  const flow = { name: "Patient", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 30 };
  const retryConfig = { maxAttempts: 2, delaysSeconds: [30], jitterPercent: 0 };
  const created = await world.request("POST", "/call-jobs", { body: { flow, rows, retryConfig }, key: apiKey });
  const seen = new Map<string, string[]>([slow, nobody].map((number) => [number, []]));
  const order = ["RINGING", "WAITING_FOR_RETRY", "IN_PROGRESS", "COMPLETED", "FAILED"];
  for (let isDone = false; !isDone;) {
    const page = await world.request("GET", `/call-jobs/${String(created.body.id)}/rows`, { key: apiKey });
    for (const { customerNumber, status } of page.body.content as Row[]) {
      const states = seen.get(customerNumber) ?? [];
      if (order.includes(status) && states.at(-1) !== status) states.push(status);
    }
    isDone = (page.body.content as Row[]).every(({ status }) => status === "COMPLETED" || status === "FAILED");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(seen.get(slow)).toEqual(["RINGING", "IN_PROGRESS", "COMPLETED"]);
  expect(seen.get(nobody)).toEqual(["RINGING", "WAITING_FOR_RETRY", "RINGING", "FAILED"]);
});

describe("creation", () => {
  test("JSON rows keep their contextData byte for byte, and bad ones are reported by place", async () => {
    const context = '{"z":1.50,"a":12345678901234567890}';
    const raw = `{"name":"J","rows":[{"customerNumber":"+12025550100","contextData":${context},"rowData":{"n":1},"externalId":"e1"},{"customerNumber":"bad"},{"customerNumber":"+12025550101","contactName":7}]}`;
    const created = await world.request("POST", "/call-jobs", { raw });
    expect(created.body).toMatchObject({
      totalRows: 1,
      rejectedRows: 2,
      rowErrors: [
        { line: 2, code: "E164" },
        { line: 3, column: "contactName" },
      ],
    });
    const path = `/call-jobs/${String(created.body.id)}`;
    await world.until(path, isOver);
    const rows = await world.request("GET", `${path}/rows?externalId=e1`);
    expect(rows.text).toContain(`"contextData":${context}`);
    expect((await world.request("GET", `${path}/rows?status=FAILED`)).body.totalElements).toBe(0);
  });

  test("multipart takes file and payload in either order", async () => {
    const file =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\ncustomerNumber;town\n+12025550100;Ulm\n\r\n';
    const payload = `--b\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${JSON.stringify({ name: "M" })}\r\n`;
    for (const raw of [file + payload, payload + file]) {
      const created = await world.request("POST", "/call-jobs", {
        raw: `${raw}--b--\r\n`,
        headers: { "content-type": "multipart/form-data; boundary=b" },
      });
      expect(created.body, created.text).toMatchObject({ name: "M", totalRows: 1 });
      await world.until(`/call-jobs/${String(created.body.id)}`, isOver);
    }
  });

  test("a file of more than 10,000 lines is imported after the answer, every row once", async () => {
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const lines = Array.from({ length: 12_000 }, (_, i) => `+1415${2_000_000 + i},${i}`);
    const created = await post(`customerNumber,i\n${lines.join("\n")}\n`, `?startAt=${startAt.replace("Z", "+00:00")}`);
    expect(created.body.status, created.text).toBe("IMPORTING");
    const job = await world.until(`/call-jobs/${String(created.body.id)}`, (body) => body.status !== "IMPORTING");
    expect(job).toMatchObject({ status: "SCHEDULED", totalRows: 12_000, rejectedRows: 0 });
    const stored = await world.database.query(
      "select count(*)::int as n, count(distinct line)::int as lines from call_rows where job_id = $1",
      [created.body.id],
    );
    expect(stored).toEqual([{ n: 12_000, lines: 12_000 }]);
    await vi.waitFor(async () => expect(await world.database.query("select 1 from import_chunks")).toEqual([]));
  });

  test("the query of a CSV takes a calling window as JSON; what is no JSON is a 400, what is no window a 422", async () => {
    const window = { windows: [{ days: ["MON"], start: "09:00", end: "18:00" }] };
    const send = (text: string) => post("customerNumber\n+12025550100\n", `?callingWindow=${encodeURIComponent(text)}`);
    const created = await send(JSON.stringify(window));
    expect(created.body, created.text).toMatchObject({ callingWindow: { timeZoneMode: "RECIPIENT", ...window } });
    expect((await send("{windows")).body).toMatchObject({
      code: "INVALID_QUERY",
      details: [{ path: "callingWindow" }],
    });
    const backwards = await send(JSON.stringify({ windows: [{ days: ["MON"], start: "18:00", end: "09:00" }] }));
    expect([backwards.status, backwards.body.details]).toMatchObject([422, [{ path: "callingWindow.windows.0.end" }]]);
    expect((await send("[]")).status).toBe(400);
  });

  test("an Idempotency-Key makes one job of two posts, for JSON and for CSV", async () => {
    const body = { rows: [{ customerNumber: "+12025550100" }] };
    for (const send of [
      () => world.request("POST", "/call-jobs", { body, headers: { "idempotency-key": "job-json" } }),
      () =>
        world.request("POST", "/call-jobs", {
          raw: "customerNumber\n+12025550100\n",
          headers: { "content-type": "text/csv", "idempotency-key": "job-csv" },
        }),
    ]) {
      const first = await send();
      const again = await send();
      expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
    }
  });
});

describe("pause and resume", () => {
  test("a paused job starts no call; a resumed one completes; a finished one answers 409", async () => {
    const { apiKey } = await world.createWorkspace({ speed: 50 });
    const rows = Array.from({ length: 60 }, (_, i) => ({ customerNumber: `+1415${3_000_000 + i}` }));
    const created = await world.request("POST", "/call-jobs", { body: { rows, maxConcurrency: 2 }, key: apiKey });
    const path = `/call-jobs/${String(created.body.id)}`;
    expect((await world.request("POST", `${path}/pause`, { key: apiKey })).body.status).toBe("PAUSED");
    const attempts = () =>
      world.database.query<{ n: number }>(
        "select count(*)::int as n from call_attempts a join call_rows r on r.id = a.row_id where r.job_id = $1",
        [created.body.id],
      );
    const [before] = await attempts();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await attempts()).toEqual([before]);
    expect((await world.request("POST", `${path}/resume`, { key: apiKey })).body.status).toBe("RUNNING");
    await world.operator("workspace.update", { id: await workspaceOf(apiKey), sandboxSpeed: "instant" });
    for (let body = created.body; body.completedAt === null;)
      body = (await world.request("GET", path, { key: apiKey })).body;
    expect((await world.request("POST", `${path}/pause`, { key: apiKey })).status).toBe(409);
  });

  async function workspaceOf(apiKey: string): Promise<string> {
    const [row] = await world.database.query<{ workspace_id: string }>(
      "select workspace_id from credentials where secret_last4 = $1",
      [apiKey.slice(-4)],
    );
    return row?.workspace_id ?? "";
  }
});

describe("cancel", () => {
  test("what waits is never dialled, what is live ends, and one event says CANCELLED", async () => {
    await using receiver = await Receiver.start();
    const { apiKey } = await world.createWorkspace({ speed: 20 });
    const rows = Array.from({ length: 40 }, (_, i) => ({
      customerNumber: i < 2 ? `+1202555018${8 + i}` : "+12025550110",
    }));
    const body = {
      rows,
      maxConcurrency: 2,
      retryConfig: { delaysSeconds: [1] },
      completionWebhook: { url: receiver.url },
    };
    const created = await world.request("POST", "/call-jobs", { body, key: apiKey });
    const path = `/call-jobs/${String(created.body.id)}`;
    const read = async () => (await world.request("GET", path, { key: apiKey })).body;
    while (Number((await read()).inProgressRows) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const cancelled = await world.request("POST", `${path}/cancel`, { key: apiKey });
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "CANCELLING"]);
    let job = await read();
    await expect.poll(async () => (job = await read()).completedAt).not.toBeNull();
    expect(job).toMatchObject({ status: "CANCELLED", processedRows: 40, pendingRows: 0, inProgressRows: 0 });
    const [delivery] = await receiver.waitFor(1);
    expect(JSON.parse(delivery?.body ?? "")).toMatchObject({ job: { status: "CANCELLED", processedRows: 40 } });
    const list = await world.request("GET", `${path}/rows?status=CANCELLED&size=200`, { key: apiKey });
    expect(Number(list.body.totalElements)).toBeGreaterThanOrEqual(36);
    const again = await world.request("POST", `${path}/cancel`, { key: apiKey });
    expect([again.status, again.body.status]).toEqual([200, "CANCELLED"]);
    expect(receiver.received).toHaveLength(1);
  });

  test("a job with nothing live is over at once, and its event is sent once", async () => {
    await using receiver = await Receiver.start();
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const body = { rows: [{ customerNumber: "+12025550100" }], startAt, completionWebhook: { url: receiver.url } };
    const created = await world.request("POST", "/call-jobs", { body });
    const reply = await world.request("POST", `/call-jobs/${String(created.body.id)}/cancel`);
    expect(reply.body).toMatchObject({ status: "CANCELLED", processedRows: 1, errorRows: 1, pendingRows: 0 });
    await receiver.waitFor(1);
    expect(receiver.received).toHaveLength(1);
  });
});

describe("call_job.completed", () => {
  async function runJob(completionWebhook: object, more: object = {}): Promise<{ [name: string]: unknown }> {
    const body = {
      name: "W",
      rows: [{ customerNumber: "+12025550100" }, { customerNumber: "+12025550130" }],
      completionWebhook,
      ...more,
    };
    const created = await world.request("POST", "/call-jobs", { body });
    expect(created.status, created.text).toBe(200);
    return created.body;
  }

  test("carries every header and field of the spec, signed, and is not sent twice", async () => {
    await using receiver = await Receiver.start();
    const job = await runJob({ url: receiver.url });
    const [{ headers, body } = { headers: {}, body: "" }] = await receiver.waitFor(1);
    const event = JSON.parse(body) as Record<string, unknown>;
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Service-Completion-Webhook/1.0",
      "x-service-event-type": "call_job.completed",
      "x-service-event-id": event.eventId,
      "x-service-delivery-attempt": "1",
    });
    expect(headers.authorization).toBeUndefined();
    expect(event).toEqual({
      eventId: expect.any(String) as string,
      eventType: "call_job.completed",
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      deliveryAttempt: 1,
      job: {
        id: job.id,
        name: "W",
        status: "COMPLETED",
        totalRows: 2,
        processedRows: 2,
        successfulRows: 1,
        errorRows: 1,
        flowApiId: world.sample.flow.apiId,
      },
      retrieval: {
        endpoints: {
          callJob: `${world.url}/api/external/v1/call-jobs/${String(job.id)}`,
          callRows: `${world.url}/api/external/v1/call-jobs/${String(job.id)}/rows`,
        },
      },
    });
    const { signingSecret } = job.completionWebhook as { signingSecret: string };
    expect(() => new Webhook(signingSecret).verify(body, headers as Record<string, string>)).not.toThrow();
    const again = await world.request("GET", `/call-jobs/${String(job.id)}`);
    expect(again.body.completionWebhook).toMatchObject({ url: receiver.url, signingSecret: null });
  });

  test("names no flow, by an empty text, for a job with an inline one", async () => {
    await using receiver = await Receiver.start();
    await runJob({ url: receiver.url }, { flow: { name: "Inline", firstMessage: "Hello." } });
    const [{ body } = { body: "{}" }] = await receiver.waitFor(1);
    expect((JSON.parse(body) as { job: object }).job).toMatchObject({ totalRows: 2, flowApiId: "" });
  });

  test("authenticates by bearer token or custom header, whose values are sealed at rest", async () => {
    await using receiver = await Receiver.start();
    await runJob({ url: receiver.url, authMode: "BEARER", secret: "s3cret-canary" });
    expect((await receiver.waitFor(1))[0]?.headers.authorization).toBe("Bearer s3cret-canary");
    await runJob({
      url: receiver.url,
      authMode: "CUSTOM_HEADER",
      headerName: "X-Hook-Key",
      headerValue: "v4lue-canary",
    });
    expect((await receiver.waitFor(2))[1]?.headers["x-hook-key"]).toBe("v4lue-canary");
    // A secret without a mode is meant to be sent.
    await runJob({ url: receiver.url, secret: "s3cret-canary" });
    expect((await receiver.waitFor(3))[2]?.headers.authorization).toBe("Bearer s3cret-canary");
    const stored = JSON.stringify(
      await world.database.query("select t::text from call_jobs t union all select t::text from tasks t"),
    );
    expect(stored).not.toMatch(/canary/);
  });

  test("is tried again with the same event id and a growing attempt number until a 2xx", async () => {
    await using receiver = await Receiver.start([500, 302, 503]);
    const job = await runJob({ url: receiver.url });
    for (let count = 1; count <= 4; count++) {
      await receiver.waitFor(count);
      await hurry(job.id);
    }
    const events = receiver.received.map(
      ({ body }) => JSON.parse(body) as { eventId: string; deliveryAttempt: number },
    );
    expect(events.map((event) => event.deliveryAttempt)).toEqual([1, 2, 3, 4]);
    expect(new Set(events.map((event) => event.eventId)).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["1", "2", "3", "4"]);
    const [task] = await world.database.query<{ status: string }>("select status from tasks where subject_id = $1", [
      job.id,
    ]);
    expect(task?.status).toBe("DONE");
  });

  test("stops at 410", async () => {
    await using receiver = await Receiver.start([410]);
    const job = await runJob({ url: receiver.url });
    await receiver.waitFor(1);
    await hurry(job.id);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(receiver.received).toHaveLength(1);
    const [task] = await world.database.query<{ status: string }>("select status from tasks where subject_id = $1", [
      job.id,
    ]);
    expect(task?.status).toBe("DEAD");
  });

  /** Brings the next delivery forward, once the last one's end is stored. */
  async function hurry(jobId: unknown): Promise<void> {
    const move = "update tasks set due_at = now() where subject_id = $1 and status <> 'RUNNING' returning id";
    await expect.poll(() => world.database.query(move, [jobId])).toHaveLength(1);
  }
});
