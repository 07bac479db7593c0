import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sample, type TestReply, World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const MAPPING = {
  customerNumber: "lead.phone",
  externalId: "lead.id",
  contactName: "lead.name",
  consent: "lead.consent",
  rowData: { product: "answers[question=product].value" },
  contextData: { whole: "$" },
};

interface Source {
  id: string;
  url: string;
}

async function makeSource(more: Json = {}, key?: string): Promise<Source> {
  const body = { name: "Form", mapping: MAPPING, defaultCountry: "US", ...more };
  const made = await world.request("POST", "/lead-sources", { body, ...(key ? { key } : {}) });
  if (made.status !== 200) throw new Error(made.text);
  return made.body as unknown as Source;
}

/** A delivery as a form's service makes it, without a credential. */
async function deliver(
  { url }: Source,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json; headers: Headers }> {
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  const address = world.url + new URL(url).pathname;
  const reply = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: raw,
  });
  return { status: reply.status, body: (await reply.json()) as Json, headers: reply.headers };
}

const leadOf = (n: number, more: Json = {}) => ({
  lead: { phone: `(202) 555-01${String(n).padStart(2, "0")}`, id: `crm-${n}`, name: "Ada", ...more },
  answers: [
    { question: "city", value: "Graz" },
    { question: "product", value: "Roof" },
  ],
  utm: "spring",
});

async function callsTo(number: string): Promise<Json[]> {
  const { body } = await world.request("GET", `/call-history?size=200`);
  return (body.content as Json[]).filter((row) => row.customerNumber === number);
}

async function deliveriesOf(source: Source, query = ""): Promise<Json[]> {
  return (await world.request("GET", `/lead-sources/${source.id}/deliveries${query}`)).body.content as Json[];
}

test("a secret that is shown once is given to a repeat, and is in no reply that is kept in clear", async () => {
  const source = await makeSource();
  const rows = [{ customerNumber: "+12025550100" }];
  const completionWebhook = { url: "https://hooks.example.com/done" };
  const startAt = "2035-01-01T00:00:00Z";
  const asks: [path: string, body: Json | undefined, find: (shown: Json) => unknown][] = [
    ["/lead-sources", { name: "Form", mapping: MAPPING }, ({ url }) => url],
    [`/lead-sources/${source.id}/rotate`, undefined, ({ url }) => url],
    ["/web-phones", { name: "Desk" }, ({ token }) => token],
    ["/web-calls", {}, ({ token }) => token],
    ["/call-jobs", { rows, startAt, completionWebhook }, (shown) => (shown.completionWebhook as Json).signingSecret],
  ];
  for (const [path, body, find] of asks) {
    const ask = () =>
      world.request("POST", path, { ...(body ? { body } : {}), headers: { "idempotency-key": `secret of ${path}` } });
    const [made, again] = [await ask(), await ask()];
    expect([path, made.status, again.status], made.text).toEqual([path, 200, 200]);
    expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", made.text]);
    const secret = find(made.body);
    expect([path, secret]).toEqual([path, expect.stringMatching(/(lds|wpt|wct|whsec)_/)]);
    const kept = "select 1 from idempotency_keys where position($1 in body) > 0";
    expect([path, await world.database.query(kept, [secret])]).toEqual([path, []]);
  }
});

describe("a delivery becomes a call", () => {
  test("that is dialled with what the mapping reads, and the delivery stays in the log as it came", async () => {
    const source = await makeSource();
    const taken = await deliver(source, leadOf(0));
    expect(taken.status).toBe(202);
    expect(taken.body).toMatchObject({ status: "QUEUED", duplicateOf: null });
    const row = await world.until(`/call-rows/${String(taken.body.rowId)}`, (body) => body.endedAt !== null);
    expect(row).toMatchObject({
      status: "COMPLETED",
      outcome: "ANSWERED",
      customerNumber: "+12025550100",
      externalId: "crm-0",
      contactName: "Ada",
      rowData: { product: "Roof" },
      contextData: { whole: leadOf(0) },
    });
    const [logged] = await deliveriesOf(source);
    expect(logged).toMatchObject({ id: taken.body.id, status: "QUEUED", rowId: taken.body.rowId });
    expect(JSON.parse(String(logged?.body))).toEqual(leadOf(0));
  });

  test("also from form fields, whose names may have brackets", async () => {
    const source = await makeSource({ mapping: { customerNumber: "lead[phone]", rowData: { hobbies: "hobby" } } });
    const form = "lead[phone]=%2B44+20+7946+0101&hobby=chess&hobby=go&__proto__=x&a%00b=c%00d";
    const taken = await deliver(source, form, { "content-type": "application/x-www-form-urlencoded" });
    expect(taken.status, JSON.stringify(taken.body)).toBe(202);
    const row = (await world.request("GET", `/call-rows/${String(taken.body.rowId)}`)).body;
    expect(row).toMatchObject({ customerNumber: "+442079460101", rowData: { hobbies: ["chess", "go"] } });
  });

  test("that obeys the do-not-call list and the settings of the source", async () => {
    await world.request("POST", "/do-not-call", { body: { numbers: ["+12025550144"] } });
    const source = await makeSource({ delaySeconds: 0 });
    const taken = await deliver(source, leadOf(44));
    const row = await world.until(`/call-rows/${String(taken.body.rowId)}`, (body) => body.endedAt !== null);
    expect(row).toMatchObject({ status: "SKIPPED", attempt: 0 });
    const later = await makeSource({ delaySeconds: 3_600 });
    const waits = await deliver(later, leadOf(45));
    const waiting = (await world.request("GET", `/call-rows/${String(waits.body.rowId)}`)).body;
    expect(waiting.status).toBe("QUEUED");
    const [due] = await world.database.query<{ wait: number }>(
      "select extract(epoch from due_at - created_at)::int as wait from call_rows where id = $1",
      [waits.body.rowId],
    );
    expect(Math.abs((due?.wait ?? 0) - 3_600)).toBeLessThan(60);
  });
});

describe("a repeat dials nobody again", () => {
  test.each([
    ["Idempotency-Key", 1, { "idempotency-key": "k-1" }, leadOf(1, { id: null }), leadOf(1, { id: null })],
    ["the id of a Standard Webhooks delivery", 2, { "webhook-id": "msg_2" }, leadOf(2), leadOf(2, { id: "other" })],
    ["externalId", 3, {}, leadOf(3), leadOf(3)],
    ["the number, written otherwise", 4, {}, leadOf(4), leadOf(4, { id: "x", phone: "+1 202 555 0104" })],
  ])("by %s", async (_what, n, headers, one, two) => {
    const source = await makeSource();
    const first = await deliver(source, one, headers);
    const second = await deliver(source, two, headers);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toMatchObject({ status: "DUPLICATE", rowId: first.body.rowId, duplicateOf: first.body.id });
    expect(await callsTo(`+120255501${String(n).padStart(2, "0")}`)).toHaveLength(1);
  });

  test("when twenty arrive at once", async () => {
    const source = await makeSource();
    const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(source, leadOf(5))));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202));
    expect(new Set(replies.map(({ body }) => body.rowId)).size).toBe(1);
    expect(await callsTo("+12025550105")).toHaveLength(1);
  });

  test("but another source, NONE, or the time that has passed lets it be called", async () => {
    const source = await makeSource({ deduplicateBy: "NONE" });
    await deliver(source, leadOf(6));
    await deliver(source, leadOf(6));
    const other = await makeSource({ deduplicateHours: 2 });
    await deliver(other, leadOf(6));
    await world.database.query(
      "update lead_deliveries set created_at = now() - interval '3 hours' where source_id = $1",
      [other.id],
    );
    expect((await deliver(other, leadOf(6))).body.status).toBe("QUEUED");
    expect(await callsTo("+12025550106")).toHaveLength(4);
  });

  test("and a refused delivery may be sent again once the source is right", async () => {
    const source = await makeSource({ mapping: { customerNumber: "wrong.path" } });
    expect((await deliver(source, leadOf(7), { "idempotency-key": "again" })).status).toBe(422);
    await world.request("PUT", `/lead-sources/${source.id}`, { body: { mapping: MAPPING } });
    expect((await deliver(source, leadOf(7), { "idempotency-key": "again" })).body.status).toBe("QUEUED");
  });
});

describe("what is refused", () => {
  test.each<[string, number, string, unknown, Json, Record<string, string>]>([
    ["no number", 422, "NUMBER", leadOf(10, { phone: null }), {}, {}],
    ["a number that is none", 422, "NUMBER", leadOf(10, { phone: "call me" }), {}, {}],
    ["a number without a country", 422, "NUMBER", leadOf(10), { defaultCountry: null }, {}],
    ["no consent", 422, "CONSENT", leadOf(10, { consent: "no" }), { consentRequired: true }, {}],
    ["a long id", 422, "FIELD", leadOf(10, { id: "x".repeat(201) }), {}, {}],
    ["no JSON", 400, "BODY", "{", {}, {}],
    ["deep nesting", 400, "BODY", "[".repeat(5_000) + "]".repeat(5_000), {}, {}],
    ["a NUL", 400, "BODY", '{"lead":{"phone":"\\u0000"}}', {}, {}],
    ["a prototype", 400, "BODY", '{"__proto__":{"lead":{"phone":"+12025550110"}}}', {}, {}],
    ["XML", 415, "CONTENT_TYPE", "<lead/>", {}, { "content-type": "text/xml" }],
    ["a compressed body", 415, "CONTENT_TYPE", "{}", {}, { "content-encoding": "gzip" }],
    [
      "a time zone that is none",
      409,
      "SETTINGS",
      leadOf(10, { zone: "Mars" }),
      { mapping: { ...MAPPING, timeZone: "lead.zone" } },
      {},
    ],
  ])("%s gets %i and stands in the log as %s", async (_what, status, reason, body, more, headers) => {
    const source = await makeSource(more);
    expect((await deliver(source, body, headers)).status).toBe(status);
    const [logged] = await deliveriesOf(source, "?status=REFUSED");
    expect(logged).toMatchObject({ status: "REFUSED", reason, rowId: null });
    expect(logged?.message).toBeTruthy();
    expect(await callsTo("+12025550110")).toEqual([]);
  });

  test("consent that was given is kept as it was sent", async () => {
    const source = await makeSource({ consentRequired: true });
    expect((await deliver(source, leadOf(11, { consent: "Yes" }))).status).toBe(202);
    expect((await deliveriesOf(source))[0]?.consent).toBe("Yes");
    // As forms in other languages send it; the accent on its own, as some systems write it.
    for (const [consent, status] of [
      ["Ja", 202],
      ["Si\u0301", 202],
      ["nein", 422],
    ] as const)
      expect((await deliver(source, leadOf(11, { consent }))).status, consent).toBe(status);
    const without = { name: "x", mapping: { customerNumber: "a" }, consentRequired: true };
    expect((await world.request("POST", "/lead-sources", { body: without })).status).toBe(422);
  });

  test("more than the daily limit waits until tomorrow", async () => {
    const source = await makeSource({ dailyLimit: 2 });
    const statuses: number[] = [];
    for (const n of [12, 13, 14]) statuses.push((await deliver(source, leadOf(n))).status);
    expect(statuses).toEqual([202, 202, 429]);
    const repeat = await deliver(source, leadOf(12));
    expect(repeat.status).toBe(202);
    const full = await deliver(source, leadOf(15));
    const seconds = Number(full.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
  });

  test("tomorrow comes an hour sooner on the day on which the clocks go forward", async () => {
    const source = await makeSource({ dailyLimit: 1 });
    const setZone = (zone: string) => world.database.query("update workspaces set time_zone = $1", [zone]);
    /** From now to the midnight that is at 23:00 of UTC. */
    const secondsLeft = async (): Promise<number> => {
      const [row] = await world.database.query<{ left: number }>(
        "select ceil(extract(epoch from interval '47 hours' - now()::time))::int % 86400 as left",
      );
      return row?.left ?? 0;
    };
    const [today] = await world.database.query<{ day: number }>("select extract(doy from now())::int - 1 as day");
    const day = today?.day ?? 0;
    // A zone of POSIX: UTC, whose summer begins at noon of today.
    await setZone(`AAA0BBB,${day}/12,${(day + 100) % 365}`);
    expect((await deliver(source, leadOf(18))).status).toBe(202);
    const before = await secondsLeft();
    const seconds = Number((await deliver(source, leadOf(19))).headers.get("retry-after"));
    const after = await secondsLeft();
    await setZone("UTC");
    expect(seconds).toBeLessThanOrEqual(before);
    expect(seconds).toBeGreaterThanOrEqual(after);
  });

  test("a flood of one source, and of no other", async () => {
    const source = await makeSource();
    const replies: { status: number }[] = [];
    while (!replies.some(({ status }) => status === 429) && replies.length < 3_000) {
      replies.push(...(await Promise.all(Array.from({ length: 40 }, () => deliver(source, "{}")))));
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422, 429]));
    expect((await deliver(await makeSource(), leadOf(16))).status).toBe(202);
  });

  test("an unknown address, a large body and a source that is off", async () => {
    const source = await makeSource();
    const unknown = { ...source, url: source.url.replace(/lds_.{4}/, "lds_0000") };
    expect((await deliver(unknown, leadOf(17))).status).toBe(404);
    expect((await deliver({ ...source, url: source.url.slice(0, -3) }, leadOf(17))).status).toBeGreaterThanOrEqual(400);
    expect((await deliver(source, leadOf(17, { note: "x".repeat(70_000) }))).status).toBe(413);
    await world.request("PUT", `/lead-sources/${source.id}`, { body: { active: false } });
    expect((await deliver(source, leadOf(17))).status).toBe(409);
    expect(await callsTo("+12025550117")).toEqual([]);
  });
});

describe("a source's address", () => {
  test("is shown once, is a digest at rest, and ends when it is rotated", async () => {
    const source = await makeSource();
    const token = source.url.split("/").at(-1) as string;
    expect((await world.request("GET", `/lead-sources/${source.id}`)).body.url).toBeNull();
    const rows = await world.database.query("select 1 from lead_sources s where s::text like $1", [`%${token}%`]);
    expect(rows).toEqual([]);
    const rotated = (await world.request("POST", `/lead-sources/${source.id}/rotate`)).body as unknown as Source;
    expect((await deliver(source, leadOf(18))).status).toBe(404);
    expect((await deliver(rotated, leadOf(18))).status).toBe(202);
  });

  test("may ask for an HMAC of the body, in hex or base64", async () => {
    const signed = {
      signature: "HMAC_SHA256",
      signatureHeader: "X-Hub-Signature-256",
      signingSecret: "a shared secret",
    };
    const source = await makeSource(signed);
    const raw = JSON.stringify(leadOf(19));
    const digest = createHmac("sha256", "a shared secret").update(raw).digest();
    const send = (signature: string) => deliver(source, raw, { "x-hub-signature-256": signature });
    expect((await deliver(source, raw)).status).toBe(401);
    expect((await send("sha256=" + "0".repeat(64))).status).toBe(401);
    expect((await send(`sha256=${digest.toString("hex")}`)).body.status).toBe("QUEUED");
    expect((await send(digest.toString("base64"))).body.status).toBe("DUPLICATE");
    const [latest, , refused] = await deliveriesOf(source);
    expect(latest?.status).toBe("DUPLICATE");
    expect(refused).toMatchObject({ reason: "SIGNATURE", body: null });
    const shown = await world.request("GET", `/lead-sources/${source.id}`);
    expect(shown.text).not.toContain("a shared secret");
  });

  test("may ask for Standard Webhooks, and refuses old deliveries", async () => {
    const signingSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const source = await makeSource({ signature: "STANDARD_WEBHOOKS", signingSecret });
    const raw = JSON.stringify(leadOf(20));
    const headersAt = (at: Date) => ({
      "webhook-id": "msg_20",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(signingSecret).sign("msg_20", at, raw),
    });
    expect((await deliver(source, raw, headersAt(new Date(Date.now() - 3_600_000)))).status).toBe(401);
    const good = headersAt(new Date());
    expect((await deliver(source, `${raw} `, good)).status).toBe(401);
    expect((await deliver(source, raw, good)).status).toBe(202);
  });
});

describe("a preview", () => {
  test("of a mapping lists the paths of the sample", async () => {
    const body = { mapping: MAPPING, defaultCountry: "US", sample: leadOf(21) };
    const shown = (await world.request("POST", "/lead-sources/preview", { body })).body;
    expect(shown).toMatchObject({ result: "QUEUED", lead: { customerNumber: "+12025550121", externalId: "crm-21" } });
    expect(shown.paths).toContainEqual({ path: "answers.1.value", sample: "Roof" });
  });

  test("of a source says whom the rules of every dial would skip, and leaves nothing behind", async () => {
    const source = await makeSource();
    await world.request("POST", "/do-not-call", { body: { numbers: ["+12025550122"] } });
    const path = `/lead-sources/${source.id}/preview`;
    const blocked = (await world.request("POST", path, { body: { sample: leadOf(22) } })).body;
    expect(blocked).toMatchObject({ result: "QUEUED", preflight: { callableRows: 0, skippedRows: 1 } });
    await deliver(source, leadOf(23));
    const repeated = (await world.request("POST", path, { body: { sample: leadOf(23) } })).body;
    expect(repeated).toMatchObject({ result: "DUPLICATE", reason: "REPEATED_EXTERNAL_ID" });
    const form = (await world.request("POST", path, { body: { sample: "lead=x" } })).body;
    expect(form).toMatchObject({ result: "REFUSED", reason: "NUMBER" });
    expect(await callsTo("+12025550122")).toEqual([]);
    expect(await deliveriesOf(source)).toHaveLength(1);
  });
});

test("an erasure empties the deliveries of the person, and a repeat still dials nobody", async () => {
  const source = await makeSource();
  const headers = { "idempotency-key": "erased-person" };
  const taken = await deliver(source, leadOf(30, { name: "Canary" }), headers);
  await deliver(source, leadOf(30, { name: "Canary", phone: "unreadable" }));
  await world.until(`/call-rows/${String(taken.body.rowId)}`, (body) => body.endedAt !== null);
  const [contact] = await world.database.query<{ id: string }>("select id from contacts where phone = $1", [
    "+12025550130",
  ]);
  const path = `/contacts/${contact?.id ?? ""}`;
  let reply: TestReply = await world.request("DELETE", path);
  for (let tries = 0; reply.status === 409 && tries < 50; tries++) reply = await world.request("DELETE", path);
  expect(reply.status, reply.text).toBe(204);
  const log = JSON.stringify(await deliveriesOf(source));
  for (const text of ["Canary", "5550130", "crm-30", "unreadable"]) expect(log).not.toContain(text);
  expect((await deliver(source, leadOf(30), headers)).body.status).toBe("DUPLICATE");
});

test("a stranger sees and changes nothing, and a key without the permission neither", async () => {
  const source = await makeSource();
  const stranger: Sample = await world.createWorkspace();
  const key = stranger.apiKey;
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/deliveries"],
    ["PUT", ""],
    ["POST", "/rotate"],
    ["POST", "/preview"],
    ["DELETE", ""],
  ] as const) {
    const body = method === "GET" || method === "DELETE" ? {} : { body: { sample: {} } };
    const reply = await world.request(method, `/lead-sources/${source.id}${path}`, { key, ...body });
    expect(reply.status, `${method} ${path}`).toBe(404);
  }
  expect((await world.request("GET", "/lead-sources", { key })).body).toEqual([]);
});
