import { afterAll, beforeAll, expect, test } from "vitest";
import { SEALED_RESULTS } from "#src/authoring/tool-runs/result-cache.ts";
import { inTransaction, type Database } from "#src/platform/db/database.ts";
import { KeyRing } from "#src/platform/kernel/key-ring.ts";
import { createSecretBox } from "#src/platform/kernel/secret-box.ts";
import { resealWindow } from "#src/platform/secrets/reseal.ts";
import { openForReads } from "../kit/read-costs.ts";

const WORKSPACE = "55555555-5555-4555-8555-555555555555";
const MANY = 501;
const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

let database: Database;
beforeAll(async () => {
  database = await openForReads(WORKSPACE);
});
afterAll(() => database.close());

test("a window of sealed values is sealed anew by one statement, which waits for no row", async () => {
  const { pool } = database;
  const former = createSecretBox(new KeyRing(OLD));
  const hex = (i: number) => i.toString(16).padStart(64, "0");
  const tool = "11111111-1111-4111-8111-111111111111";
  const place = (i: number) => [WORKSPACE, "tool_results", tool, hex(i), hex(i)].join("|");
  const numbers = Array.from({ length: MANY }, (_, i) => i);
  await pool.query(
    `insert into tool_results (workspace_id, tool_id, owner, key, result, expires_at)
     select $1, $2, decode(k, 'hex'), decode(k, 'hex'), r, now() from unnest($3::text[], $4::bytea[]) x (k, r)`,
    [WORKSPACE, tool, numbers.map(hex), numbers.map((i) => former.seal(`answer ${i}`, place(i)))],
  );
  await pool.query("create table statements (n int)");
  await pool.query(
    `create function note_statement() returns trigger language plpgsql as
     'begin insert into statements values (1); return null; end'`,
  );
  await pool.query(
    "create trigger note_statement after update on tool_results for each statement execute function note_statement()",
  );
  const keys = new KeyRing(NEW, OLD);
  const box = createSecretBox(keys);
  const window = await inTransaction(pool, (client) => resealWindow(client, box, keys.currentId, SEALED_RESULTS, null));
  expect(window).toMatchObject({ found: 500, resealed: 500, unreadable: 0 });
  const rest = await inTransaction(pool, (client) =>
    resealWindow(client, box, keys.currentId, SEALED_RESULTS, window.next),
  );
  expect(rest).toEqual({ next: null, found: 1, resealed: 1, unreadable: 0 });
  expect((await pool.query("select 1 from statements")).rowCount).toBe(2);
  const stored = await pool.query<{ result: Buffer }>("select result from tool_results order by owner");
  const open = createSecretBox(new KeyRing(NEW));
  expect(stored.rows.map(({ result }, i) => open.open(result, place(i)))).toEqual(numbers.map((i) => `answer ${i}`));
});
