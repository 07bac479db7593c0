import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../kit/pauses/judge.ts";
import { PausedNodes } from "../kit/pauses/paused-nodes.ts";

/* A node that is paused between claim and dial, beyond its lease. None of the carriers bars an attempt that it is asked about. */

let paused: PausedNodes;
beforeAll(async () => {
  paused = await PausedNodes.open(["TWILIO"]);
}, 120_000);
afterAll(() => paused[Symbol.asyncDispose]());

test(
  "a paused node that wakes dials nobody of a job that was cancelled meanwhile, and goes on as another node",
  { timeout: 120_000 },
  async () => {
    const [sleeper, other] = paused.nodes;
    // Only one claims, and it has more calls than it may dial at once: they wait for their turn.
    other.kill("SIGSTOP");
    const people = Array.from({ length: 12 }, () => paused.newPerson("TWILIO"));
    const job = await paused.post("TWILIO", people, sleeper);
    await paused.until(
      async () => (paused.rings().length > 0 ? paused.countWaiting() : 0),
      (waiting) => waiting >= 2,
    );
    sleeper.kill("SIGSTOP");
    other.kill("SIGCONT");
    const [holder] = await paused.database.query<{ lease_owner: string }>(
      "select lease_owner from call_rows where job_id = $1 and lease_owner is not null",
      [job],
    );
    const nodes = await paused.database.query<{ id: string }>("select id from nodes where alive_until > now()");
    await paused.ask("TWILIO", "POST", `/call-jobs/${job}/cancel`, undefined, other);
    const cancelledMs = Date.now();
    await paused.until(
      () =>
        paused.database.query<{ n: number }>("select count(*)::int as n from call_rows where lease_owner = $1", [
          holder?.lease_owner,
        ]),
      (rows) => rows[0]?.n === 0,
    );
    const rungBefore = paused.rings().length;
    sleeper.kill("SIGCONT");
    await paused.until(
      () => fetch(`${sleeper.url}/ready`).then(({ status }) => status),
      (status) => status === 200,
    );
    // Whatever waited in it for its turn has had it by now.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(paused.rings().length).toBe(rungBefore);
    expect(await judge(paused.database, paused.rings(), new Map([[job, cancelledMs]]))).toEqual({
      rungTwice: [],
      afterEnd: [],
      afterCancel: [],
      offPace: [],
    });
    const now = await paused.database.query<{ id: string }>("select id from nodes where alive_until > now()");
    expect(now).toHaveLength(2);
    expect(now.filter(({ id }) => nodes.some((one) => one.id === id)).length).toBeLessThan(2);
    // What had left before the pause is settled with the carrier.
    await paused.until(
      () => paused.database.query<{ held: number }>("select sum(active_calls)::int as held from phone_numbers"),
      ([slots]) => slots?.held === 0,
    );
  },
);
