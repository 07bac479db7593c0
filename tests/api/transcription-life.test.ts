import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "#src/platform/config/config.ts";
import { forgetExpired } from "#src/platform/db/retention.ts";
import { ProviderServer } from "../kit/provider-server.ts";
import { saidInTones } from "../kit/tone-recordings.ts";
import type { TranscriptionClient } from "../kit/transcription-client.ts";
import { TranscriptionWorld } from "../kit/transcription-world.ts";
import { World } from "../kit/world.ts";

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

describe("jobs", () => {
  test("are created, read, listed and changed; what is not sent stays, null clears", async () => {
    const made = await world.request("POST", "/transcriptions/jobs", {
      body: { name: "A", language: "de", fileNamePattern: "(?<a>x)", metadataFields: [{ key: "k" }] },
    });
    expect(made.body).toMatchObject({
      name: "A",
      status: "OPEN",
      provider: "SANDBOX",
      retainAudio: false,
      spreadsheet: null,
    });
    const path = `/transcriptions/jobs/${String(made.body.id)}`;
    expect((await world.request("GET", path)).body).toEqual(made.body);
    const changed = await world.request("PATCH", path, { body: { fileNamePattern: null, provider: "DEEPGRAM" } });
    expect(changed.body).toMatchObject({ name: "A", language: "de", fileNamePattern: null, provider: "DEEPGRAM" });
    const list = await world.request("GET", "/transcriptions/jobs?size=1");
    expect(list.body).toMatchObject({ content: [{ id: made.body.id }], size: 1, first: true });
    const fields = await world.request("GET", `/metadata/fields?jobId=${String(made.body.id)}`);
    expect(fields.body).toContainEqual(expect.objectContaining({ key: "k", label: "k", jobId: made.body.id }));
  });

  test("a closed job answers 409 to new recordings and still gives the row of a known externalId", async () => {
    const job = await client.makeJob();
    const url = `${store.origin}/x.wav`;
    const first = await client.send(job, { url, externalId: "known" });
    const closed = await world.request("POST", `${job}/close`);
    expect(closed.body).toMatchObject({ status: "CLOSED", closedAt: expect.any(String) as string });
    expect([(await client.send(job, { url })).status, (await client.upload(job)).status]).toEqual([409, 409]);
    expect((await client.send(job, { url, externalId: "known" })).body).toMatchObject({
      rowId: first.body.rowId,
      duplicate: true,
    });
    expect((await client.ended(job, first.body)).status).toBe("COMPLETED");
    expect(await client.count("transcription_uploads")).toBe(0);
  });

  test("retainAudio keeps the upload, byte for byte; otherwise it is gone after the transcription", async () => {
    const bytes = saidInTones("kept");
    const read = async (job: string) => {
      const { body } = await client.upload(job, { file: new Blob([bytes]), fileName: "naïve (1)'.wav" });
      await client.ended(job, body);
      return fetch(`${world.url}/api/external/v1${job}/recordings/${String(body.rowId)}/audio`, {
        headers: { "x-api-key": world.sample.apiKey },
      });
    };
    const kept = await read(await client.makeJob({ retainAudio: true }));
    expect(Buffer.from(await kept.arrayBuffer()).equals(bytes)).toBe(true);
    expect(kept.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''na%C3%AFve%20%281%29%27.wav");
    expect((await read(await client.makeJob())).status).toBe(404);
  });

  test("PUT /metadata/fields replaces the workspace's own fields", async () => {
    const { apiKey } = await world.createWorkspace();
    const put = (fields: unknown) =>
      world.request("PUT", "/api/external/v1/metadata/fields", { body: { fields }, key: apiKey });
    expect((await put([{ key: "only", label: "Only" }])).body).toEqual([
      {
        key: "only",
        label: "Only",
        type: "STRING",
        required: false,
        allowedValues: null,
        description: null,
        jobId: null,
      },
    ]);
    expect((await put([{ key: "a" }, { key: "a" }])).body.details).toEqual([
      expect.objectContaining({ path: "fields.1.key" }),
    ]);
    expect((await put([{ key: "__proto__" }])).status).toBe(422);
    expect((await world.request("GET", "/metadata/fields", { key: apiKey })).body).toHaveLength(1);
  });

  test("recordings are listed by page, status and externalId", async () => {
    const job = await client.makeJob();
    for (const externalId of ["a", "b", "c"]) await client.upload(job, { payload: JSON.stringify({ externalId }) });
    const one = await world.request("GET", `${job}/recordings?size=2`);
    expect(one.body).toMatchObject({
      content: [{ externalId: "a" }, { externalId: "b" }],
      totalElements: 3,
      last: false,
    });
    const two = await world.request("GET", `${job}/recordings?size=2&cursor=${String(one.body.nextCursor)}`);
    expect(two.body).toMatchObject({ content: [{ externalId: "c" }], last: true });
    const found = await world.request("GET", `${job}/recordings?externalId=b`);
    expect(found.body).toMatchObject({ content: [{ externalId: "b" }], totalElements: 1 });
    expect((await world.request("GET", `${job}/recordings?status=NOPE`)).status).toBe(400);
    expect((await world.request("GET", `${job}/recordings?externalId=%00`)).status).toBe(400);
  });
});

describe("the life of a recording", () => {
  test("a transient failure is tried again, and only the transcript is billed", async () => {
    const job = await client.makeJob({ provider: "OPENAI_COMPATIBLE" });
    const { body } = await client.upload(job);
    const row = await client.ended(job, body);
    expect(row).toMatchObject({ status: "COMPLETED", failures: 1, error: null, transcript: { text: "Hi." } });
    expect(await client.bills(row.id)).toEqual([{ kind: "TRANSCRIPTION_SECOND", quantity: 4, simulated: false }]);
  });

  test("is sent to no provider, and FAILED, once the credit of the workspace is used up", async () => {
    const billed = await client.makeJob({ provider: "OPENAI_COMPATIBLE" });
    const simulated = await client.makeJob({ provider: "SANDBOX" });
    const id = world.sample.workspaceId;
    await world.operator("workspace.prices", { id, creditLimit: "0" });
    try {
      const row = await client.ended(billed, (await client.upload(billed)).body);
      expect(row).toMatchObject({ status: "FAILED", transcript: null, error: { code: "BALANCE_EXHAUSTED" } });
      expect(await client.bills(row.id)).toEqual([]);
      const free = await client.ended(simulated, (await client.upload(simulated)).body);
      expect(free).toMatchObject({ status: "COMPLETED" });
    } finally {
      await world.operator("workspace.prices", { id, creditLimit: null });
    }
  });

  test("junk is taken, fails for good with the reason, and is neither billed nor kept", async () => {
    const job = await client.makeJob();
    const { body, status } = await client.upload(job, { file: new Blob(["no audio at all"]), fileName: "x.mp3" });
    expect(status).toBe(200);
    const row = await client.ended(job, body);
    expect(row).toMatchObject({ status: "FAILED", transcript: null, audioFormat: null, error: { code: "PERMANENT" } });
    expect(String((row.error as { message: string }).message)).toContain("WAV");
    expect([
      await client.bills(row.id),
      await client.count("transcription_audio", `row_id = '${String(row.id)}'`),
    ]).toEqual([[], 0]);
  });

  test("an address inside the network fails for good", async () => {
    const job = await client.makeJob();
    const { body } = await client.send(job, { url: "http://169.254.169.254/latest/meta-data" });
    expect(await client.ended(job, body)).toMatchObject({ status: "FAILED", error: { code: "PERMANENT" } });
  });

  test("after the last transient failure it is FAILED", async () => {
    await using broken = await ProviderServer.start([{ status: 500 }]);
    await using world2 = await World.start({
      env: { OPENAI_BASE_URL: broken.origin, OUTBOUND_ALLOW: `127.0.0.1:${broken.port}` },
    });
    const made = await world2.request("POST", "/transcriptions/jobs", {
      body: { name: "x", provider: "OPENAI_COMPATIBLE" },
    });
    const job = `/transcriptions/jobs/${String(made.body.id)}`;
    await world2.database.query(
      "create function nearly_last() returns trigger language plpgsql as $$ begin new.failures = 7; return new; end $$",
    );
    await world2.database.query(
      "create trigger nearly_last before insert on transcription_rows for each row execute function nearly_last()",
    );
    const form = new FormData();
    form.append("file", new Blob(["audio"]), "x.mp3");
    const sent = await fetch(`${world2.url}/api/external/v1${job}/recordings/upload`, {
      method: "POST",
      body: form,
      headers: { "x-api-key": world2.sample.apiKey },
    });
    const { rowId } = (await sent.json()) as { rowId: string };
    const row = await world2.until(`${job}/recordings/${rowId}`, ({ status }) => status === "FAILED");
    expect(row).toMatchObject({
      failures: 8,
      error: { code: "GAVE_UP", message: "The transcription server answered 500." },
    });
  });

  test("a task that runs again after its transcript was stored changes and bills nothing", async () => {
    const job = await client.makeJob({ provider: "DEEPGRAM" });
    const { body } = await client.send(job, { url: "https://example.com/1.wav" });
    const row = await client.ended(job, body);
    const requests = deepgram.received.length;
    await world.database.query(
      "update tasks set status = 'PENDING', lease_owner = null, due_at = now(), finished_at = null where subject_id = $1",
      [row.id],
    );
    for (;;) {
      const [task] = await world.database.query<{ status: string; attempt: number }>(
        "select status, attempt from tasks where subject_id = $1",
        [row.id],
      );
      if (task?.status === "DONE" && task.attempt === 2) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(deepgram.received.length).toBe(requests);
    expect(await client.bills(row.id)).toHaveLength(1);
    expect((await world.request("GET", `${job}/recordings/${String(row.id)}`)).body).toEqual(row);
  });

  test("an Idempotency-Key makes one recording of two posts without an externalId, of JSON and of files", async () => {
    const job = await client.makeJob();
    const posts = [
      () => client.send(job, { url: `${store.origin}/x.wav` }, { "idempotency-key": "rec-json" }),
      () => client.upload(job, { headers: { "idempotency-key": "rec-file" } }),
    ];
    for (const post of posts) {
      const [first, again] = [await post(), await post()];
      expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
    }
    const other = await client.upload(job, { file: new Blob(["other"]), headers: { "idempotency-key": "rec-file" } });
    expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect((await world.request("GET", `${job}/recordings`)).body.totalElements).toBe(2);
    expect(await client.count("transcription_uploads")).toBe(0);
  });

  test("what a crash left of an upload is swept a day later", async () => {
    await world.database.query(
      "insert into transcription_uploads values ($1, gen_random_uuid(), now() - interval '25 hours'), ($1, gen_random_uuid(), now())",
      [world.sample.workspaceId],
    );
    await world.database.query(
      "insert into transcription_audio select workspace_id, row_id, 0, 'x' from transcription_uploads",
    );
    await forgetExpired(world.database.pool(), readConfig({}).retention, new AbortController().signal);
    expect([
      await client.count("transcription_uploads"),
      await client.count("transcription_audio", "data = 'x'"),
    ]).toEqual([1, 1]);
  });
});
