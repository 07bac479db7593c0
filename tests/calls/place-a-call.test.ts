import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseWav } from "#src/audio/codec/wav.ts";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ programs: true });
});
afterAll(() => world[Symbol.asyncDispose]());

/** True when something was said: with flite as speech, otherwise as tones that decode to text. */
function hears(channel: Int16Array): boolean {
  return hasFlite ? channel.some((sample) => Math.abs(sample) > 1_000) : decodeToneSpeech(channel).length > 0;
}
const hasFlite = (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "flite")));

interface Turn {
  role: string;
  content: string;
  startMs: number;
  endMs: number;
}

describe("a call from the request to its result", () => {
  test("is queued, rung, held, extracted and shown with everything that was sent", async () => {
    const contextData = '{"b":1.0,"a":12345678901234567890,"10":"x","2":"y","b":1e5,"deep":{"k":[1, 2 ]}}';
    const raw = `{"customerNumber":"+12025550100","contactName":"Ada","rowData":{"company":"Acme Dental"},"contextData": ${contextData} }`;
    const placed = await world.request("POST", "/outbound/calls", { raw });
    expect(placed.status).toBe(200);
    expect(placed.body).toMatchObject({
      jobId: null,
      status: "QUEUED",
      customerNumber: "+12025550100",
      fromPhoneNumber: world.sample.phoneNumber.number,
      flowId: world.sample.flow.id,
      flowApiId: world.sample.flow.apiId,
      inlineFlow: false,
      contactName: "Ada",
    });
    expect(placed.text).toContain(`"contextData":${contextData}`);

    const path = `/call-rows/${String(placed.body.rowId)}`;
    const row = await world.until(path, (body) => body.endedAt !== null);
    expect(row).toMatchObject({
      status: "COMPLETED",
      outcome: "ANSWERED",
      answeredBy: "HUMAN",
      attempt: 1,
      error: null,
    });
    expect((await world.request("GET", path)).text).toContain(`"contextData":${contextData}`);
    expect(row.createdAt).toBe(placed.body.createdAt);
    const transcript = row.transcript as Turn[];
    expect(transcript[0]).toMatchObject({ role: "ASSISTANT" });
    expect(transcript[0]?.content).toContain("Acme Dental");
    expect(transcript[0]?.content).toContain("Ada");
    expect(transcript.some((turn) => turn.role === "USER")).toBe(true);
    expect(row.structuredOutputs).toMatchObject({ appointment: { valid: true, errors: [] } });
    expect(row.extractedFields).toMatchObject({ confirmed: true, partySize: expect.any(Number) as number });
    const history = await world.request("GET", "/call-history?size=1");
    expect(history.body).toMatchObject({ size: 1, page: 0, content: [{ id: placed.body.rowId }] });
  });

  test("has a two-channel recording from which both sides can be heard", async () => {
    const row = await world.call("+12025550100");
    const { url } = row.recording as { url: string };
    const reply = await fetch(url, { headers: { "x-api-key": world.sample.apiKey } });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    expect([reply.status, bytes.length]).toEqual([200, Number(reply.headers.get("content-length"))]);
    const { channels, sampleRateHz } = parseWav(bytes);
    expect([channels.length, sampleRateHz]).toEqual([2, 8000]);
    expect(hears(channels[0] as Int16Array)).toBe(true);
    expect(hears(channels[1] as Int16Array)).toBe(true);
    const part = await fetch(url, { headers: { "x-api-key": world.sample.apiKey, range: "bytes=44-143" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 44-143/${bytes.length}`]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(44, 144));
  });

  test("is not placed again when somebody picked up after its node had died, and tells when they did", async () => {
    const retryConfig = { maxAttempts: 3, retryOn: ["CARRIER_FAILURE"], delaysSeconds: [1] };
    const body = { customerNumber: "+12025550100", retryConfig };
    const placed = await world.request("POST", "/outbound/calls", { body });
    const path = `/call-rows/${String(placed.body.rowId)}`;
    const { answeredAt } = await world.until(path, (row) => row.endedAt !== null);
    // As if the node had died while the call rang, and the carrier's later events had come to others.
    await world.database.query(
      `with back as (update call_attempts set state = 'RINGING', answered_at = null, answered_by = null, ended_at = null
                      where row_id = $1 returning id),
            failed as (update carrier_events set payload = jsonb_set(payload::jsonb, '{outcome}', '"CARRIER_FAILURE"')::json
                        where type = 'ENDED' and attempt_id in (select id from back))
       update call_rows set status = 'DIALING', lease_owner = $2, attempt_id = back.id, outcome = null, answered_at = null,
                 answered_by = null, ended_at = null from back where call_rows.id = $1`,
      [placed.body.rowId, crypto.randomUUID()],
    );
    const row = await world.until(path, ({ endedAt }) => endedAt !== null);
    expect(row).toMatchObject({ status: "FAILED", outcome: "INTERRUPTED", attempt: 1, answeredAt });
  });

  test("another workspace's row, number and flow read exactly as ones that never existed", async () => {
    const other = await world.createWorkspace();
    const row = await world.call("+12025550100");
    const foreign = await world.request("GET", `/call-rows/${String(row.id)}`, { key: other.apiKey });
    const random = await world.request("GET", "/call-rows/0198c0de-0000-7000-8000-000000000000", { key: other.apiKey });
    expect([foreign.status, foreign.text]).toEqual([404, random.text]);
    const body = { customerNumber: "+12025550100", flowId: world.sample.flow.id };
    const reply = await world.request("POST", "/outbound/calls", { body, key: other.apiKey });
    expect([reply.status, reply.body.error]).toEqual([404, "Not found"]);
  });
});

describe("flow selection", () => {
  test("a flow that is misspelt is a 404 that names the nearest one, for calls, jobs and chats", async () => {
    const flowApiId = world.sample.flow.apiId.slice(0, -1);
    const refused = await Promise.all([
      world.request("POST", "/outbound/calls", { body: { customerNumber: "+12025550111", flowApiId } }),
      world.request("POST", "/call-jobs", { body: { flowId: flowApiId, rows: [{ customerNumber: "+12025550111" }] } }),
      world.request("POST", "/outbound/chats", { body: { channel: "CHAT", flowApiId } }),
    ]);
    const message = `Flow ${flowApiId} does not exist in this workspace. Did you mean ${world.sample.flow.apiId}?`;
    expect(refused.map(({ status, body }) => [status, body.message])).toEqual(refused.map(() => [404, message]));
  });

  test("a flow with no name near it is a 404 that names those there are", async () => {
    const body = { customerNumber: "+12025550111", flowApiId: "zzzz" };
    const { message } = (await world.request("POST", "/outbound/calls", { body })).body;
    expect(message).toMatch(/^Flow zzzz does not exist in this workspace\. It has \S/);
    expect(message).toContain(world.sample.flow.apiId);
    const empty = await world.operator("workspace.create", { name: "Empty" });
    const reply = await world.request("POST", "/outbound/calls", { body, key: String(empty.apiKey) });
    expect([reply.status, reply.body.message]).toEqual([
      404,
      "Flow zzzz does not exist in this workspace. It has no flow yet.",
    ]);
  });

  test.each(["number", "phoneNumber"])("%s in place of customerNumber is a refusal that says so", async (name) => {
    const reply = await world.request("POST", "/outbound/calls", { body: { [name]: "+12025550111" } });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(reply.body.message).toContain("Did you mean customerNumber?");
  });

  const inline = { name: "One-off", firstMessage: "Hello {{ who }}.", masterPrompt: "Be kind." };

  test("flowId takes the uuid or the apiId; flowApiId the apiId; both if they agree", async () => {
    const { id, apiId } = world.sample.flow;
    for (const body of [{ flowId: id }, { flowId: apiId }, { flowApiId: apiId }, { flowId: id, flowApiId: apiId }]) {
      const reply = await world.request("POST", "/outbound/calls", {
        body: { customerNumber: "+12025550111", ...body },
      });
      expect([reply.status, reply.body.flowId, reply.body.flowApiId]).toEqual([200, id, apiId]);
    }
  });

  test("an inline flow runs and is not saved", async () => {
    const flows = (await world.request("GET", "/flows")).body.totalElements;
    const row = await world.call("+12025550100", {
      flow: inline,
      rowData: { who: "{{ contactEmail }}" },
      contactEmail: "a@b.c",
    });
    expect(row).toMatchObject({ status: "COMPLETED", inlineFlow: true, flowId: null, flowApiId: null });
    // A value is never rendered a second time, or a contact could read other variables.
    expect((row.transcript as Turn[])[0]?.content).toBe("Hello {{ contactEmail }}.");
    expect((await world.request("GET", "/flows")).body.totalElements).toBe(flows);
  });

  test("422 that names the setting when there is no default", async () => {
    const bare = (await world.operator("workspace.create", { name: "Bare" })) as { apiKey: string };
    const reply = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550100" },
      key: bare.apiKey,
    });
    expect([reply.status, reply.body.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(reply.text).toContain("default flow");
  });
});

describe("Idempotency-Key", () => {
  const post = (key: string, body: object) =>
    world.request("POST", "/outbound/calls", { body, headers: { "idempotency-key": key } });

  test("the same body gets the first answer again and no second call", async () => {
    const body = { customerNumber: "+12025550100", contextData: { a: 1 } };
    const first = await post("k-1", body);
    const again = await post('"k-1"', body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
  });

  test("another body is 422, a key of one credential says nothing to another", async () => {
    await post("k-2", { customerNumber: "+12025550100" });
    const reused = await post("k-2", { customerNumber: "+12025550101" });
    expect([reused.status, reused.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    const other = await world.createWorkspace();
    const reply = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550101" },
      headers: { "idempotency-key": "k-2" },
      key: other.apiKey,
    });
    expect(reply.status).toBe(200);
  });

  test("a request that failed is not remembered", async () => {
    expect((await post("k-3", { customerNumber: "x" })).status).toBe(422);
    expect((await post("k-3", { customerNumber: "+12025550100" })).status).toBe(200);
  });

  test("of fifty at once exactly one places a call; the others replay or are told to wait", async () => {
    const body = { customerNumber: "+12025550111", contactName: "Race" };
    const replies = await Promise.all(Array.from({ length: 50 }, () => post("k-race", body)));
    expect(new Set(replies.map((reply) => reply.status)).difference(new Set([200, 409])).size).toBe(0);
    expect(new Set(replies.filter((reply) => reply.status === 200).map((reply) => reply.body.rowId)).size).toBe(1);
    expect(await world.database.query("select 1 from call_rows where contact_name = 'Race'")).toHaveLength(1);
  });
});

describe("what becomes of each documented sandbox number", () => {
  const cases: [string, string, object][] = [
    ["00 agrees", "+12025550100", { status: "COMPLETED", outcome: "ANSWERED" }],
    [
      "01 declines",
      "+12025550101",
      { status: "COMPLETED", outcome: "ANSWERED", extractedFields: { confirmed: false } },
    ],
    ["02 asks questions", "+12025550102", { status: "COMPLETED", outcome: "ANSWERED" }],
    ["03 interrupts", "+12025550103", { status: "COMPLETED", outcome: "ANSWERED" }],
    ["04 stays silent", "+12025550104", { status: "COMPLETED", endReason: "LIMIT_SILENCE", extractedFields: {} }],
    ["05 speaks another language", "+12025550105", { status: "COMPLETED", outcome: "ANSWERED" }],
    ["06 wants a human", "+12025550106", { status: "COMPLETED", outcome: "ANSWERED" }],
    ["07 wrong person", "+12025550107", { status: "COMPLETED", extractedFields: {} }],
    ["08 call me later", "+12025550108", { status: "COMPLETED" }],
    ["09 corrects itself", "+12025550109", { status: "COMPLETED" }],
    ["10 busy", "+12025550110", { status: "FAILED", outcome: "BUSY", answeredAt: null }],
    ["11 no answer", "+12025550111", { status: "FAILED", outcome: "NO_ANSWER" }],
    ["12 rejected", "+12025550112", { status: "FAILED", outcome: "REJECTED" }],
    ["20 voicemail", "+12025550120", { status: "COMPLETED", outcome: "VOICEMAIL", endReason: "AGENT_LEFT_VOICEMAIL" }],
    ["21 voicemail full", "+12025550121", { status: "FAILED", outcome: "VOICEMAIL" }],
    ["22 menu", "+12025550122", { status: "COMPLETED", outcome: "IVR" }],
    ["23 fax", "+12025550123", { status: "FAILED", outcome: "FAX" }],
    ["24 call screener", "+12025550124", { status: "COMPLETED", outcome: "CALL_SCREENED" }],
    ["30 unallocated", "+12025550130", { status: "FAILED", outcome: "INVALID_NUMBER" }],
    ["31 unreachable", "+12025550131", { status: "FAILED", outcome: "UNREACHABLE" }],
    [
      "32 on the do-not-call list",
      "+12025550132",
      { status: "SKIPPED", outcome: "BLOCKED", attempt: 0, attempts: [], error: { code: "DO_NOT_CALL" } },
    ],
    [
      "33 country not enabled",
      "+12025550133",
      { status: "SKIPPED", outcome: "BLOCKED", error: { code: "COUNTRY_NOT_ENABLED" } },
    ],
    ["40 carrier 503", "+12025550140", { status: "FAILED", outcome: "CARRIER_FAILURE" }],
    ["41 carrier 429, then accepted", "+12025550141", { status: "COMPLETED", attempt: 1 }],
    ["42 carrier credentials wrong", "+12025550142", { status: "FAILED", error: { code: "CREDENTIALS" } }],
    ["43 media drops", "+12025550143", { status: "FAILED", endReason: "CARRIER_CONNECTION_LOST" }],
    [
      "44 no events ever",
      "+12025550144",
      { status: "FAILED", outcome: "CARRIER_FAILURE", endReason: "CARRIER_SILENT" },
    ],
    ["45 accepted, then no answer to the dial", "+12025550145", { status: "COMPLETED", attempt: 1 }],
    ["46 a 5xx after accepting", "+12025550146", { status: "COMPLETED", attempt: 1 }],
    ["47 every event twice", "+12025550147", { status: "COMPLETED", attempt: 1 }],
    ["48 events late and out of order", "+12025550148", { status: "COMPLETED", attempt: 1 }],
    ["50 hangs up on hello", "+12025550150", { status: "COMPLETED", endReason: "CUSTOMER_HUNG_UP" }],
    ["51 hangs up mid-sentence", "+12025550151", { status: "COMPLETED", endReason: "CUSTOMER_HUNG_UP" }],
    ["53 slow answer", "+12025550153", { status: "COMPLETED" }],
    ["54 slow talker", "+12025550154", { status: "COMPLETED" }],
    ["55 never stops talking", "+12025550155", { status: "COMPLETED" }],
    ["80 holds the line", "+12025550180", { status: "COMPLETED" }],
    ["a satellite phone", "+881612345678", { status: "SKIPPED", error: { code: "SATELLITE_NUMBER" } }],
    ["a premium number", "+19005551234", { status: "SKIPPED", error: { code: "PREMIUM_NUMBER" } }],
    ["an emergency number", "+1911123", { status: "SKIPPED", error: { code: "EMERGENCY_NUMBER" } }],
  ];
  test.concurrent.each(cases)("%s", async (_name, number, expected) => {
    expect(await world.call(number)).toMatchObject(expected);
  });

  test("codes 55 and 02 show what they are for", async () => {
    expect((await world.call("+12025550155")).endReason).toMatch(/^LIMIT_/);
    expect(((await world.call("+12025550102")).transcript as Turn[]).length).toBeGreaterThanOrEqual(9);
  });
});

test("of ten calls to one person at once, no two are ever live together", async () => {
  const placed = await Promise.all(
    Array.from({ length: 10 }, () =>
      world.request("POST", "/outbound/calls", { body: { customerNumber: "+442079460180" } }),
    ),
  );
  for (const { body } of placed) await world.until(`/call-rows/${String(body.rowId)}`, (row) => row.endedAt !== null);
  // By the carrier's own events: a claim may begin while the end of the call before it is being stored.
  const calls = await world.database.query<{ began: string; ended: string }>(
    `select min(e.payload ->> 'at') as began, max(e.payload ->> 'at') as ended
       from carrier_events e join call_attempts a on a.id = e.attempt_id
      where a.customer_number = '+442079460180' group by a.id order by began`,
  );
  expect(calls).toHaveLength(10);
  calls.slice(1).forEach((call, i) => {
    expect(Date.parse(call.began)).toBeGreaterThanOrEqual(Date.parse(calls[i]?.ended ?? ""));
  });
});

describe("a call that is not placed yet", () => {
  type Body = { [name: string]: unknown };
  const send = async (method: string, path: string, body: object): Promise<Body> => {
    const reply = await world.request(method, path, { body });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };

  test("renders what the first person who would be dialled hears, by each version that new calls take", async () => {
    const firstMessage = "Good day {{ contactName }}, about {{ day }} at {{ place }}. {{ memory.note }}";
    const flow = await send("POST", "/flows", { name: "Reminder", firstMessage, language: "en-GB" });
    const rows = [
      { customerNumber: "+19005551234" },
      {
        customerNumber: "+442079460100",
        contactName: "Ada",
        rowData: { day: "Monday" },
        contextData: { note: "Bye." },
      },
      { customerNumber: "+12025550100" },
    ];
    const ask = async () =>
      (
        await send("POST", "/call-jobs/preflight", {
          rows,
          flowId: flow.id,
          startAt: new Date(Date.now() + 3_600_000).toISOString(),
        })
      ).firstCall as Body;
    const opening = {
      version: 1,
      percent: 100,
      flowName: "Reminder",
      language: "en-GB",
      text: "Good day Ada, about Monday at . Bye.",
      emptyVariables: ["{{ place }}"],
      error: null,
    };
    const first = await ask();
    expect(first).toMatchObject({
      line: 2,
      customerNumber: "+442079460100",
      flowId: flow.id,
      callingWindow: null,
      timeZones: ["Europe/London"],
      openings: [opening],
    });
    expect(Date.parse(String(first.opensAt))).toBeGreaterThan(Date.now());

    const draft = {
      firstMessage: null,
      stages: [{ id: "hello", type: "TALK", onEntry: [{ type: "SAY", text: "Hello {{ contactName }}." }] }],
    };
    await send("PUT", `/flows/${String(flow.id)}/draft`, draft);
    await send("POST", `/flows/${String(flow.id)}/publish`, { percent: 30 });
    expect((await ask()).openings).toMatchObject([
      { ...opening, percent: 70 },
      { version: 2, percent: 30, text: "Hello Ada.", emptyVariables: [] },
    ]);
    const at = '{{ "2026-01-26T14:30:00Z" | date: "%A %H:%M" }}';
    const inTokyo = [{ customerNumber: "+12025550100", timeZone: "Asia/Tokyo" }];
    const dated = await send("POST", "/call-jobs/preflight", { rows: inTokyo, flow: { firstMessage: at } });
    expect(dated.firstCall).toMatchObject({ openings: [{ text: "Monday 23:30" }] });
    const inline = { rows: [{ customerNumber: "+12025550100" }], flow: { masterPrompt: "Be brief." } };
    expect((await send("POST", "/call-jobs/preflight", inline)).firstCall).toMatchObject({
      flowId: null,
      openings: [{ version: null, percent: 100, text: null }],
    });
    const nobody = { rows: [{ customerNumber: "+19005551234" }] };
    expect((await send("POST", "/call-jobs/preflight", nobody)).firstCall).toBeNull();
  });
});
