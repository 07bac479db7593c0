import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { World } from "../kit/world.ts";

const DAY_MS = 86_400_000;
const NOW = Date.now();
/** As stored: the row's status, its live attempt's state, whether it waits for its window; and the status that is shown. */
const STATES: [stored: string, attempt: string | null, waits: boolean, shown: string][] = [
  ["QUEUED", null, false, "QUEUED"],
  ["QUEUED", null, true, "WAITING_FOR_WINDOW"],
  ["WAITING_FOR_RETRY", null, false, "WAITING_FOR_RETRY"],
  ["WAITING_FOR_RETRY", null, true, "WAITING_FOR_WINDOW"],
  ["DIALING", "SUBMITTING", false, "DIALING"],
  ["DIALING", "ACCEPTED", false, "DIALING"],
  ["DIALING", "RINGING", false, "RINGING"],
  ["DIALING", "IN_PROGRESS", false, "IN_PROGRESS"],
  ["DIALING", "UNKNOWN", false, "UNKNOWN"],
  ["UNKNOWN", null, false, "UNKNOWN"],
  ["IN_PROGRESS", null, false, "IN_PROGRESS"],
  ["COMPLETED", null, false, "COMPLETED"],
  ["COMPLETED", null, false, "COMPLETED"],
  ["UNCONFIRMED", null, false, "UNCONFIRMED"],
];

let world: World;
/** An id of version 7 of that moment. */
function idOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Rows of one a day, the newest first. */
const rows = STATES.map(([stored, attempt, waits, shown], i) => ({
  id: idOf(NOW - i * DAY_MS),
  createdAt: new Date(NOW - i * DAY_MS).toISOString(),
  stored,
  attempt,
  waits,
  shown,
  name: [null, "Anna Müller", "Annegret O'Neil-Smith", "Joanna Müller", "عمر الفاروق", "Studio 4012"][i % 6] ?? null,
  number: `+${i % 2 === 0 ? "4930" : "4940"}${1_000_000 + i}`,
}));

beforeAll(async () => {
  // No dispatcher: the rows stay as they are.
  world = await World.start({ roles: ["api"] });
  const { workspaceId, phoneNumber } = world.sample;
  for (const { id, createdAt, stored, attempt, waits, number, name } of rows) {
    const attemptId = attempt === null ? null : randomUUID();
    await world.database.query(
      `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
         phone_number_id, created_at, due_at, window_opens_at, attempt_id, contact_name)
       select $1, $2, $3, gen_random_uuid(), $4, $5, 'DE', 'MOBILE', $6, $7, d.at, case when $8 then d.at end, $9, $10
         from (select now() + interval '1 day' as at) d`,
      [workspaceId, id, NO_JOB, stored, number, phoneNumber.id, createdAt, waits, attemptId, name],
    );
    if (attempt === null) continue;
    await world.database.query(
      `insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number, provider)
       values ($1, $2, $3, 1, $4, $5, $6, 'SANDBOX')`,
      [workspaceId, attemptId, id, attempt, phoneNumber.id, number],
    );
  }
});
afterAll(() => world[Symbol.asyncDispose]());

type Item = { id: string; status: string };

async function list(query: string): Promise<{ ids: string[]; statuses: string[]; total: number; next: string | null }> {
  const { status, text, body } = await world.request("GET", `/call-history?${query}`);
  expect(status, text).toBe(200);
  const content = body.content as Item[];
  return {
    ids: content.map(({ id }) => id),
    statuses: content.map((item) => item.status),
    total: body.totalElements as number,
    next: body.nextCursor as string | null,
  };
}

const idsOf = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).map(({ id }) => id);

test("each status finds exactly the calls that show it, and so do several at once", async () => {
  const shown = [...new Set(STATES.map(([, , , status]) => status))];
  for (const status of shown) {
    const { ids, statuses, total } = await list(`status=${status}`);
    expect(ids).toEqual(idsOf((row) => row.shown === status));
    expect([new Set(statuses), total]).toEqual([new Set([status]), ids.length]);
  }
  const { ids } = await list("status=WAITING_FOR_WINDOW&status=RINGING&status=COMPLETED");
  expect(ids).toEqual(idsOf((row) => ["WAITING_FOR_WINDOW", "RINGING", "COMPLETED"].includes(row.shown)));
});

test("pages by number and by cursor give every call once, in the same order", async () => {
  const byNumber: string[] = [];
  for (let page = 0; page < 4; page++) byNumber.push(...(await list(`size=4&page=${page}`)).ids);
  const byCursor: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await list(cursor === "" ? "size=4" : `size=4&cursor=${cursor}`);
    byCursor.push(...page.ids);
    cursor = page.next;
  }
  expect(byNumber).toEqual(rows.map(({ id }) => id));
  expect(byCursor).toEqual(byNumber);
});

test("the start of a number finds those that start so; anything but a number's start is refused", async () => {
  expect((await list("customerNumberPrefix=%2B4930")).ids).toEqual(idsOf(({ number }) => number.startsWith("+4930")));
  expect((await list(`customerNumberPrefix=${encodeURIComponent(rows[3]?.number ?? "")}`)).ids).toEqual([rows[3]?.id]);
  expect((await list("customerNumberPrefix=%2B4950")).total).toBe(0);
  for (const wrong of ["4930", "%2B", "%2B49%25", "%2B49_", "%2B1234567890123456", "%00"]) {
    expect((await world.request("GET", `/call-history?customerNumberPrefix=${wrong}`)).status).toBe(400);
  }
});

test("a number or a time in a query may have its plus as it is typed; what is no number is refused", async () => {
  const number = rows[3]?.number ?? "";
  for (const typed of [number, encodeURIComponent(number)])
    expect((await list(`customerNumber=${typed}`)).ids).toEqual([rows[3]?.id]);
  expect((await list("customerNumberPrefix=+4930")).total).toBe((await list("customerNumberPrefix=%2B4930")).total);
  expect((await list("createdAfter=2026-01-01T00:00:00+01:00")).total).toBe(rows.length);
  for (const wrong of [number.slice(1), "0301234567", "Anna"]) {
    const { status, text } = await world.request("GET", `/call-history?customerNumber=${wrong}`);
    expect([wrong, status], text).toEqual([wrong, 400]);
  }
  expect((await list(`customerNumber=web:${crypto.randomUUID()}`)).total).toBe(0);
});

test("one search finds names by how their words begin, without case and accents, and numbers by any part", async () => {
  const found = async (text: string) => (await list(`search=${encodeURIComponent(text)}`)).ids;
  const named = (...names: string[]) => idsOf(({ name }) => name !== null && names.includes(name));
  expect(await found("ann")).toEqual(named("Anna Müller", "Annegret O'Neil-Smith"));
  expect(await found("MULLER an")).toEqual(named("Anna Müller"));
  expect(await found("neil")).toEqual(named("Annegret O'Neil-Smith"));
  expect(await found("الفا")).toEqual(named("عمر الفاروق"));
  for (const nobody of ["nna", "%", "_nna", "\\", "ann zzz", "\u{10ffff}"]) expect(await found(nobody)).toEqual([]);
  expect(await found("000")).toHaveLength(rows.length);
  expect(await found("40100")).toEqual(idsOf(({ number }) => number.includes("40100")));
  expect(await found("0010 07")).toEqual(idsOf(({ number }) => number.includes("001007")));
  expect(await found("+49 (40)")).toEqual(idsOf(({ number }) => number.startsWith("+4940")));
  expect(await found("studio 4010")).toEqual(
    idsOf(({ name, number }) => name === "Studio 4012" && number.includes("4010")),
  );
  expect(await found("studio 4012")).toEqual(named("Studio 4012"));
  expect(await found(" - ")).toHaveLength(rows.length);
});

test("a name that is changed or blanked is found no more", async () => {
  const [row] = idsOf(({ name }) => name === "Annegret O'Neil-Smith");
  await world.database.query("update call_rows set contact_name = 'Berta' where id = $1", [row]);
  expect((await list("search=berta")).ids).toEqual([row]);
  await world.database.query("update call_rows set contact_name = null where id = $1", [row]);
  expect((await list("search=berta")).ids).toEqual([]);
  expect(await world.database.query("select word from call_names where row_id = $1", [row])).toEqual([]);
});

test("days are taken exactly, to the first and the last that can be written", async () => {
  const [after, before] = [rows[6]?.createdAt ?? "", rows[2]?.createdAt ?? ""];
  expect((await list(`createdAfter=${after}&createdBefore=${before}`)).ids).toEqual(
    rows.slice(3, 7).map(({ id }) => id),
  );
  expect((await list("createdAfter=0001-01-01T00:00:00Z&createdBefore=9999-12-31T23:59:59Z")).total).toBe(rows.length);
  expect((await list("createdAfter=9999-12-31T23:59:59Z")).total).toBe(0);
});

test("a search by a part of a number finds every call once, by page and by cursor, also beyond those it counts", async () => {
  const most = 1_000;
  const made = await world.database.query<{ id: string }>(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id)
     select $1, uuidv7(make_interval(secs => -i)), $2, gen_random_uuid(), 'COMPLETED', '+33777' || lpad(i::text, 6, '0'), 'FR',
       'MOBILE', $3
       from generate_series(1, $4::int) i returning id`,
    [world.sample.workspaceId, NO_JOB, world.sample.phoneNumber.id, most + 150],
  );
  const newestFirst = made
    .map(({ id }) => id)
    .toSorted()
    .reverse();
  const read = async (query: string) =>
    (await world.request("GET", `/call-history?search=3777&size=200&${query}`)).body;
  const byPage: string[] = [];
  const byCursor: string[] = [];
  for (let page = 0, cursor = ""; page < 6; page++) {
    const numbered = await read(`page=${page}`);
    const isLast = page === 5;
    expect(numbered).toMatchObject({ totalIsExact: isLast, last: isLast });
    expect(numbered.totalElements).toBe(isLast ? newestFirst.length : page === 4 ? most + 1 : most);
    byPage.push(...(numbered.content as Item[]).map(({ id }) => id));
    const followed = await read(cursor === "" ? "" : `cursor=${cursor}`);
    byCursor.push(...(followed.content as Item[]).map(({ id }) => id));
    cursor = String(followed.nextCursor);
  }
  expect(byPage).toEqual(newestFirst);
  expect(byCursor).toEqual(newestFirst);
  await world.database.query("delete from call_rows where customer_number like '+33777%'");
});

test("a list of more than 10,000 says that it is not counted, and its pages go on to the end", async () => {
  await world.database.query(
    `insert into contacts (workspace_id, id, phone)
     select $1, gen_random_uuid(), '+4915' || lpad(i::text, 8, '0') from generate_series(1, 10100) i`,
    [world.sample.workspaceId],
  );
  const page = async (query: string) => (await world.request("GET", `/contacts?size=200&${query}`)).body;
  const first = await page("");
  expect(first).toMatchObject({ totalElements: 10_000, totalIsExact: false, totalPages: 50, last: false });
  // A program that reads on while page is below totalPages reads all of it.
  const seen = new Set<string>();
  for (let number = 0, pages = 1; number < pages; number++) {
    const body = await page(`page=${number}`);
    pages = body.totalPages as number;
    for (const { id } of body.content as Item[]) seen.add(id);
  }
  expect(seen.size).toBe(10_100);
  const last = await page("page=50");
  expect(last).toMatchObject({ totalElements: 10_100, totalIsExact: true, totalPages: 51, last: true });
  const { content } = await page("page=49");
  const { id } = (content as Item[]).at(-1) as Item;
  expect(await page(`cursor=${id}`)).toMatchObject({ totalElements: 10_000, totalIsExact: false, last: true });
  expect(await page("page=60")).toMatchObject({ content: [], totalElements: 10_000, last: true });
});
