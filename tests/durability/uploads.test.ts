import { readdirSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sleep } from "#src/platform/kernel/async.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let busy: Sample;
let quiet: Sample;
beforeAll(async () => {
  world = await World.start();
  busy = world.sample;
  quiet = await world.createWorkspace({ speed: 10 });
});
afterAll(() => world[Symbol.asyncDispose]());

const WAITS = { timeout: 60_000, interval: 100 };
const UPLOADS = 16;
/** Just more than is imported within the request. */
const ROWS = 10_500;
/** Time between two readings beside the uploads: an import runs, and a lease lasts, for seconds. */
const READ_EVERY_MS = 20;
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

function csvOf(upload: number): string {
  const line = (i: number) => `+1415${2_000_000 + i},Person ${i} of ${upload}`;
  return `customerNumber,contactName\n${Array.from({ length: ROWS }, (_, i) => line(i)).join("\n")}\n`;
}

test(
  `${UPLOADS} uploads of ${ROWS} rows take nothing from another workspace, its live call or the node's lease`,
  { timeout: 300_000 },
  async () => {
    const leases: number[] = [];
    const answers: number[] = [];
    const importing: number[] = [];
    let isOver = false;
    const placed = await world.request("POST", "/outbound/calls", {
      key: quiet.apiKey,
      body: { customerNumber: "+12025550100" },
    });
    expect(placed.status, placed.text).toBe(200);
    const watch = async () => {
      while (!isOver) {
        answers.push((await world.request("GET", "/tools", { key: quiet.apiKey })).status);
        const [node] = await world.database.query<{ left: number }>(
          "select max(extract(epoch from alive_until - clock_timestamp()))::float8 as left from nodes",
        );
        leases.push(node?.left ?? 0);
        const [tasks] = await world.database.query<{ count: number }>(
          "select count(*)::int as count from tasks where kind = 'call_job.import' and status = 'RUNNING'",
        );
        importing.push(tasks?.count ?? 0);
        await sleep(READ_EVERY_MS);
      }
    };
    const watching = watch();
    const made = await Promise.all(
      Array.from({ length: UPLOADS }, (_, i) =>
        world.request("POST", `/call-jobs?startAt=${TOMORROW}`, {
          key: busy.apiKey,
          raw: csvOf(i),
          headers: { "content-type": "text/csv" },
        }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    // One is enough to see whether all of them run at once.
    const first = made.slice(0, 1);
    try {
      for (const { body } of first) {
        const job = await world.until(`/call-jobs/${String(body.id)}`, ({ status }) => status !== "IMPORTING", 250_000);
        expect(job).toMatchObject({ totalRows: ROWS });
      }
    } finally {
      isOver = true;
      await watching;
    }

    expect(answers.filter((status) => status !== 200)).toEqual([]);
    expect(Math.min(...leases)).toBeGreaterThan(0);
    expect(Math.max(...importing)).toBeLessThanOrEqual(2);
    expect(Math.max(...importing)).toBeGreaterThan(0);
    const row = await vi.waitFor(async () => {
      const { body } = await world.request("GET", `/call-rows/${String(placed.body.rowId)}`, { key: quiet.apiKey });
      expect(body.endedAt).not.toBeNull();
      return body;
    }, WAITS);
    expect(row).toMatchObject({ status: "COMPLETED" });
  },
);

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/** A large job whose body begins to arrive, and does not go on. */
class SlowUpload {
  readonly #call;
  answer: Answer | undefined;

  constructor(apiKey: string, bytes: number) {
    this.#call = httpRequest(`${world.url}/api/external/v1/call-jobs`, {
      method: "POST",
      agent: false,
      headers: { "x-api-key": apiKey, "content-type": "application/json", "content-length": bytes },
    });
    this.#call.on("error", () => undefined);
    this.#call.on("response", (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      reply.on("end", () => {
        this.answer = {
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body: JSON.parse(text) as Answer["body"],
        };
      });
    });
    this.#call.write('{"rows":[');
  }

  /** Gives the connection up. */
  end(): void {
    this.#call.destroy();
  }
}

test("bodies that do not fit into memory beside each other are refused before they are read", async () => {
  const MIB = 1024 * 1024;
  const taken = [new SlowUpload(busy.apiKey, 19 * MIB), new SlowUpload(busy.apiKey, 19 * MIB)];
  try {
    // Each further one is refused once the two before it have arrived.
    const refused = await vi.waitFor(async () => {
      const upload = new SlowUpload(busy.apiKey, 19 * MIB);
      taken.push(upload);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(upload.answer).toBeDefined();
      return upload.answer as Answer;
    }, WAITS);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: "UNAVAILABLE", details: [], requestId: expect.any(String) as string });
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    for (const name of ["limit", "remaining", "reset"]) expect(refused.headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);

    // The others go on: their small bodies always, their large ones as long as there is room.
    const small = await world.request("POST", "/outbound/calls", {
      key: quiet.apiKey,
      body: { customerNumber: "+12025550101" },
    });
    expect(small.status, small.text).toBe(200);
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ customerNumber: `+1415${3_000_000 + i}` }));
    const own = await world.request("POST", "/call-jobs", { key: quiet.apiKey, body: { rows, startAt: TOMORROW } });
    expect([own.status, own.body.acceptedRows]).toEqual([200, 3_000]);
  } finally {
    for (const upload of taken) upload.end();
  }
  // What was taken is given back.
  await vi.waitFor(async () => {
    const rows = [{ customerNumber: "+14154000000", contextData: { text: "x".repeat(19 * MIB) } }];
    const { status, text } = await world.request("POST", "/call-jobs", { body: { rows, startAt: TOMORROW } });
    expect(status, text.slice(0, 200)).not.toBe(503);
  }, WAITS);
});

/** Bytes of uploads that a server has on its disk. */
function spooled({ dataDir }: World): number {
  const folder = join(dataDir, "spool");
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

test("uploads that would fill the disk are refused, and the next one is taken once there is room", async () => {
  await using small = await World.start({ env: { UPLOAD_SPOOL_MIB: "1" } });
  const lines = (bytes: number) => `phone\n${"+12025550100\n".repeat(bytes / 13)}`;
  const send = (raw: string) =>
    small.request("POST", `/call-jobs?startAt=${TOMORROW}`, { raw, headers: { "content-type": "text/csv" } });
  const tooLarge = await send(lines(700_000));
  expect([tooLarge.status, tooLarge.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  // Half of the room is taken by an upload that does not end.
  const { hostname, port } = new URL(small.url);
  const headers = { "content-type": "text/csv", "x-api-key": small.sample.apiKey };
  const slow = httpRequest({ hostname, port, method: "POST", path: "/api/external/v1/call-jobs", headers });
  slow.on("error", () => undefined);
  slow.write(lines(500_000));
  await vi.waitFor(() => expect(spooled(small)).toBe(lines(500_000).length), WAITS);
  const refused = await send(lines(30_000));
  expect(refused.status, refused.text).toBe(503);
  expect(refused.body).toMatchObject({ code: "UNAVAILABLE", details: [], requestId: expect.any(String) as string });
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  slow.destroy();
  await vi.waitFor(() => expect(spooled(small)).toBe(0), WAITS);
  expect((await send(lines(30_000))).status).toBe(200);
});
