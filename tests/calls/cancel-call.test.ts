import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = Record<string, unknown>;

/** Busy by its last two digits (docs/sandbox.md). */
const BUSY = "+12025550110";
const later = () => new Date(Date.now() + 3_600_000).toISOString();
const cancel = (rowId: unknown) => world.request("POST", `/call-rows/${String(rowId)}/cancel`);

async function make(body: Body): Promise<string> {
  const created = await world.request("POST", "/call-jobs", { body });
  expect(created.status, created.text).toBe(200);
  return `/call-jobs/${String(created.body.id)}`;
}

async function rowsOf(job: string): Promise<Body[]> {
  return (await world.request("GET", `${job}/rows?size=200`)).body.content as Body[];
}

async function eventsOf(subjectId: unknown, type: string): Promise<number> {
  const sql = "select id from events where subject_id = $1 and type = $2";
  return (await world.database.query(sql, [subjectId, type])).length;
}

describe("POST /call-rows/{rowId}/cancel", () => {
  test("takes one row of a job off; with the last one the job is over, and says so once", async () => {
    await using receiver = await Receiver.start();
    const rows = ["+12025550100", "+12025550103"].map((customerNumber) => ({ customerNumber }));
    const job = await make({ rows, startAt: later(), completionWebhook: { url: receiver.url } });
    const [one, two] = (await rowsOf(job)) as [Body, Body];
    expect((await cancel(one.id)).body).toEqual({ callRowId: one.id, cancelled: true });
    expect((await world.request("GET", `/call-rows/${String(one.id)}`)).body).toMatchObject({
      status: "CANCELLED",
      outcome: "CANCELLED",
      endReason: "CANCELLED_BY_USER",
      endedAt: expect.any(String),
      attempts: [],
    });
    expect((await world.request("GET", job)).body).toMatchObject({ processedRows: 1, errorRows: 1, completedAt: null });
    // Once more changes nothing.
    expect((await cancel(one.id)).status).toBe(200);
    await cancel(two.id);
    const done = (await world.request("GET", job)).body;
    expect(done).toMatchObject({ status: "COMPLETED", processedRows: 2, errorRows: 2, successfulRows: 0 });
    const [delivery] = await receiver.waitFor(1);
    expect(JSON.parse(delivery?.body ?? "")).toMatchObject({ job: { totalRows: 2, errorRows: 2 } });
    expect(await eventsOf(done.id, "call_job.completed")).toBe(1);
    expect([await eventsOf(one.id, "call.ended"), await eventsOf(two.id, "call.ended")]).toEqual([1, 1]);
  });

  test("one that waits for its next attempt is not dialled again, and its session ends", async () => {
    // Where simulated time stands still nothing waits.
    const { apiKey: key } = await world.createWorkspace({ speed: 50 });
    await using receiver = await Receiver.start();
    const hook = { url: receiver.url, events: ["session.ended"] };
    expect((await world.request("POST", "/session-webhooks", { key, body: hook })).status).toBe(200);
    const body = { customerNumber: BUSY, retryConfig: { maxAttempts: 2, delaysMinutes: [600] } };
    const { rowId } = (await world.request("POST", "/outbound/calls", { key, body })).body;
    const path = `/call-rows/${String(rowId)}`;
    const read = async () => (await world.request("GET", path, { key })).body;
    await expect.poll(async () => (await read()).status).toBe("WAITING_FOR_RETRY");
    expect((await world.request("POST", `${path}/cancel`, { key })).status).toBe(200);
    const ended = await read();
    expect(ended).toMatchObject({ status: "CANCELLED", endReason: "CANCELLED_BY_USER", nextAttemptAt: null });
    expect(ended.attempts).toHaveLength(1);
    const [delivery] = await receiver.waitFor(1);
    expect(JSON.parse(delivery?.body ?? "")).toMatchObject({
      eventType: "session.ended",
      session: { status: "CANCELLED", endReason: "CANCELLED_BY_USER" },
    });
  });

  test("409 for a call that is over; 404 for none", async () => {
    const call = await world.call("+12025550100");
    const refused = await cancel(call.id);
    expect([refused.status, refused.body.message]).toEqual([409, "The call is over."]);
    expect((await cancel("01900000-0000-7000-8000-000000000000")).status).toBe(404);
  });

  test("races the dispatcher: a row is either dialled or cancelled, never both, and the job's counts add up", async () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({ customerNumber: `+1415555${2_000 + index}` }));
    const job = await make({ rows, retryConfig: { maxAttempts: 1 } });
    const replies = await Promise.all((await rowsOf(job)).map(({ id }) => cancel(id)));
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const done = await world.until(job, (body) => body.completedAt !== null);
    const ended = await rowsOf(job);
    const cancelled = ended.filter(({ status }) => status === "CANCELLED");
    const isDialled = ({ attempts }: Body) => (attempts as unknown[]).length > 0;
    expect(ended.filter((row) => isDialled(row) === (row.status === "CANCELLED"))).toEqual([]);
    const granted = replies.flatMap(({ status, body }) => (status === 200 ? [body.callRowId] : []));
    expect(new Set(granted)).toEqual(new Set(cancelled.map(({ id }) => id)));
    const successful = ended.filter(({ status }) => status === "COMPLETED").length;
    expect(done).toMatchObject({ processedRows: 60, successfulRows: successful, errorRows: 60 - successful });
    expect(await eventsOf(done.id, "call_job.completed")).toBe(1);
  });
});
