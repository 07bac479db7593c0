import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const PHONE = "+12025550142";
const CANARIES = [PHONE, "Canary Person", "canary@example.com", "canary-context"];

/** Tables in which one of the texts stands, in any column, as text or as the bytes of one. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const tables = await world.database.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const hex = texts.map((text) => Buffer.from(text).toString("hex"));
  const found: string[] = [];
  for (const { name } of tables) {
    const [hit] = await world.database.query(
      `select 1 from "${name}" t where exists (select 1 from unnest($1::text[]) c(text) where position(c.text in t::text) > 0) limit 1`,
      [[...texts, ...hex]],
    );
    if (hit) found.push(name);
  }
  return found;
}

/** Files below DATA_DIR in which one of the texts stands. */
function filesWith(texts: string[]): string[] {
  return readdirSync(world.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return texts.some((text) => bytes.includes(text));
    });
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
  expect([again.status, again.body]).toEqual([
    410,
    {
      error: "Gone",
      code: "GONE",
      message: expect.stringContaining("erased") as string,
      details: [],
      requestId: expect.any(String) as string,
    },
  ]);
  const { paths } = (await world.request("GET", "/openapi.json")).body as {
    paths: Record<string, { post?: { responses: Record<string, unknown> } }>;
  };
  expect(paths["/api/external/v1/outbound/calls"]?.post?.responses).toHaveProperty("410");
  const calls = await world.database.query("select 1 from call_rows");
  expect(calls).toHaveLength(1);
});

test("an erasure leaves neither the number nor a word of the transcript in any table or file", async () => {
  const [phone, name, secret] = ["+442079460102", "Canary Of The Mine", "canary-of-the-row"];
  const csv = `customerNumber,contactName,secret\n${phone},${name},${secret}\n`;
  const job = await world.request("POST", `/call-jobs?flowId=${world.sample.flow.id}`, {
    raw: csv,
    headers: { "content-type": "text/csv" },
  });
  expect(job.status, job.text).toBe(200);
  const path = `/call-jobs/${String(job.body.id)}`;
  await world.until(path, ({ completedAt }) => completedAt !== null);
  const rowId = ((await world.request("GET", `${path}/rows`)).body.content as { id: string }[])[0]?.id;
  const row = (await world.request("GET", `/call-rows/${rowId}`)).body;
  const said = (row.transcript as { role: string; content: string }[])
    .filter(({ role, content }) => role === "USER" && content.length > 12)
    .map(({ content }) => content);
  expect(said.length, JSON.stringify(row.transcript)).toBeGreaterThan(0);
  const canaries = [phone, name, secret, ...said];
  expect(await tablesWith([phone])).toContain("call_attempts");
  expect(await tablesWith(said)).toContain("call_results");
  const contacts = (await world.request("GET", `/contacts?phone=${encodeURIComponent(phone)}`)).body.content as {
    id: string;
  }[];
  const erased = await world.request("DELETE", `/contacts/${contacts[0]?.id}`);
  expect(erased.status, erased.text).toBe(204);
  expect([await tablesWith(canaries), filesWith(canaries)]).toEqual([[], []]);
});
