import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ChatHarness, type Json } from "../kit/chat-harness.ts";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

let world: World;
let harness: ChatHarness;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  world = await World.start({ env: { OUTBOUND_ALLOW: new URL(receiver.url).host } });
  harness = new ChatHarness(world);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Fictional numbers of people who agree to everything and take every message. */
const FREE = Array.from({ length: 14 }, (_, i) => `+120255501${56 + i}`);
const nextNumber = () => FREE.pop() as string;

type Contact = Json & { id: string };

describe("erasure", () => {
  const WORD = "Zebediah";
  /** Tables that hold a word anywhere, read past the service. */
  async function tablesWith(word: string): Promise<string[]> {
    const tables = await world.database.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await world.database.query(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${word}%`]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  test("of a call that was put back reaches what webhooks were told before, and nobody dials it again", async () => {
    const [phone, contactName] = ["+12025550110", "Ottoline"];
    const hook = { url: `${receiver.url}/hook`, events: ["session.ended"] };
    const hookId = String((await world.request("POST", "/session-webhooks", { body: hook })).body.id);
    const flow = (await world.request("POST", "/flows", { body: { name: "Again", firstMessage: "Hello." } })).body;
    const body = { rows: [{ customerNumber: phone, contactName }], flowId: flow.id };
    const path = `/call-jobs/${String((await world.request("POST", "/call-jobs", { body })).body.id)}`;
    const retry = async () => (await world.request("POST", `${path}/retry-failed?outcome=BUSY`)).body.retriedRows;
    await world.until(path, ({ completedAt }) => completedAt !== null);
    expect(await retry()).toBe(1);
    await world.until(path, ({ completedAt }) => completedAt !== null);
    const reported = () =>
      world.database.query("select 1 from tasks where payload::text like $1", [`%${contactName}%`]);
    expect(await reported()).toHaveLength(2);
    const [contact] = await harness.contacts({ phone });
    expect((await world.request("DELETE", `/contacts/${String(contact?.id)}`)).status).toBe(204);
    expect(await retry()).toBe(0);
    await expect.poll(reported, { timeout: 20_000 }).toEqual([]);
    await world.request("DELETE", `/session-webhooks/${hookId}`);
  });

  test("reaches a webhook that was on its way soon after its receiver has answered", async () => {
    const [phone, contactName] = [nextNumber(), "Philippa"];
    const hook = { url: `${receiver.url}/hook`, events: ["session.ended"] };
    const hookId = String((await world.request("POST", "/session-webhooks", { body: hook })).body.id);
    const { promise, resolve } = Promise.withResolvers<void>();
    receiver.gate = promise;
    const before = receiver.received.length;
    await world.call(phone, { contactName });
    await receiver.waitFor(before + 1);
    const [contact] = await harness.contacts({ phone });
    const id = String(contact?.id);
    expect((await world.request("DELETE", `/contacts/${id}`)).status).toBe(204);
    const told = () => world.database.query("select 1 from tasks where payload::text like $1", [`%${contactName}%`]);
    const tried = () =>
      world.database.query("select 1 from tasks where subject_id = $1 and status = 'PENDING' and last_error <> ''", [
        id,
      ]);
    await expect.poll(tried, { timeout: 20_000 }).toHaveLength(1);
    expect(await told()).toHaveLength(1);
    resolve();
    await expect.poll(told, { timeout: 20_000 }).toEqual([]);
    await world.request("DELETE", `/session-webhooks/${hookId}`);
  });

  test("leaves nothing of what was said and known, and keeps counts, costs and the do-not-call entry", async () => {
    const phone = nextNumber();
    const hook = { url: `${receiver.url}/hook`, events: ["session.ended", "message.created"] };
    const made = await world.request("POST", "/session-webhooks", { body: hook });
    expect(made.status, made.text).toBe(200);
    const rows = [{ customerNumber: phone, contactName: WORD, rowData: { secret: WORD }, contextData: { was: WORD } }];
    const firstMessage = `Hello {{ contactName }}.`;
    const flow = (await world.request("POST", "/flows", { body: { name: "Erased", firstMessage } })).body;
    const job = (await world.request("POST", "/call-jobs", { body: { rows, flowId: flow.id } })).body;
    const jobPath = `/call-jobs/${String(job.id)}`;
    await world.until(jobPath, ({ completedAt }) => completedAt !== null);
    const before = (await world.request("GET", jobPath)).body;
    const [row] = (await world.request("GET", `${jobPath}/rows`)).body.content as Contact[];
    const chat = await harness.started({
      channel: "SMS",
      contactPhone: phone,
      contactName: WORD,
      contextData: { was: WORD },
      flowId: flow.id,
    });
    await harness.delivered(chat.session.id, "DELIVERED");
    const [contact] = await harness.contacts({ phone });
    const path = `/contacts/${String(contact?.id)}`;
    const early = await world.request("DELETE", path);
    expect([early.status, early.body.message]).toEqual([409, expect.stringContaining("chat") as string]);
    await harness.receive("SMS", phone, `STOP`);
    await world.until(`/chat-sessions/${chat.session.id}`, ({ structuredOutputs }) => structuredOutputs !== null);
    expect(await tablesWith(WORD)).toEqual(
      expect.arrayContaining(["call_rows", "call_results", "chat_messages", "tasks"]),
    );
    await world.until(`/chat-sessions/${chat.session.id}/messages`, ({ content }) =>
      (content as Json[]).every(({ deliveryStatus }) => !["QUEUED", "SENT"].includes(String(deliveryStatus))),
    );

    const cost = (await harness.read(chat.session.id)).cost;
    const summary = (await world.request("GET", "/usage/summary")).text;
    for (;;) {
      const erased = await world.request("DELETE", path);
      if (erased.status === 204) break;
      expect(erased.status).toBe(409);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await world.request("GET", path)).status).toBe(404);
    expect((await world.request("DELETE", path)).status).toBe(404);
    const after = (await world.request("GET", `/call-rows/${String(row?.id)}`)).body;
    expect(after).toMatchObject({
      status: "COMPLETED",
      outcome: "ANSWERED",
      customerNumber: "ERASED",
      contactName: null,
      rowData: null,
      contextData: null,
      transcript: [],
      recording: null,
      extractedFields: {},
      cost: row?.cost,
    });
    expect((await world.request("GET", `/call-rows/${String(row?.id)}/recording`)).status).toBe(404);
    expect(await harness.read(chat.session.id)).toMatchObject({ contactPhone: null, contactName: null, cost });
    expect((await harness.messages(chat.session.id)).map(({ content }) => content.trim())).toEqual(["", "", ""]);
    expect((await world.request("GET", jobPath)).body).toEqual(before);
    expect((await world.request("GET", "/usage/summary")).text).toBe(summary);
    expect(await harness.contacts({ phone })).toEqual([]);
    const [ledger] = await world.database.query("select source from do_not_call where number = $1", [phone]);
    expect(ledger).toEqual({ source: "STOP_KEYWORD" });
    expect(await world.database.query("select 1 from call_numbers where number = $1", [phone])).toEqual([]);
    expect(await world.call(phone)).toMatchObject({ error: { code: "DO_NOT_CALL" } });
    // Replies that a repeated Idempotency-Key would get are forgotten after a day.
    for (const deadline = performance.now() + 20_000; ;) {
      const left = (await tablesWith(WORD)).filter((name) => name !== "idempotency_keys");
      if (left.length === 0) break;
      if (performance.now() > deadline) throw new Error(left.join());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  test("waits for nobody who is in a queue: 409 until the job is cancelled", async () => {
    const phone = nextNumber();
    await world.call(phone);
    const [contact] = await harness.contacts({ phone });
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const body = { rows: [{ customerNumber: phone }], startAt };
    const job = (await world.request("POST", "/call-jobs", { body })).body;
    const path = `/contacts/${String(contact?.id)}`;
    const refused = await world.request("DELETE", path);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("waits") as string]);
    // As while a large file is read: its lanes open at the end.
    const lanes = "with gone as (delete from lanes where job_id = $1) update call_jobs set status = $2 where id = $1";
    await world.database.query(lanes, [job.id, "IMPORTING"]);
    expect((await world.request("DELETE", path)).status).toBe(409);
    await world.database.query(lanes, [job.id, "RUNNING"]);
    await world.request("POST", `/call-jobs/${String(job.id)}/cancel`);
    expect((await world.request("DELETE", path)).status).toBe(204);
  });
});
