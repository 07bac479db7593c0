import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const PHONE = "+12025550142";
const CANARIES = [PHONE, "Canary Person", "canary@example.com", "canary-context"];

/** Tables in which one of the texts stands, in any column. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const tables = await world.database.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [hit] = await world.database.query(
      `select 1 from "${name}" t where exists (select 1 from unnest($1::text[]) c(text) where position(c.text in t::text) > 0) limit 1`,
      [texts],
    );
    if (hit) found.push(name);
  }
  return found;
}

test("an erasure reaches the replies that are kept for repeated requests, and a repeat does nothing again", async () => {
  const body = {
    customerNumber: PHONE,
    contactName: "Canary Person",
    contactEmail: "canary@example.com",
    contextData: { about: "canary-context" },
    flowId: world.sample.flow.id,
  };
  const send = () =>
    world.request("POST", "/outbound/calls", { body, headers: { "idempotency-key": "canary-request-1" } });
  const placed = await send();
  expect(placed.status, placed.text).toBe(200);
  const { content } = (await world.request("GET", "/call-history")).body as { content: { id: string }[] };
  expect(content.length).toBeLessThanOrEqual(1);
  await world.until("/call-history", (page) =>
    (page.content as { endedAt: string | null }[]).some((row) => row.endedAt !== null),
  );
  expect(await tablesWith(CANARIES)).toContain("idempotency_keys");
  const contacts = (await world.request("GET", `/contacts?phone=${encodeURIComponent(PHONE)}`)).body.content as {
    id: string;
  }[];
  const erased = await world.request("DELETE", `/contacts/${contacts[0]?.id}`);
  expect(erased.status, erased.text).toBeLessThan(300);
  expect(await tablesWith(CANARIES)).toEqual([]);
  const again = await send();
  expect([again.status, again.body.code]).toEqual([410, "GONE"]);
  const calls = await world.database.query("select 1 from call_rows");
  expect(calls).toHaveLength(1);
});
