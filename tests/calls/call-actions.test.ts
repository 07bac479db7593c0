import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestReply, World } from "../kit/world.ts";

/* The actions that a call's reply offers, compared with what the requests accept, in every status. */

/** Rings and is not answered; answers and says nothing (docs/sandbox.md). */
const RINGS = "+12025550111";
const SILENT = "+12025550104";
const FLOW = { name: "Short", language: "en-US", firstMessage: "Hello.", silenceTimeoutSeconds: 60 };

let world: World;
beforeAll(async () => {
  world = await World.start({ speed: 1 });
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = TestReply["body"];

const ACTIONS = ["cancel", "end"];
const send = (rowId: string, action: string) => world.request("POST", `/call-rows/${rowId}/${action}`);
const read = async (rowId: string) => (await world.request("GET", `/call-rows/${rowId}`)).body;
const later = () => new Date(Date.now() + 3_600_000).toISOString();

async function place(body: Body): Promise<string> {
  const placed = await world.request("POST", "/outbound/calls", { body: { flow: FLOW, ...body } });
  expect(placed.status, placed.text).toBe(200);
  return String(placed.body.rowId);
}

/** Places a call that is not due yet and changes its row. */
async function waiting(change: string): Promise<string> {
  const rowId = await place({ customerNumber: RINGS, scheduledAt: later() });
  await world.database.query(`update call_rows set ${change} where id = $1`, [rowId]);
  return rowId;
}

/** Places a call and waits for its status, then changes the row or its live attempt. */
async function live(customerNumber: string, status: string, change?: string): Promise<string> {
  const rowId = await place({ customerNumber });
  await world.until(`/call-rows/${rowId}`, (row) => row.status === status);
  if (change) await world.database.query(change, [rowId]);
  return rowId;
}

const over = (status: string) => () => waiting(`status = '${status}', ended_at = now()`);

const CALLS: Record<string, { make: () => Promise<string>; offered: string[] }> = {
  QUEUED: { make: () => waiting("status = 'QUEUED'"), offered: ["cancel"] },
  WAITING_FOR_RETRY: { make: () => waiting("status = 'WAITING_FOR_RETRY'"), offered: ["cancel"] },
  WAITING_FOR_WINDOW: { make: () => waiting("window_opens_at = due_at"), offered: ["cancel"] },
  DIALING: {
    make: () => live(RINGS, "RINGING", "update call_attempts set state = 'ACCEPTED' where row_id = $1"),
    offered: ["end"],
  },
  RINGING: { make: () => live(RINGS, "RINGING"), offered: ["end"] },
  IN_PROGRESS: { make: () => live(SILENT, "IN_PROGRESS"), offered: ["end"] },
  UNKNOWN: {
    make: () => live(RINGS, "RINGING", "update call_rows set status = 'UNKNOWN' where id = $1"),
    offered: ["end"],
  },
  COMPLETED: { make: over("COMPLETED"), offered: [] },
  FAILED: { make: over("FAILED"), offered: [] },
  SKIPPED: { make: over("SKIPPED"), offered: [] },
  CANCELLED: { make: over("CANCELLED"), offered: [] },
  UNCONFIRMED: { make: over("UNCONFIRMED"), offered: [] },
};

test.each(Object.entries(CALLS))(
  "a call that is %s takes the actions that it offers, and no other",
  async (status, { make, offered }) => {
    for (const action of ACTIONS) {
      const rowId = await make();
      const before = await read(rowId);
      expect(before).toMatchObject({ status, actions: offered });
      const reply = await send(rowId, action);
      const isRepeat = status === "CANCELLED" && action === "cancel";
      const isTaken = offered.includes(action) || isRepeat;
      expect([action, reply.status], reply.text).toEqual([action, isTaken ? 200 : 409]);
      expect(isRepeat ? await read(rowId) : before).toEqual(before);
      if (isTaken) await world.until(`/call-rows/${rowId}`, (row) => (row.actions as string[]).length === 0);
      else if (offered.includes("end")) await send(rowId, "end");
    }
  },
  60_000,
);

test("a row of a list that is still being read offers nothing, and is not cancelled", async () => {
  const body = { rows: [{ customerNumber: RINGS }], startAt: later() };
  const job = (await world.request("POST", "/call-jobs", { body })).body.id;
  const rowOf = async () => {
    const { content } = (await world.request("GET", `/call-jobs/${String(job)}/rows`)).body as { content: Body[] };
    return content[0] ?? {};
  };
  const row = await rowOf();
  expect(row).toMatchObject({ status: "QUEUED", actions: ["cancel"] });
  await world.database.query("update call_jobs set status = 'IMPORTING' where id = $1", [job]);
  expect(await rowOf()).toMatchObject({ status: "QUEUED", actions: [] });
  for (const action of ACTIONS) expect((await send(String(row.id), action)).status).toBe(409);
  await world.database.query("update call_jobs set status = 'RUNNING' where id = $1", [job]);
  expect((await send(String(row.id), "cancel")).status).toBe(200);
});
