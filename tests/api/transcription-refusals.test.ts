import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TranscriptionClient } from "../kit/transcription-client.ts";
import { World } from "../kit/world.ts";

let world: World;
let client: TranscriptionClient;
beforeAll(async () => {
  world = await World.start();
  client = new TranscriptionClient(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const bad: [string, unknown, number, string][] = [
  ["no url", {}, 422, "url"],
  ["a url of another kind", { url: 5 }, 400, "url"],
  ["an ftp url", { url: "ftp://example.com/x" }, 422, "url"],
  ["a url that cannot be read", { url: "http://" }, 422, "url"],
  ["a url with a line end", { url: "http://example.com/\nx" }, 422, "url"],
  ["an empty externalId", { url: "http://e.com/x", externalId: "" }, 422, "externalId"],
  ["an externalId too long for an index", { url: "http://e.com/x", externalId: "x".repeat(501) }, 422, "externalId"],
  ["metadata that is no object", { url: "http://e.com/x", metadata: [] }, 400, "metadata"],
  ["metadata too large", { url: "http://e.com/x", metadata: { a: "x".repeat(70_000) } }, 422, "metadata"],
];
test.each(bad)("recordings: %s", async (_name, body, status, path) => {
  const job = `/transcriptions/jobs/${world.sample.transcriptionJob.id}`;
  const reply = await client.send(job, body as Record<string, unknown>);
  expect([reply.status, reply.body.details], reply.text).toEqual([status, [expect.objectContaining({ path })]]);
});

test.each([
  ["payload that is no JSON", { payload: "{" }, 400],
  ["payload that is no object", { payload: "[]" }, 400],
  ["payload with a wrong type", { payload: '{"externalId":5}' }, 400],
  ["payload with a NUL", { payload: '{"externalId":"\\u0000"}' }, 400],
  ["no file", { file: null, payload: "{}" }, 422],
  ["an empty file", { file: new Blob([]) }, 422],
])("upload: %s", async (_name, options, status) => {
  const reply = await client.upload(`/transcriptions/jobs/${world.sample.transcriptionJob.id}`, options);
  expect(reply.status, reply.text).toBe(status);
  expect(await client.count("transcription_uploads")).toBe(0);
  await expect.poll(() => client.spooled(), { timeout: 20_000 }).toEqual([]);
});

test("upload: 415 for JSON, 413 for a file that says it is larger than 500 MB", async () => {
  const path = `/transcriptions/jobs/${world.sample.transcriptionJob.id}/recordings/upload`;
  expect((await world.request("POST", path, { body: {} })).status).toBe(415);
  const { hostname, port } = new URL(world.url);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.on("error", reject).on("close", () => resolve(text));
    socket.write(
      `POST /api/external/v1${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.sample.apiKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${530 * 1024 * 1024}\r\n\r\n--b\r\n`,
    );
  });
  expect(answer.split("\r\n", 1)[0]).toContain(" 413 ");
});

test("a name is never used as a path", async () => {
  const job = await client.makeJob();
  const names = ["../../../../tmp/escaped.wav", "..\\..\\escaped.wav", "/etc/passwd", "a\u0001b.wav"];
  const replies = await Promise.all(
    names.map((fileName) => client.upload(job, { fileName, payload: JSON.stringify({ fileName }) })),
  );
  expect(replies.map((reply) => reply.body.fileName)).toEqual(["escaped.wav", "escaped.wav", "passwd", "ab.wav"]);
  for (const { body } of replies) expect((await client.ended(job, body)).status).toBe("COMPLETED");
  expect(readdirSync(world.dataDir).filter((name) => name.includes("escaped"))).toEqual([]);
});

test.each(["(?=x)(?<a>x)", "(a", "no groups", `(?<a>${"(x{100}){100}".repeat(5)})`])(
  "a pattern that RE2 does not take, or that is too much: %s",
  async (fileNamePattern) => {
    const reply = await world.request("POST", "/transcriptions/jobs", { body: { name: "x", fileNamePattern } });
    expect([reply.status, reply.body.details]).toEqual([422, [expect.objectContaining({ path: "fileNamePattern" })]]);
  },
);

test("a foreign job reads exactly as one that never existed", async () => {
  const other = await world.createWorkspace();
  const foreign = `/transcriptions/jobs/${other.transcriptionJob.id}`;
  const random = "/transcriptions/jobs/00000000-0000-4000-8000-000000000000";
  const ask = async (job: string) => {
    const replies = [
      await world.request("GET", job),
      await world.request("PATCH", job, { body: { name: "x" } }),
      await world.request("POST", `${job}/close`),
      await client.send(job, { url: "https://example.com/x.wav", externalId: "x" }),
      await client.upload(job, { payload: JSON.stringify({ externalId: "x" }) }),
      await client.upload(job, { file: new Blob(["file\nx\n"]), to: "spreadsheet" }),
      await world.request("GET", `${job}/recordings`),
      await world.request("GET", `${job}/recordings/00000000-0000-4000-8000-000000000000`),
    ];
    return replies.map(({ status, text }) => [status, text]);
  };
  const [own, none] = [await ask(foreign), await ask(random)];
  expect(own).toEqual(none);
  expect(own).toEqual(own.map(() => [404, '{"error":"Not found"}']));
  expect((await world.request("GET", `/metadata/fields?jobId=${other.transcriptionJob.id}`)).text).toBe(
    (await world.request("GET", "/metadata/fields?jobId=00000000-0000-4000-8000-000000000000")).text,
  );
});

test("a recording of another job is not found below this one", async () => {
  const [one, two] = [await client.makeJob(), await client.makeJob()];
  const { body } = await client.upload(one);
  expect((await world.request("GET", `${two}/recordings/${String(body.rowId)}`)).status).toBe(404);
});

test("a provider without a key is told when the job is made", async () => {
  for (const provider of ["OPENAI_COMPATIBLE", "DEEPGRAM"]) {
    const reply = await world.request("POST", "/transcriptions/jobs", { body: { name: "x", provider } });
    expect([reply.status, reply.body.details]).toEqual([
      422,
      [expect.objectContaining({ path: "provider", code: "TRANSCRIBER_NOT_CONFIGURED" })],
    ]);
  }
});

test("upload: a sender that goes away in the middle leaves nothing behind", async () => {
  const path = `/api/external/v1/transcriptions/jobs/${world.sample.transcriptionJob.id}/recordings/upload`;
  const { hostname, port } = new URL(world.url);
  const before = await client.count("transcription_rows");
  for (const cut of ["--b\r\n", '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nhalf of it']) {
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.sample.apiKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n${cut}`,
    );
    await expect.poll(() => client.spooled().length + (cut.length < 10 ? 1 : 0)).toBeGreaterThan(0);
    socket.destroy();
    await closed;
  }
  await expect.poll(() => client.spooled(), { timeout: 20_000 }).toEqual([]);
  expect([await client.count("transcription_rows"), await client.count("transcription_uploads")]).toEqual([before, 0]);
});

test("spreadsheet: 413 above 10 MiB while it is streamed, 422 for what is no spreadsheet", async () => {
  const job = await client.makeJob();
  const large = await client.upload(job, {
    file: new Blob([Buffer.alloc(10 * 1024 * 1024 + 1, 65)]),
    to: "spreadsheet",
  });
  const junk = await client.upload(job, { file: new Blob([Buffer.from([0xff, 0x00])]), to: "spreadsheet" });
  expect([large.status, junk.status, junk.body.details]).toEqual([
    413,
    422,
    [expect.objectContaining({ path: "file" })],
  ]);
  await expect.poll(() => client.spooled(), { timeout: 20_000 }).toEqual([]);
});
