import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderServer } from "../kit/provider-server.ts";
import { recordCall } from "../kit/tone-recordings.ts";
import type { TranscriptionClient } from "../kit/transcription-client.ts";
import { HEARD, TranscriptionWorld } from "../kit/transcription-world.ts";
import type { World } from "../kit/world.ts";

let harness: TranscriptionWorld;
let world: World;
let client: TranscriptionClient;
let deepgram: ProviderServer;
let store: ProviderServer;

beforeAll(async () => {
  harness = await TranscriptionWorld.start();
  ({ world, client, deepgram, store } = harness);
});
afterAll(() => harness[Symbol.asyncDispose]());

describe("transcription jobs: the two endpoints of the spec", () => {
  test("POST recordings: 200 and a JSON object that says what was taken", async () => {
    const job = await client.makeJob();
    const url = `${store.origin}/calls/a%20call.wav?sig=1`;
    const reply = await client.send(job, { url, externalId: "e1", metadata: {} });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toEqual({
      rowId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      jobId: job.split("/").at(-1),
      externalId: "e1",
      status: "QUEUED",
      duplicate: false,
      fileName: "a call.wav",
      url,
      metadata: {},
      unknownMetadataKeys: [],
      warning: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const row = await client.ended(job, reply.body);
    expect(row).toMatchObject({ status: "COMPLETED", url, transcript: { text: "said at an address" } });
    expect(row.durationSeconds).toBe((HEARD.length - 44) / 16_000);
  });

  test("POST recordings/upload: file alone, and file with a payload, end in a transcript of who said what when", async () => {
    const job = await client.makeJob({ language: "en" });
    const turns = [
      { role: "ASSISTANT" as const, content: "Hello, will you come?", startMs: 200 },
      { role: "USER" as const, content: "Yes.", startMs: 3_000 },
    ];
    const file = new Blob([await recordCall(turns, 5_000)], { type: "audio/wav" });
    const alone = await client.upload(job, { file });
    expect([alone.status, alone.body.externalId, alone.body.fileName, alone.body.url]).toEqual([
      200,
      null,
      "call.wav",
      null,
    ]);
    const payload = JSON.stringify({ fileName: "named.wav", externalId: "u1", metadata: { agentName: "Ann" } });
    const full = await client.upload(job, { file, payload });
    expect(full.body).toMatchObject({
      fileName: "named.wav",
      externalId: "u1",
      metadata: { agentName: "Ann" },
      warning: null,
    });
    for (const { body } of [alone, full]) {
      const row = await client.ended(job, body);
      expect(row).toMatchObject({ status: "COMPLETED", durationSeconds: 5, language: "en", audioFormat: "WAVE, PCM" });
      expect(row.transcript).toMatchObject({
        text: "Hello, will you come?\nYes.",
        note: null,
        segments: [
          { startMs: 200, speaker: "ASSISTANT", text: "Hello, will you come?" },
          { startMs: 3_000, speaker: "USER", text: "Yes." },
        ],
      });
      expect(await client.bills(row.id)).toEqual([{ kind: "TRANSCRIPTION_SECOND", quantity: 5, simulated: true }]);
    }
    expect(await client.count("transcription_audio")).toBe(0);
  });

  test("rule 1: the url is handed to the provider as given and is not copied by the service", async () => {
    const job = await client.makeJob({ provider: "DEEPGRAM" });
    const url = `${store.origin}/Call%2fX.wav?a=%20b&a=c#frag`;
    const before = store.received.length;
    const { body } = await client.send(job, { url, externalId: "as-given" });
    const row = await client.ended(job, body);
    expect(row).toMatchObject({ status: "COMPLETED", url, transcript: { text: "Hello." } });
    expect(deepgram.received.map((request) => JSON.parse(request.body.toString()) as unknown)).toEqual([{ url }]);
    expect(store.received.length).toBe(before);
    expect(await client.bills(row.id)).toEqual([{ kind: "TRANSCRIPTION_SECOND", quantity: 7.25, simulated: false }]);
  });

  test("rule 2: a repeat of an externalId returns the existing row and neither transcribes nor bills again", async () => {
    const job = await client.makeJob({ provider: "DEEPGRAM" });
    const first = await client.send(job, {
      url: "https://example.com/1.wav",
      externalId: "again",
      metadata: { agentName: "A" },
    });
    const row = await client.ended(job, first.body);
    const requests = deepgram.received.length;
    const repeat = await client.send(job, {
      url: "https://example.com/2.wav",
      externalId: "again",
      metadata: { agentName: "B" },
    });
    const uploaded = await client.upload(job, { payload: JSON.stringify({ externalId: "again" }) });
    for (const reply of [repeat, uploaded]) {
      expect([reply.status, reply.body]).toEqual([200, { ...first.body, status: "COMPLETED", duplicate: true }]);
    }
    const other = await client.makeJob({ provider: "DEEPGRAM" });
    const elsewhere = await client.send(other, { url: "https://example.com/1.wav", externalId: "again" });
    expect(elsewhere.body.duplicate).toBe(false);
    await client.ended(other, elsewhere.body);
    expect(deepgram.received.length).toBe(requests + 1);
    expect(await client.bills(row.id)).toHaveLength(1);
  });

  test("rule 2 under 100 posts at once: one row, one transcription, one bill", async () => {
    const job = await client.makeJob({ provider: "DEEPGRAM" });
    const requests = deepgram.received.length;
    const body = { url: "https://example.com/1.wav", externalId: "race" };
    const replies = await Promise.all(Array.from({ length: 100 }, () => client.send(job, body)));
    expect([...new Set(replies.map(({ status }) => status))]).toEqual([200]);
    expect(new Set(replies.map((reply) => reply.body.rowId)).size).toBe(1);
    expect(replies.filter((reply) => reply.body.duplicate === false)).toHaveLength(1);
    const row = await client.ended(job, replies[0]?.body ?? {});
    expect(deepgram.received.length).toBe(requests + 1);
    expect(await client.bills(row.id)).toHaveLength(1);
    expect((await world.request("GET", `${job}/recordings`)).body.totalElements).toBe(1);
  });

  test("rule 2 under 100 uploads at once: one row, and no byte of the others is left", async () => {
    const job = await client.makeJob();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => client.upload(job, { payload: JSON.stringify({ externalId: "race" }) })),
    );
    expect([...new Set(replies.map(({ status }) => status))]).toEqual([200]);
    expect(new Set(replies.map((reply) => reply.body.rowId)).size).toBe(1);
    expect(replies.filter((reply) => reply.body.duplicate === false)).toHaveLength(1);
    const row = await client.ended(job, replies[0]?.body ?? {});
    expect([row.status, await client.bills(row.id)]).toEqual(["COMPLETED", [expect.anything()]]);
    expect([await client.count("transcription_audio"), await client.count("transcription_uploads")]).toEqual([0, 0]);
    await expect.poll(() => client.spooled(), { timeout: 20_000 }).toEqual([]);
  });

  test("rule 3: valid keys are listed by GET /metadata/fields, at the origin and below the prefix", async () => {
    const atOrigin = await world.request("GET", "/metadata/fields");
    const below = await world.request("GET", "/api/external/v1/metadata/fields");
    expect([atOrigin.status, atOrigin.text]).toEqual([200, below.text]);
    expect(atOrigin.body).toContainEqual({
      key: "direction",
      label: "Direction",
      type: "ENUM",
      required: false,
      allowedValues: ["INBOUND", "OUTBOUND"],
      description: null,
      jobId: null,
    });
    expect((await world.request("GET", "/metadata/fields", { key: null })).status).toBe(401);
  });

  test("rule 3: an unrecognised key is stored and named back in unknownMetadataKeys together with a warning", async () => {
    const job = await client.makeJob({ metadataFields: [{ key: "ticket", required: true }] });
    const metadata = { agentName: "Ann", ticket: "T1", shoeSize: 43, nested: { a: [1, null] } };
    const { body } = await client.send(job, { url: "https://example.com/x.wav", metadata });
    expect(body).toMatchObject({ metadata, unknownMetadataKeys: ["shoeSize", "nested"] });
    expect(body.warning).toContain("shoeSize, nested");
    const read = await world.request("GET", `${job}/recordings/${String(body.rowId)}`);
    expect(read.body).toMatchObject({ metadata, unknownMetadataKeys: ["shoeSize", "nested"], warning: body.warning });
  });

  test("an id in metadata keeps the digits that JavaScript's numbers do not hold", async () => {
    const job = await client.makeJob();
    const metadata = '{"order": 12345678901234567890, "stars": 4.5}';
    const kept = { metadata: { order: "12345678901234567890", stars: 4.5 } };
    const reply = await fetch(`${world.url}/api/external/v1${job}/recordings`, {
      method: "POST",
      headers: { "x-api-key": world.sample.apiKey, "content-type": "application/json" },
      body: `{"url": "https://example.com/a.wav", "metadata": ${metadata}}`,
    });
    expect(await reply.json()).toMatchObject(kept);
    expect((await client.upload(job, { payload: `{"metadata": ${metadata}}` })).body).toMatchObject(kept);
  });

  test("rule 4: the file-name pattern and the spreadsheet are applied first, values sent in metadata win", async () => {
    const job = await client.makeJob({
      fileNamePattern: "^(?<agentName>[a-z]+)_(?<customerId>\\d+)_(?<callDate>\\d{4}-\\d\\d-\\d\\d)",
      metadataFields: [{ key: "score", type: "NUMBER" }],
    });
    const sheet = "fileName;customerId;score;externalId\nANN_1_2026-01-02.wav;from sheet;7;\n;by id;8;e9\n";
    const stored = await client.upload(job, { file: new Blob([sheet]), fileName: "sheet.csv", to: "spreadsheet" });
    expect([stored.status, stored.body.spreadsheet], stored.text).toEqual([
      200,
      expect.objectContaining({ fileName: "sheet.csv", columns: ["customerId", "score"], rows: 2 }),
    ]);
    const payload = JSON.stringify({ metadata: { score: 9 } });
    const reply = await client.upload(job, { fileName: "ann_1_2026-01-02.wav", payload });
    expect(reply.body).toMatchObject({
      metadata: { agentName: "ann", customerId: "from sheet", callDate: "2026-01-02", score: 9 },
      unknownMetadataKeys: [],
      warning: null,
    });
    const byId = await client.send(job, { url: "https://example.com/bob_5_2026-01-03.wav", externalId: "e9" });
    expect(byId.body.metadata).toEqual({ agentName: "bob", customerId: "by id", callDate: "2026-01-03", score: 8 });
    const byNothing = await client.send(job, { url: "https://example.com/other.wav" });
    expect([byNothing.body.metadata, byNothing.body.warning]).toEqual([{}, null]);
  });
});
