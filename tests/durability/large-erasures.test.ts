import { afterAll, beforeAll, expect, test } from "vitest";
import { releaseHeldRows } from "#src/interactions/calls/queue-rows.ts";
import { createEraseTask, ERASE_TASK } from "#src/interactions/contacts/erase.ts";
import { claimRows } from "#src/interactions/dispatch/claim.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Task, TaskEnd } from "#src/platform/queue/queue.ts";
import { SecondNode } from "../kit/second-node.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { World } from "../kit/world.ts";

/* A person of very many calls and chats is erased in steps, of which each is stored or not. */

const FROM = "+442079460160";
const [CALLS, CHATS] = [650, 250];

/** A world that neither claims nor runs tasks. */
let world: World;
let second: SecondNode;
let workspaceId: string;
beforeAll(async () => {
  world = await World.start({ roles: ["api"], env: { PARLEY_SECRET: "a secret that all nodes share" } });
  ({ workspaceId } = world.sample);
  second = await SecondNode.join(world);
  await world.request("POST", "/phone-numbers", { body: { provider: "SANDBOX", phoneNumber: FROM } });
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Inserts a person with calls and chats in all of which `word` was said; returns the id of the contact. */
async function addPerson(phone: string, word: string): Promise<string> {
  const id = uuidv7();
  const query = (text: string, values: unknown[]) => world.database.query(text, [workspaceId, ...values]);
  await query("insert into contacts (workspace_id, id, phone, identifier, name) values ($1, $2, $3, $4, $4)", [
    id,
    phone,
    word,
  ]);
  await query(
    `with calls as (
       insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country,
         number_class, phone_number_id, due_at, attempts_made, ended_at, contact_name)
       select $1, uuidv7(), gen_random_uuid(), gen_random_uuid(), 'COMPLETED', 'ANSWERED', $2, 'US', 'UNKNOWN', n.id, now(), 1,
         now() - make_interval(secs => i), $3
         from phone_numbers n, generate_series(1, ${CALLS}) i where n.workspace_id = $1 and n.number = '${FROM}'
       returning id)
     insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms, model_ms, usage,
       recorded)
     select $1, id, json_build_array(json_build_object('role', 'USER', 'content', $3::text)), '{}', '{}', 1, '[]', '{}', false
       from calls`,
    [phone, word],
  );
  await query(
    `with chats as (
       insert into chat_sessions (workspace_id, id, channel, provider, simulated, status, mode, ai_mode, is_inline, plan,
         idle_timeout_seconds, opening_due, contact_id, contact_name, contact_identifier, ended_at, finished_at)
       select $1, uuidv7(), 'CHAT', 'PARLEY', true, 'CLOSED', 'TEXT', 'AUTO', false, '{}', 60, false, $2, $3, $3, now(), now()
         from generate_series(1, ${CHATS}) returning id)
     insert into chat_messages (workspace_id, id, session_id, position, anchor, role, content)
     select $1, uuidv7(), id, 1, 1, 'USER', $3 from chats`,
    [id, word],
  );
  return id;
}

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

const erase = async (id: string) => (await world.request("DELETE", `/contacts/${id}`)).status;
const read = (id: string) => world.request("GET", `/contacts/${id}`);
const claim = () => claimRows(second.database.pool, second.node.id, 50, 50);

async function taskOf(id: string): Promise<Task> {
  const [task] = await world.database.query<Task>(
    `select id, workspace_id as "workspaceId", subject_id as "subjectId", payload, 1 as attempt, created_at as "createdAt"
       from tasks where kind = $1 and subject_id = $2`,
    [ERASE_TASK, id],
  );
  return task as Task;
}

/** Runs the task until a number of its transactions have ended, as a process does that is gone then. */
async function run(task: Task, transactions = Number.POSITIVE_INFINITY): Promise<TaskEnd> {
  const controller = new AbortController();
  const { db } = second.database;
  let left = transactions;
  const counted = {
    transaction: () => ({
      execute: async (work: Parameters<ReturnType<typeof db.transaction>["execute"]>[0]) => {
        const result = await db.transaction().execute(work);
        if (--left <= 0) controller.abort();
        return result;
      },
    }),
  };
  const handler = createEraseTask({ ...second.database, db: counted as unknown as typeof db }, releaseHeldRows);
  return handler(task, controller.signal);
}

test("a person of very many calls and chats is gone once each step is done, and neither called nor written to before", async () => {
  const [phone, word] = ["+12025550177", "Zebediah"];
  const id = await addPerson(phone, word);
  expect(await erase(id)).toBe(202);
  expect((await read(id)).body).toMatchObject({ callCount: CALLS - 200, chatCount: CHATS - 200, name: word });
  // Somebody asks again, calls and writes.
  expect(await erase(id)).toBe(202);
  const call = await world.request("POST", "/outbound/calls", {
    body: { customerNumber: phone, fromPhoneNumber: FROM },
  });
  expect(call.status, call.text).toBe(200);
  const chat = { channel: "CHAT", contactIdentifier: word, flow: { name: "C", firstMessage: "Hello." } };
  const refused = await world.request("POST", "/outbound/chats", { body: chat });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("OPT_OUT_REVIEW") as string]);
  expect((await claim()).filter(({ attempt_id: attempt }) => attempt !== null)).toEqual([]);
  const task = await taskOf(id);
  expect(await run(task, 1)).toMatchObject({ kind: "LATER" });
  expect((await read(id)).body).toMatchObject({ callCount: CALLS - 400, chatCount: 0 });
  // The person has written meanwhile.
  await world.database.query(
    `update chat_sessions set contact_id = $1, finished_at = null where id in (select max(id::text)::uuid from chat_sessions)`,
    [id],
  );
  expect(await run(task)).toMatchObject({ kind: "LATER", error: expect.stringContaining("chat") as string });
  expect((await read(id)).body).toMatchObject({ callCount: 0, chatCount: 1, name: word });
  await world.database.query("update chat_sessions set finished_at = now(), contact_name = $2 where contact_id = $1", [
    id,
    word,
  ]);
  expect(await run(task)).toEqual({ kind: "DONE" });
  expect([(await read(id)).status, await erase(id)]).toEqual([404, 404]);
  expect(await tablesWith(word)).toEqual([]);
  const events = await world.database.query("select data from events where subject_id = $1", [id]);
  expect(events).toEqual([{ data: { calls: CALLS, chats: CHATS } }]);
  expect(await world.database.query("select from contact_erasures")).toEqual([]);
  expect(await world.database.query("select from erased_sessions")).toEqual([]);
  const [forget] = await world.database.query(
    "select json_array_length(payload -> 'ids') as ids from tasks where kind = 'contact.forget' and subject_id = $1",
    [id],
  );
  expect(forget).toEqual({ ids: CALLS + CHATS });
  // The call that was asked for since is one with a new person.
  await expect.poll(async () => (await claim()).length).toBe(1);
  // A task that comes twice finds nothing.
  expect(await run(task)).toEqual({ kind: "DONE" });
});

test("a person of a few calls is gone with the reply", async () => {
  const [phone, word] = ["+12025550178", "Ottoline"];
  const id = await addPerson(phone, word);
  await world.database.query(
    "delete from call_rows where customer_number = $1 and id not in (select id from call_rows where customer_number = $1 limit 199)",
    [phone],
  );
  await world.database.query(
    "delete from call_results s where not exists (select from call_rows r where r.id = s.row_id)",
  );
  await world.database.query(
    "update chat_sessions set contact_id = null, contact_name = null, contact_identifier = null",
  );
  await world.database.query("update chat_messages set content = ''");
  expect(await erase(id)).toBe(204);
  expect([await tablesWith(word), await tablesWith(phone)]).toEqual([[], []]);
});

test("an erasure whose server is killed between steps goes on by itself", { timeout: 120_000 }, async () => {
  const [phone, word] = ["+12025550179", "Philippa"];
  const id = await addPerson(phone, word);
  expect(await erase(id)).toBe(202);
  await world.database.query(
    `create function take_time() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return null; end'`,
  );
  await world.database.query(
    "create trigger take_time before update on call_rows for each statement execute function take_time()",
  );
  const server = await ServerProcess.create({ DATABASE_URL: world.database.url });
  try {
    await server.start();
    const erased = async () =>
      (await world.database.query("select from erased_sessions where contact_id = $1", [id])).length;
    await expect.poll(erased, { timeout: 30_000, interval: 20 }).toBeGreaterThan(400);
    server.kill();
    await server.gone;
    const left = (await read(id)).body.callCount as number;
    expect(left).toBeGreaterThan(0);
    await server.start();
    await expect.poll(async () => (await read(id)).status, { timeout: 60_000 }).toBe(404);
    await expect.poll(() => tablesWith(word), { timeout: 20_000 }).toEqual([]);
  } finally {
    await server.stop();
  }
});
