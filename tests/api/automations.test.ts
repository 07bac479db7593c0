import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../kit/database.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { type TestReply, World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = TestReply["body"];
interface Artifact {
  id: string;
  type: string;
  name: string;
  mimeType: string;
  sizeBytes: number;
  metadata: Record<string, unknown>;
}

async function create(body: Body): Promise<Body> {
  const reply = await world.request("POST", "/automations", { body: { name: "Automation", ...body } });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

/** The artifacts of an automation once so many runs have ended. */
async function artifactsOf(automationId: unknown, runs = 1): Promise<Artifact[]> {
  const path = `/automations/${String(automationId)}`;
  await world.until(`${path}/runs`, ({ content }) => {
    const ended = (content as { endedAt: string | null }[]).filter((run) => run.endedAt !== null);
    return ended.length >= runs;
  });
  return (await world.request("GET", `${path}/artifacts?size=200`)).body.content as Artifact[];
}

async function run(automationId: unknown, query = ""): Promise<Body> {
  const reply = await world.request("POST", `/automations/${String(automationId)}/run${query}`);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

async function finishJob(body: Body): Promise<Body> {
  const created = await world.request("POST", "/call-jobs", { body });
  if (created.status !== 200) throw new Error(created.text);
  return world.until(`/call-jobs/${String(created.body.id)}`, (job) => job.completedAt !== null);
}

const download = (artifact: Artifact | undefined) => world.request("GET", `/artifacts/${String(artifact?.id)}/content`);

describe("Artifacts", () => {
  test("GET /artifacts/{id} answers 200 with the artifact and its content", async () => {
    const { id, artifactId } = world.sample.automation;
    const reply = await world.request("GET", `/artifacts/${artifactId}`);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toEqual({
      id: artifactId,
      automationId: id,
      runId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      type: "TEXT",
      name: expect.stringMatching(/\.txt$/) as string,
      title: expect.any(String) as string,
      mimeType: "text/plain; charset=utf-8",
      sizeBytes: Buffer.byteLength(String(reply.body.content)),
      downloadUrl: `${world.url}/api/external/v1/artifacts/${artifactId}/content`,
      metadata: expect.objectContaining({ rows: 0 }) as object,
      createdAt: expect.stringMatching(/Z$/) as string,
      content: expect.stringContaining("Calls: 0") as string,
    });
  });

  test("GET /automations/{automationId}/artifacts answers 200 with a page of the same without content", async () => {
    const path = `/automations/${world.sample.automation.id}/artifacts`;
    const all = await world.request("GET", path);
    expect(all.status).toBe(200);
    expect(all.body).toMatchObject({ page: 0, size: 20, totalElements: 3, totalPages: 1, first: true, last: true });
    const content = all.body.content as Body[];
    expect(content.map((one) => String(one.type)).toSorted()).toEqual(["HTML", "JSON", "TEXT"]);
    for (const one of content) expect(one).not.toHaveProperty("content");
    const second = await world.request("GET", `${path}?page=1&size=2`);
    expect(second.body).toMatchObject({ content: [content[2]], page: 1, size: 2, totalPages: 2, last: true });
  });

  test.each(["page=-1", "page=2147483648", "page=x", "size=0", "size=2147483648", "page=1.5", "size=%00"])(
    "400 for %s, which is no page or size",
    async (query) => {
      const reply = await world.request("GET", `/automations/${world.sample.automation.id}/artifacts?${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, "INVALID_QUERY"]);
    },
  );

  test("404 for an unknown automation or artifact, 400 for an id that is no uuid", async () => {
    const unknown = "01900000-0000-7000-8000-000000000000";
    for (const path of [
      `/automations/${unknown}/artifacts`,
      `/artifacts/${unknown}`,
      `/artifacts/${unknown}/content`,
    ]) {
      expect((await world.request("GET", path)).body).toEqual({ error: "Not found" });
    }
    expect((await world.request("GET", "/artifacts/x")).status).toBe(400);
  });

  test("another workspace's artifacts read as ones that never existed", async () => {
    const { apiKey } = await world.createWorkspace();
    const { id, artifactId } = world.sample.automation;
    for (const path of [
      `/automations/${id}/artifacts`,
      `/artifacts/${artifactId}`,
      `/artifacts/${artifactId}/content`,
    ]) {
      expect((await world.request("GET", path, { key: apiKey })).status, path).toBe(404);
    }
  });
});

describe("a report on a call job", () => {
  const rows = [
    { customerNumber: "+12025550100", contactName: '=HYPERLINK("http://evil","x")', externalId: "a" },
    { customerNumber: "+12025550110", contactName: "Müller, Jörg", externalId: "b" },
    { customerNumber: "+12025550130", externalId: "c" },
  ];

  test("makes a table, a summary and a page when the job has finished", async () => {
    const automation = await create({ kind: "CALL_JOB_REPORT" });
    const job = await finishJob({ name: "Über <b>all</b>", rows, retryConfig: { maxAttempts: 2 } });
    const artifacts = await artifactsOf(automation.id);
    expect(artifacts.map((one) => one.type).toSorted()).toEqual(["HTML", "JSON", "TABLE"]);
    for (const one of artifacts) expect(one.metadata).toEqual({ callJobId: job.id, callJobRun: 1, rows: 3 });

    const table = await download(artifacts.find((one) => one.type === "TABLE"));
    expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(table.headers.get("content-disposition")).toMatch(/^attachment; filename="uber-b-all-b-1\.csv"$/);
    const lines = table.text.split("\r\n");
    const header = lines[0]?.replace("\uFEFF", "").split(",") ?? [];
    expect(header.slice(0, 5)).toEqual(["line", "id", "jobId", "externalId", "customerNumber"]);
    expect(header.slice(20)).toEqual(["extracted.confirmed", "extracted.contactChannel", "extracted.partySize"]);
    expect(lines).toHaveLength(5);
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil"",""x"")"`);
    expect(lines[1]).toMatch(/^1,.*,a,\+12025550100,/);
    expect(lines[2]).toContain('"Müller, Jörg"');
    expect(lines[2]?.split(",").slice(8 + 1)).toEqual(expect.arrayContaining(["FAILED", "BUSY", "2"]));

    const summary = await world.request(
      "GET",
      `/artifacts/${String(artifacts.find((one) => one.type === "JSON")?.id)}`,
    );
    expect(summary.body.content).toMatchObject({
      callJob: { id: job.id, run: 1, status: "COMPLETED", totalRows: 3, successfulRows: 1, errorRows: 2 },
      calls: 3,
      byStatus: [
        { value: "FAILED", count: 2 },
        { value: "COMPLETED", count: 1 },
      ],
      // One answered call, two attempts on the busy line, one on the number that does not exist.
      attempts: { total: 4 },
      durationSeconds: { calls: 1 },
    });

    const page = await download(artifacts.find((one) => one.type === "HTML"));
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("sandbox");
    expect(policy).not.toContain("script-src");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(page.text).toContain("Über &lt;b&gt;all&lt;/b&gt;");
    expect(page.text).not.toMatch(/<script|<b>all/);
    expect(page.text.match(/<svg role="img"/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test("of one job is not made for others, of a disabled automation not at all, of a cancelled job too", async () => {
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const waiting = (await world.request("POST", "/call-jobs", { body: { rows, startAt } })).body;
    const own = await create({ kind: "CALL_JOB_REPORT", callJobId: waiting.id });
    const disabled = await create({ kind: "CALL_JOB_REPORT", enabled: false });
    await finishJob({ rows: [rows[0]] });
    await world.request("POST", `/call-jobs/${String(waiting.id)}/cancel`);
    const artifacts = await artifactsOf(own.id);
    expect(new Set(artifacts.map((one) => one.metadata.callJobId))).toEqual(new Set([waiting.id]));
    expect((await world.request("GET", `/automations/${String(own.id)}/runs`)).body.totalElements).toBe(1);
    expect((await world.request("GET", `/automations/${String(disabled.id)}/runs`)).body.totalElements).toBe(0);
  });

  test("is made on demand for any job that is named", async () => {
    const automation = await create({ kind: "CALL_JOB_REPORT", enabled: false });
    const job = await finishJob({ rows: [rows[2]] });
    const nothing = await world.request("POST", `/automations/${String(automation.id)}/run`);
    expect([nothing.status, nothing.body.details]).toMatchObject([422, [{ path: "callJobId", code: "REQUIRED" }]]);
    const started = await run(automation.id, `?callJobId=${String(job.id)}`);
    expect(started).toMatchObject({ trigger: "MANUAL", status: "QUEUED", callJobId: job.id });
    expect(await artifactsOf(automation.id)).toHaveLength(3);
    const lost = await world.request(
      "POST",
      `/automations/${String(automation.id)}/run?callJobId=01900000-0000-7000-8000-000000000000`,
    );
    expect(lost.status).toBe(404);
  });

  test("of 25,000 rows holds each of them once", { timeout: 60_000 }, async () => {
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const many = Array.from({ length: 25_000 }, (_, i) => ({ customerNumber: `+1415${2_000_000 + i}` }));
    const created = await world.request("POST", "/call-jobs", { body: { rows: many, startAt } });
    const automation = await create({ kind: "CALL_JOB_REPORT", callJobId: created.body.id });
    await world.request("POST", `/call-jobs/${String(created.body.id)}/cancel`);
    const artifacts = await artifactsOf(automation.id);
    const table = artifacts.find((one) => one.type === "TABLE");
    expect(table?.sizeBytes).toBeGreaterThan(2 * 1024 * 1024);
    const { text, headers } = await download(table);
    expect(headers.get("content-length")).toBe(String(table?.sizeBytes));
    const numbers = text
      .split("\r\n")
      .slice(1, -1)
      .map((line) => line.split(",")[4]);
    expect(new Set(numbers).size).toBe(25_000);
    expect(numbers).toEqual(many.map((row) => row.customerNumber));
    // Too large to be held in a reply.
    expect((await world.request("GET", `/artifacts/${String(table?.id)}`)).body.content).toBeNull();
  });
});

describe("a daily digest", () => {
  /** Brings a digest's next time forward to now; gives how many there were. */
  async function fire(automationId: unknown): Promise<number> {
    const move = `update tasks set due_at = now()
      where subject_id = $1 and kind = 'automation.schedule' and status = 'PENDING' returning 1`;
    return (await world.database.query(move, [automationId])).length;
  }

  test("runs on its schedule, has one successor, and no call is in two digests", async () => {
    const { apiKey, automation } = await world.createWorkspace();
    const ask = async (method: string, path: string, body?: Body) =>
      (await world.request(method, path, { key: apiKey, ...(body ? { body } : {}) })).body;
    const call = async () => {
      const placed = await ask("POST", "/outbound/calls", { customerNumber: "+12025550100" });
      // Asked without a pause it would run into the rate limit, whose answer has no endedAt either.
      await expect.poll(async () => (await ask("GET", `/call-rows/${String(placed.rowId)}`)).endedAt).toBeTruthy();
    };
    const counted: unknown[] = [];
    for (let digest = 1; digest <= 2; digest++) {
      for (let i = 0; i < digest; i++) await call();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await expect.poll(() => fire(automation.id)).toBeGreaterThan(0);
      const countEnded = async () => {
        const { content } = await ask("GET", `/automations/${automation.id}/runs`);
        const runs = content as { trigger: string; endedAt: string | null }[] | undefined;
        return runs?.filter((one) => one.trigger === "SCHEDULE" && one.endedAt !== null).length;
      };
      await expect.poll(countEnded, { interval: 200 }).toBe(digest);
      const { content } = await ask("GET", `/automations/${automation.id}/artifacts?size=3`);
      counted.push((content as Artifact[])[0]?.metadata.rows);
    }
    expect(counted).toEqual([1, 2]);
    const waiting = await world.database.query(
      "select 1 from tasks where subject_id = $1 and kind = 'automation.schedule' and status = 'PENDING'",
      [automation.id],
    );
    expect(waiting).toHaveLength(1);
  });

  test("that was moved runs by its new schedule alone", async () => {
    const automation = await create({ kind: "DAILY_DIGEST", schedule: { time: "03:00", timeZone: "Asia/Tokyo" } });
    // 03:00 in Tokyo, which has no summer time, is 18:00 UTC.
    expect(automation.nextRunAt).toMatch(/T18:00:00\.000Z$/);
    expect(new Date(String(automation.nextRunAt)).getTime()).toBeGreaterThan(Date.now());
    const moved = await world.request("PUT", `/automations/${String(automation.id)}`, {
      body: { schedule: { time: "04:30", timeZone: "Asia/Tokyo", days: ["MON"] } },
    });
    expect(moved.body.nextRunAt).toMatch(/T19:30:00\.000Z$/);
    expect(new Date(String(moved.body.nextRunAt)).getUTCDay()).toBe(0);
    await expect.poll(() => fire(automation.id)).toBeGreaterThan(0);
    await artifactsOf(automation.id);
    const { body } = await world.request("GET", `/automations/${String(automation.id)}/runs`);
    expect(body.totalElements).toBe(1);
    const off = await world.request("PUT", `/automations/${String(automation.id)}`, { body: { enabled: false } });
    expect(off.body.nextRunAt).toBeNull();
    await fire(automation.id);
    await world.until(`/automations/${String(automation.id)}`, () => true);
    expect((await world.request("GET", `/automations/${String(automation.id)}/runs`)).body.totalElements).toBe(1);
  });
});

describe("an export", () => {
  test("holds the calls that its filters name, as CSV or as JSON", async () => {
    const job = await finishJob({
      rows: [{ customerNumber: "+12025550100", rowData: { city: "Köln" } }, { customerNumber: "+12025550130" }],
    });
    const json = await create({
      kind: "EXPORT",
      callJobId: job.id,
      export: { format: "JSON", status: ["COMPLETED"] },
    });
    await run(json.id);
    const [artifact] = await artifactsOf(json.id);
    const { body } = await world.request("GET", `/artifacts/${String(artifact?.id)}`);
    expect(body).toMatchObject({
      type: "JSON",
      content: [{ customerNumber: "+12025550100", status: "COMPLETED", rowData: { city: "Köln" } }],
    });
    const csv = await create({ kind: "EXPORT", export: { createdAfter: "2100-01-01T00:00:00Z" } });
    await run(csv.id);
    const [empty] = await artifactsOf(csv.id);
    expect((await download(empty)).text.trimEnd().split("\r\n")).toHaveLength(1);
    const history = await create({ kind: "EXPORT" });
    await run(history.id);
    const [all] = await artifactsOf(history.id);
    expect((await download(all)).text).toContain(String(job.id));
  });
});

describe("changing automations (extensions)", () => {
  test("PUT merges what is sent; a whole automation may be sent back", async () => {
    const automation = await create({ kind: "DAILY_DIGEST", description: "d" });
    const path = `/automations/${String(automation.id)}`;
    const renamed = await world.request("PUT", path, { body: { name: "New" } });
    expect(renamed.body).toMatchObject({ name: "New", description: "d", schedule: automation.schedule, version: 2 });
    const back = await world.request("PUT", path, { body: renamed.body });
    expect(back.body).toMatchObject({ ...renamed.body, version: 3, updatedAt: back.body.updatedAt });
    const cleared = await world.request("PUT", path, { body: { description: null } });
    expect(cleared.body.description).toBeNull();
  });

  test.each([
    [{ name: "x" }, 422, "kind"],
    [{ kind: "EXPORT", name: "" }, 422, "name"],
    [{ kind: "NONSENSE", name: "x" }, 422, "kind"],
    [{ kind: "EXPORT", name: "x", schedule: { time: "08:00" } }, 422, "schedule"],
    [{ kind: "DAILY_DIGEST", name: "x", schedule: { time: "25:00" } }, 422, "schedule.time"],
    [{ kind: "DAILY_DIGEST", name: "x", schedule: { timeZone: "Mars/X" } }, 422, "schedule.timeZone"],
    [{ kind: "DAILY_DIGEST", name: "x", export: {} }, 422, "export"],
  ])("%j answers %i at %s", async (body, status, path) => {
    const reply = await world.request("POST", "/automations", { body });
    expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([status, path]);
  });

  test("a job that does not exist in the workspace answers 404; the kind cannot be changed", async () => {
    const body = { name: "x", kind: "EXPORT", callJobId: "01900000-0000-7000-8000-000000000000" };
    expect((await world.request("POST", "/automations", { body })).status).toBe(404);
    const automation = await create({ kind: "EXPORT" });
    const reply = await world.request("PUT", `/automations/${String(automation.id)}`, {
      body: { kind: "DAILY_DIGEST" },
    });
    expect(reply.status).toBe(422);
  });

  test("a repeated run with one Idempotency-Key is one run", async () => {
    const automation = await create({ kind: "EXPORT" });
    const path = `/automations/${String(automation.id)}/run`;
    const headers = { "idempotency-key": "run-once" };
    const first = await world.request("POST", path, { headers });
    const again = await world.request("POST", path, { headers });
    expect(again.body.id).toBe(first.body.id);
    expect(await artifactsOf(automation.id)).toHaveLength(1);
  });

  test("reading needs REPORTS_READ, changing needs CALL_JOBS_WRITE", async () => {
    const { workspaceId, automation } = world.sample;
    const keyWith = async (permissions: string[]) =>
      String((await world.operator("key.create", { workspaceId, permissions })).apiKey);
    const reader = await keyWith(["REPORTS_READ"]);
    const writer = await keyWith(["CALL_JOBS_WRITE"]);
    const statuses = async (key: string) => [
      (await world.request("GET", `/artifacts/${automation.artifactId}`, { key })).status,
      (await world.request("GET", `/automations/${automation.id}/artifacts`, { key })).status,
      (await world.request("POST", `/automations/${automation.id}/run`, { key })).status,
    ];
    expect(await statuses(reader)).toEqual([200, 200, 403]);
    expect(await statuses(writer)).toEqual([403, 403, 200]);
  });
});

test("a run that a kill -9 cuts off leaves one set of artifacts", { timeout: 120_000 }, async () => {
  const database = await createDatabase();
  const server = await ServerProcess.create({ DATABASE_URL: database.url });
  let letGo = async () => {};
  try {
    await server.start();
    const sample = (await server.operator("workspace.create", {
      name: "Crash",
      sample: true,
      sandboxSpeed: "instant",
    })) as { apiKey: string };
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { "x-api-key": sample.apiKey, ...(body ? { "content-type": "application/json" } : {}) };
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
      return (await (await fetch(`${server.url}/api/external/v1${path}`, init)).json()) as Body;
    };
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ customerNumber: `+1415${2_000_000 + i}` }));
    const job = await ask("POST", "/call-jobs", { rows, startAt });
    const automation = await ask("POST", "/automations", { name: "R", kind: "CALL_JOB_REPORT" });
    // The first kill is sure to strike a run: nothing of it can be stored until then.
    letGo = await database.hold("artifacts, artifact_chunks");
    await ask("POST", `/call-jobs/${String(job.id)}/cancel`);
    let kills = 0;
    for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
      const [state] = await database.query<{ status: string }>(
        "select status from automation_runs where automation_id = $1",
        [automation.id],
      );
      if (state?.status === "COMPLETED") break;
      if (state?.status === "RUNNING" && kills < 3) {
        await new Promise((resolve) => setTimeout(resolve, 40 * kills));
        server.kill();
        await server.gone;
        if (kills++ === 0) await letGo();
        await server.start();
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(kills).toBeGreaterThan(0);
    const artifacts = await ask("GET", `/automations/${String(automation.id)}/artifacts`);
    expect((artifacts.content as Artifact[]).map((one) => one.type).toSorted()).toEqual(["HTML", "JSON", "TABLE"]);
    const orphans = await database.query(
      "select 1 from artifact_chunks c where not exists (select 1 from artifacts a where a.id = c.artifact_id)",
    );
    expect(orphans).toEqual([]);
  } finally {
    await letGo();
    await server.stop();
    await database.drop();
  }
});
