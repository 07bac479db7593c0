import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sample, type TestReply, World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = TestReply["body"];

/** A workspace of its own, so that a digest counts only the calls of its test. */
class Own {
  readonly #sample: Sample;
  #digestId: unknown;

  private constructor(sample: Sample) {
    this.#sample = sample;
  }

  static async make(): Promise<Own> {
    const own = new Own(await world.createWorkspace());
    own.#digestId = (await own.ask("POST", "/automations", { name: "Digest", kind: "DAILY_DIGEST" })).id;
    return own;
  }

  async ask(method: string, path: string, body?: Body): Promise<Body> {
    const reply = await world.request(method, path, { key: this.#sample.apiKey, ...(body ? { body } : {}) });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  }

  /** Asks until the reply is as wanted. */
  until(path: string, isReached: (body: Body) => boolean): Promise<Body> {
    return world.until(path, isReached, undefined, this.#sample.apiKey);
  }

  /** Makes a job whose calls wait for an hour, and returns its path and its rows. */
  async makeWaiting(size: number): Promise<{ job: string; rows: Body[] }> {
    const rows = Array.from({ length: size }, () => ({ customerNumber: "+12025550100" }));
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const job = `/call-jobs/${String((await this.ask("POST", "/call-jobs", { rows, startAt })).id)}`;
    return { job, rows: (await this.ask("GET", `${job}/rows?size=10`)).content as Body[] };
  }

  /** Runs the digest by hand, and returns what its JSON says. */
  async digest(): Promise<Body> {
    // The ids of events have milliseconds, and a digest ends before the millisecond in which it is asked for.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const path = `/automations/${String(this.#digestId)}`;
    const run = await this.ask("POST", `${path}/run`);
    await this.until(`${path}/runs`, ({ content }) =>
      (content as Body[]).some(({ id, endedAt }) => id === run.id && endedAt !== null),
    );
    const { content } = await this.ask("GET", `${path}/artifacts?size=200`);
    const made = (content as Body[]).find(({ type, runId }) => type === "JSON" && runId === run.id);
    return (await this.ask("GET", `/artifacts/${String(made?.id)}`)).content as Body;
  }

  /** Lets the next digest begin now. */
  async cover(): Promise<void> {
    await world.database.query("update automations set covered_until = now() where id = $1", [this.#digestId]);
  }
}

test("a digest counts the rows that were cancelled with their job, and each of them once", async () => {
  const own = await Own.make();
  const { job, rows } = await own.makeWaiting(2_100);
  await own.ask("POST", `/call-rows/${String(rows[0]?.id)}/cancel`);
  await own.ask("POST", `${job}/cancel`);
  const ended = { calls: 2_100, byStatus: [{ value: "CANCELLED", count: 2_100 }] };
  expect(await own.digest()).toMatchObject({ ...ended, completedJobs: [{ status: "CANCELLED" }] });
  await own.cover();
  expect(await own.digest()).toMatchObject({ calls: 0, completedJobs: [] });
});

test("a call that ended, was put back and cancelled with its job is counted once, with its last end", async () => {
  const own = await Own.make();
  const retryConfig = { maxAttempts: 1 };
  const created = await own.ask("POST", "/call-jobs", { rows: [{ customerNumber: "+12025550110" }], retryConfig });
  const job = `/call-jobs/${String(created.id)}`;
  await own.until(job, ({ completedAt }) => completedAt !== null);
  // The number is at rest, so that the call that is put back waits.
  await world.database.query("update phone_numbers set next_dial_at = now() + interval '100 seconds'");
  await own.ask("POST", `${job}/retry-failed`);
  await own.ask("POST", `${job}/cancel`);
  expect(await own.digest()).toMatchObject({ calls: 1, byStatus: [{ value: "CANCELLED", count: 1 }] });
});

test("a digest counts all jobs that finished, also those that it has no room to list", async () => {
  const own = await Own.make();
  const { job } = await own.makeWaiting(1);
  await own.ask("POST", `${job}/cancel`);
  // 250 copies of the job and of the event of its end.
  await world.database.query(
    `with copies as (
       insert into call_jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid()))).*
         from call_jobs j, generate_series(1, 250) where j.id = $1 returning id)
     insert into events select (jsonb_populate_record(e, jsonb_build_object('subject_id', c.id,
       'id', overlay(e.id::text placing right(gen_random_uuid()::text, 12) from 25)))).*
       from events e cross join copies c where e.subject_id = $1 and e.type = 'call_job.completed'`,
    [job.slice("/call-jobs/".length)],
  );
  const digest = await own.digest();
  expect([(digest.completedJobs as Body[]).length, digest.completedJobCount]).toEqual([200, 251]);
});
