import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimRows } from "#src/interactions/dispatch/claim.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

test("a number that is put on the do-not-call list while its retry waits is not rung again", async () => {
  const retryConfig = { maxAttempts: 3, delaysSeconds: [3_600], jitterPercent: 0 };
  await world.operator("workspace.update", { id: world.sample.workspaceId, sandboxSpeed: 1000 });
  const placed = await world.request("POST", "/outbound/calls", {
    body: { customerNumber: "+12025550110", retryConfig },
  });
  const path = `/call-rows/${String(placed.body.rowId)}`;
  const waiting = await world.until(path, (row) => row.status === "WAITING_FOR_RETRY");
  expect(waiting).toMatchObject({ attempt: 1, maxAttempts: 3, outcome: "BUSY" });
  await world.database.query(
    "insert into do_not_call (workspace_id, number, source) values ($1, '+12025550110', 'OPERATOR')",
    [world.sample.workspaceId],
  );
  const row = await world.until(path, (body) => body.endedAt !== null);
  expect(row).toMatchObject({ status: "SKIPPED", attempt: 1, error: { code: "DO_NOT_CALL" } });
  expect(row.attempts).toHaveLength(1);
});

test("only enabled countries are dialled; the check is made at the dial, not when the call is queued", async () => {
  const other = await world.createWorkspace();
  await world.operator("workspace.update", { id: other.workspaceId, countries: ["GB"] });
  const call = async (customerNumber: string) => {
    const placed = await world.request("POST", "/outbound/calls", { body: { customerNumber }, key: other.apiKey });
    const path = `/call-rows/${String(placed.body.rowId)}`;
    return world.until(path, ({ endedAt }) => endedAt !== null, undefined, other.apiKey);
  };
  expect(await call("+442079460100")).toMatchObject({ status: "COMPLETED" });
  expect(await call("+12025550100")).toMatchObject({ status: "SKIPPED", error: { code: "COUNTRY_NOT_ENABLED" } });
  await world.operator("workspace.update", { id: other.workspaceId, countries: ["GB", "US"] });
  expect(await call("+12025550100")).toMatchObject({ status: "COMPLETED" });
});

test("a LIVE workspace dials no country until one is enabled, and no number that does not exist", async () => {
  const live = (await world.operator("workspace.create", {
    name: "Live",
    mode: "LIVE",
    sample: true,
    sandboxSpeed: "instant",
  })) as {
    workspaceId: string;
    apiKey: string;
  };
  const call = async (customerNumber: string) => {
    const placed = await world.request("POST", "/outbound/calls", { body: { customerNumber }, key: live.apiKey });
    for (;;) {
      const { body } = await world.request("GET", `/call-rows/${String(placed.body.rowId)}`, { key: live.apiKey });
      if (body.endedAt !== null) return body;
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
  };
  expect(await call("+12025550100")).toMatchObject({ status: "SKIPPED", error: { code: "COUNTRY_NOT_ENABLED" } });
  await world.operator("workspace.update", { id: live.workspaceId, countries: ["US"] });
  expect(await call("+15551234567")).toMatchObject({ status: "SKIPPED", error: { code: "INVALID_NUMBER" } });
  expect(await call("+12025550100")).toMatchObject({ status: "COMPLETED" });
});

describe("a number of a LIVE workspace that limits its attempts", () => {
  type Row = Record<string, unknown> & {
    id: string;
    status: string;
    nextAttemptAt: string;
    attempts: { id: string; endedAt: string }[];
  };
  /** Time zone where it is noon now, so that no test crosses midnight. */
  const hoursAhead = 12 - new Date().getUTCHours();
  const timeZone = `Etc/GMT${hoursAhead > 0 ? "-" : "+"}${Math.abs(hoursAhead)}`;
  const nextMidnight = new Date(new Date().setUTCHours(24 - hoursAhead, 0, 0, 0)).toISOString();
  let key: string;
  let workspaceId: string;

  beforeAll(async () => {
    const live = { name: "Limits", mode: "LIVE", sample: true, sandboxSpeed: "instant", countries: ["US"] };
    // The tests poll a call until it is over, however long that takes.
    const rateLimit = { capacity: 10_000, refill: 10_000, periodSeconds: 1 };
    const made = (await world.operator("workspace.create", { ...live, callingWindow: null, rateLimit })) as Record<
      string,
      string
    >;
    key = String(made.apiKey);
    workspaceId = String(made.workspaceId);
  });

  const limit = (pace: Record<string, number | null>) =>
    world.operator("workspace.update", { id: workspaceId, ...pace });

  async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const reply = await world.request(method, path, { key, ...(body === undefined ? {} : { body }) });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  }

  async function call(customerNumber: string): Promise<string> {
    return String((await ask("POST", "/outbound/calls", { customerNumber, timeZone })).rowId);
  }

  async function settle(rowId: string): Promise<Row> {
    for (;;) {
      const row = (await ask("GET", `/call-rows/${rowId}`)) as Row;
      // A wait of just five minutes comes from the claim itself, before the row has been moved.
      const waits = row.status === "WAITING_FOR_WINDOW" && Date.parse(row.nextAttemptAt) > Date.now() + 360_000;
      if (waits || row.endedAt !== null) return row;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test("is dialled so often in its day by all jobs and calls together, and then on its next day", async () => {
    expect(await limit({})).toMatchObject({ maxAttemptsPerDay: 3, attemptGapMinutes: null });
    await limit({ maxAttemptsPerDay: 2 });
    const number = "+14155553000";
    const ring = async () => settle(await call(number));
    expect((await ring()).attempts).toHaveLength(1);
    const rows = [{ customerNumber: number, timeZone }];
    const retryConfig = { maxAttempts: 1 };
    const job = `/call-jobs/${String((await ask("POST", "/call-jobs", { rows, retryConfig })).id)}`;
    const [listed] = (await ask("GET", `${job}/rows`)).content as Row[];
    expect((await settle(String(listed?.id))).attempts).toHaveLength(1);
    const third = await ring();
    expect(third).toMatchObject({ status: "WAITING_FOR_WINDOW", attempts: [], error: { code: "ATTEMPTS_PER_DAY" } });
    expect(third.nextAttemptAt).toBe(nextMidnight);
    expect((await settle(await call("+14155553001"))).attempts).toHaveLength(1);
    for (let i = 0; i < 3; i++) expect((await settle(await call("+12025550100"))).status).toBe("COMPLETED");

    const judged = await ask("POST", "/call-jobs/preflight", { rows: [...rows, { customerNumber: "+14155553002" }] });
    expect(judged).toMatchObject({ callableRows: 2, skippedRows: 0, waitingForWindowRows: 0 });
    expect(judged.waits).toMatchObject([{ code: "ATTEMPTS_PER_DAY", count: 1, rows: [{ customerNumber: number }] }]);

    await world.database.query(
      "update call_attempts set submitted_at = submitted_at - interval '1 day' where workspace_id = $1",
      [workspaceId],
    );
    await world.database.query("update call_rows set due_at = now(), window_opens_at = null where id = $1", [third.id]);
    const rung = await settle(String(third.id));
    expect(rung.attempts).toHaveLength(1);
    expect(rung.error).not.toMatchObject({ code: "ATTEMPTS_PER_DAY" });
  });

  test("is let out at once when the limit is taken away", async () => {
    await limit({ maxAttemptsPerDay: 1 });
    const number = "+14155553010";
    await settle(await call(number));
    const held = await call(number);
    expect(await settle(held)).toMatchObject({ status: "WAITING_FOR_WINDOW" });
    await limit({ maxAttemptsPerDay: null });
    await expect.poll(async () => (await settle(held)).attempts.length).toBe(1);
    await expect(limit({ maxAttemptsPerDay: 0 })).rejects.toThrow("maxAttemptsPerDay");
    await expect(limit({ attemptGapMinutes: 1.5 })).rejects.toThrow("attemptGapMinutes");
  });

  test("is left alone for the gap after its last attempt", async () => {
    await limit({ attemptGapMinutes: 45 });
    const number = "+14155553020";
    const first = await settle(await call(number));
    const held = await settle(await call(number));
    expect(held).toMatchObject({ status: "WAITING_FOR_WINDOW", attempts: [], error: { code: "ATTEMPT_GAP" } });
    expect(Date.parse(held.nextAttemptAt) - Date.parse(String(first.attempts[0]?.endedAt))).toBe(45 * 60_000);
    await limit({ attemptGapMinutes: null });
    await expect.poll(async () => (await settle(held.id)).attempts.length).toBe(1);
  });

  test("is not dialled by two claims that counted before either wrote", async () => {
    await limit({ maxAttemptsPerDay: 1 });
    const number = "+14155553030";
    const [one, two] = [await prepare(number, 0), await prepare(number, 1)];
    const [node] = await findNodes();
    const [first, second] = [await Claimer.open(), await Claimer.open()];
    try {
      await first.makeDue(one);
      await second.makeDue(two);
      expect((await first.claim(String(node?.id))).map((row) => row.job_id)).toEqual([one]);
      const racing = second.claim(String(node?.id));
      await expect.poll(() => second.waits()).toBe(true);
      // The whole call of the first node ends before the second may write.
      await first.query(
        "update call_attempts set state = 'ENDED', ended_at = now() where ended_at is null and customer_number = $1",
        [number],
      );
      await first.query("commit");
      expect((await racing).filter((row) => row.attempt_id !== null)).toEqual([]);
      await second.query("commit");
    } finally {
      await first.close();
      await second.close();
    }
    const [row] = (await ask("GET", `/call-jobs/${two}/rows`)).content as Row[];
    expect(await settle(String(row?.id))).toMatchObject({ attempts: [], error: { code: "ATTEMPTS_PER_DAY" } });
  });

  test("is left alone for the gap by a claim that saw its last attempt live", async () => {
    await limit({ maxAttemptsPerDay: null, attemptGapMinutes: 45 });
    const number = "+14155553040";
    const [one, two] = [await prepare(number, -1), await prepare(number, -2)];
    const [node] = await findNodes();
    const [first, second] = [await Claimer.open(), await Claimer.open()];
    try {
      await first.makeDue(one);
      expect((await first.claim(String(node?.id))).map((row) => row.job_id)).toEqual([one]);
      await first.query("commit");
      // The call ends in a transaction that is still open when the other claim begins.
      await first.query("begin");
      await first.query(
        "update call_attempts set state = 'ENDED', ended_at = now() where ended_at is null and customer_number = $1",
        [number],
      );
      await second.makeDue(two);
      let isClaimed = false;
      const racing = second.claim(String(node?.id)).finally(() => (isClaimed = true));
      await expect.poll(async () => isClaimed || (await second.waits())).toBe(true);
      await first.query("commit");
      expect((await racing).filter((row) => row.attempt_id !== null)).toEqual([]);
      await second.query("commit");
    } finally {
      await first.close();
      await second.close();
    }
    const [row] = (await ask("GET", `/call-jobs/${two}/rows`)).content as Row[];
    expect(await settle(String(row?.id))).toMatchObject({ attempts: [], error: { code: "ATTEMPT_GAP" } });
    await limit({ attemptGapMinutes: null });
  });

  const findNodes = () => world.database.query<{ id: string }>("select id from nodes where alive_until > now()", []);

  /** Creates a job of one row from a number of its own, which nobody starts. */
  async function prepare(customerNumber: string, from: number): Promise<string> {
    const phoneNumber = `+4420794601${90 + from}`;
    await world.request("POST", "/phone-numbers", { key, body: { provider: "SANDBOX", phoneNumber } });
    const rows = [{ customerNumber, timeZone }];
    const body = { rows, startAt: nextMidnight, fromPhoneNumbers: [phoneNumber] };
    return String((await ask("POST", "/call-jobs", body)).id);
  }

  /** A node's connection, in a transaction whose changes no other connection sees. */
  class Claimer {
    readonly #client = new pg.Client({ connectionString: world.database.url });
    pid = 0;

    static async open(): Promise<Claimer> {
      const claimer = new Claimer();
      await claimer.#client.connect();
      claimer.pid = Number((await claimer.query("select pg_backend_pid() as pid"))[0]?.pid);
      await claimer.query("begin");
      return claimer;
    }

    async makeDue(jobId: string): Promise<void> {
      await this.query("update call_jobs set status = 'RUNNING' where id = $1", [jobId]);
      await this.query("update lanes set is_open = true, next_look_at = '-infinity' where job_id = $1", [jobId]);
      await this.query("update call_rows set due_at = now() - interval '1 day' where job_id = $1", [jobId]);
    }

    /** True while the connection waits for a lock. */
    async waits(): Promise<boolean> {
      const text = "select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'";
      return (await world.database.query(text, [this.pid])).length === 1;
    }

    claim(nodeId: string) {
      return claimRows(this.#client as unknown as pg.Pool, nodeId, 1, 1);
    }

    async query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
      return (await this.#client.query<Record<string, unknown>>(text, values)).rows;
    }

    close(): Promise<void> {
      return this.#client.end();
    }
  }
});
