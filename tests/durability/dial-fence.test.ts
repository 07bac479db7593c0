import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClaimedRow, claimRows } from "#src/interactions/dispatch/claim.ts";
import { DialFence } from "#src/interactions/dispatch/dial-fence.ts";
import { addToDoNotCall } from "#src/tenancy/compliance/do-not-call.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

/* What happens between the claim and the first byte of a dial. */

let world: World;
let second: SecondNode;
let fence: DialFence;
let live: { workspaceId: string; apiKey: string };
let people = 0;
const ALWAYS = {
  windows: [{ days: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"], start: "00:00", end: "24:00" }],
};

beforeAll(async () => {
  // Nobody dispatches but the test.
  world = await World.start({ roles: ["api"] });
  second = await SecondNode.join(world);
  fence = new DialFence(second.database.pool, second.node, second.log);
  live = (await world.operator("workspace.create", { name: "Live", mode: "LIVE", sample: true })) as typeof live;
  await update({ countries: ["US"], callingWindow: ALWAYS });
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const update = (change: object) => world.operator("workspace.update", { id: live.workspaceId, ...change });
const ask = (method: string, path: string, body?: object) =>
  world.request(method, path, { key: live.apiKey, ...(body ? { body } : {}) });

/** A job of one person, claimed. */
async function claimOne(): Promise<ClaimedRow> {
  await ask("POST", "/call-jobs", { rows: [{ customerNumber: `+1415555${3_000 + ++people}` }] });
  const rows = await claimRows(second.database.pool, second.node.id, 1, 1);
  expect(rows).toHaveLength(1);
  return rows[0] as ClaimedRow;
}

async function stateOf(row: ClaimedRow): Promise<string> {
  const found = await world.database.query<{ state: string }>("select state from call_attempts where id = $1", [
    row.attempt_id,
  ]);
  return found[0]?.state ?? "";
}

test("a dial passes once: its attempt is SUBMITTING from then on", async () => {
  const row = await claimOne();
  expect(await stateOf(row)).toBe("CLAIMED");
  const assertMayLeave = await fence.pass(row);
  expect(assertMayLeave).not.toBeNull();
  expect(() => assertMayLeave?.()).not.toThrow();
  expect(await stateOf(row)).toBe("SUBMITTING");
  expect(await fence.pass(row)).toBeNull();
});

test("many dials pass in one statement, and of two that race for one attempt one does", async () => {
  const rows = [];
  for (let i = 0; i < 5; i++) rows.push(await claimOne());
  const other = new DialFence(second.database.pool, second.node, second.log);
  const passed = await Promise.all([...rows, ...rows].map((row, i) => (i < 5 ? fence : other).pass(row)));
  for (const i of rows.keys()) expect([passed[i], passed[i + 5]].filter((one) => one === null)).toHaveLength(1);
});

describe("what forbids the dial after it was claimed", () => {
  const CHANGES: [string, (row: ClaimedRow) => Promise<unknown>, () => Promise<unknown>][] = [
    [
      "its number came onto the do-not-call list",
      (row) => addToDoNotCall(second.database.db, row.workspace_id, [row.customer_number], "OPERATOR"),
      async () => undefined,
    ],
    [
      "a session with its person ended in doubt about an opt-out",
      (row) =>
        world.database.query(
          `insert into opt_out_reviews (workspace_id, id, subject_type, subject_id, session_id, number, reason, quotes)
           values ($1, gen_random_uuid(), 'CHAT', gen_random_uuid(), gen_random_uuid(), $2, 'UNHEEDED', '[]')`,
          [row.workspace_id, row.customer_number],
        ),
      async () => undefined,
    ],
    ["its job was paused", (row) => ask("POST", `/call-jobs/${row.job_id}/pause`), async () => undefined],
    ["its job was cancelled", (row) => ask("POST", `/call-jobs/${row.job_id}/cancel`), async () => undefined],
    [
      "its calling window closed",
      () => update({ callingWindow: { ...ALWAYS, excludeDates: days() } }),
      () => update({ callingWindow: ALWAYS }),
    ],
    ["its country was disabled", () => update({ countries: [] }), () => update({ countries: ["US"] })],
    [
      "the number that calls was suspended",
      () => world.database.query("update phone_numbers set status = 'SUSPENDED'"),
      () => world.database.query("update phone_numbers set status = 'ACTIVE'"),
    ],
    [
      "another node has taken it over",
      (row) => world.database.query("update call_rows set lease_owner = gen_random_uuid() where id = $1", [row.id]),
      async () => undefined,
    ],
    [
      "the lease ran out",
      () =>
        world.database.query("update nodes set alive_until = now() - interval '1 ms' where id = $1", [second.node.id]),
      async () => {
        const former = second.node.id;
        await expect.poll(() => second.node.id, { timeout: 10_000 }).not.toBe(former);
      },
    ],
  ];

  test.each(CHANGES)("%s", async (_what, change, undo) => {
    const row = await claimOne();
    try {
      await change(row);
      expect(await fence.pass(row)).toBeNull();
      expect(await stateOf(row)).toBe("CLAIMED");
    } finally {
      await undo();
    }
  });

  function days(): string[] {
    return [-1, 0, 1].map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10));
  }
});

describe("after the fence", () => {
  test("nothing leaves once the process may have lost its lease, or somebody ended the call", async () => {
    const lease = { holdsLease: true };
    const own = new DialFence(second.database.pool, lease, second.log);
    const ended = new AbortController();
    const assertMayLeave = await own.pass(await claimOne(), ended.signal);
    expect(() => assertMayLeave?.()).not.toThrow();
    lease.holdsLease = false;
    expect(() => assertMayLeave?.(true)).toThrow("lease");
    lease.holdsLease = true;
    ended.abort();
    expect(() => assertMayLeave?.()).toThrow();
  });

  test("a database that is away lets nothing out", async () => {
    const away = { query: () => Promise.reject(new Error("gone")) } as unknown as typeof second.database.pool;
    expect(await new DialFence(away, { holdsLease: true }, second.log).pass(await claimOne())).toBeNull();
  });
});
