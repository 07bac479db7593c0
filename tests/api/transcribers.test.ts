import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AudioSource, type BatchStt, BatchSttError } from "#src/audio/batch-stt/batch-stt.ts";
import { createDeepgramBatchStt } from "#src/audio/speech-providers/deepgram/deepgram-batch-stt.ts";
import { createOpenAiBatchStt } from "#src/audio/speech-providers/openai-compatible/openai-batch-stt.ts";
import { createToneBatchStt } from "#src/audio/speech-providers/tone/tone-batch-stt.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch, createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { type ProviderAnswer, ProviderServer, readForm } from "../kit/provider-server.ts";
import { recordCall, saidInTones } from "../kit/tone-recordings.ts";

const KEY = "key-of-the-tests";
const NEVER = new AbortController().signal;
const AUDIO = Buffer.from("not really audio, but what the provider gets\r\n--boundary\0\xff", "latin1");
let folder: string;
let file: AudioSource;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "transcribers-"));
  const path = join(folder, "audio");
  writeFileSync(path, AUDIO);
  file = { path, fileName: 'evil"\r\nname.MP3', mediaType: "application/x-evil", bytes: AUDIO.length };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function partsFor(...ports: number[]) {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: ports.map((port) => `127.0.0.1:${port}`) });
  return { safeFetch: createSafeFetch(guard), safeOpen: createSafeOpen(guard) };
}

type Make = (origin: string, ports: number[], timeoutMs?: number) => BatchStt;
const openAi: Make = (origin, ports, timeoutMs = 20_000) =>
  createOpenAiBatchStt({ baseUrl: `${origin}/v1`, apiKey: KEY, model: "whisper-1", timeoutMs }, partsFor(...ports));
const deepgram: Make = (origin, ports, timeoutMs = 20_000) =>
  createDeepgramBatchStt({ baseUrl: origin, apiKey: KEY, model: "nova-3", timeoutMs }, partsFor(...ports).safeFetch);

async function failureOf(transcript: Promise<unknown>): Promise<BatchSttError> {
  const thrown: unknown = await transcript.then(
    () => new Error("It did not fail."),
    (error: unknown) => error,
  );
  if (!(thrown instanceof BatchSttError)) throw thrown as Error;
  return thrown;
}

const OPENAI_REPLY = {
  language: "english",
  duration: 3.5,
  text: " Hello. Good day.",
  segments: [
    { start: 0, end: 1.25, text: " Hello." },
    { start: 1.25, end: 3.5, text: " Good day." },
  ],
};
const DEEPGRAM_REPLY = {
  metadata: { duration: 3.5 },
  results: {
    channels: [{ detected_language: "en", alternatives: [{ transcript: "Hello. Good day." }] }],
    utterances: [
      { start: 0, end: 1.25, transcript: "Hello.", speaker: 0 },
      { start: 1.25, end: 3.5, transcript: "Good day.", speaker: 1 },
    ],
  },
};

describe("OPENAI_COMPATIBLE", () => {
  test("sends the file as a form and reads verbose_json", async () => {
    await using server = await ProviderServer.start([{ status: 200, json: OPENAI_REPLY }]);
    const transcript = await openAi(server.origin, [server.port]).transcribe(file, { language: "en-US" }, NEVER);
    expect(transcript).toEqual({
      text: "Hello. Good day.",
      language: "english",
      durationSeconds: 3.5,
      segments: [
        { startMs: 0, endMs: 1250, speaker: null, text: "Hello." },
        { startMs: 1250, endMs: 3500, speaker: null, text: "Good day." },
      ],
      note: null,
    });
    const [request] = server.received;
    if (!request) throw new Error("nothing was sent");
    expect([request.method, request.url]).toEqual(["POST", "/v1/audio/transcriptions"]);
    expect(request.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "content-length": String(request.body.length),
    });
    const form = readForm(request);
    const fields = [...form]
      .filter(([name]) => name !== "file")
      .map(([name, { content }]) => [name, content.toString()]);
    expect(fields).toEqual([
      ["model", "whisper-1"],
      ["language", "en"],
      ["response_format", "verbose_json"],
      ["timestamp_granularities[]", "segment"],
    ]);
    expect(form.get("file")?.content).toEqual(AUDIO);
    expect(form.get("file")?.headers).toBe(
      'Content-Disposition: form-data; name="file"; filename="recording.mp3"\r\nContent-Type: audio/mpeg',
    );
  });

  test("passes the audio of an address through, over redirects, with and without its length", async () => {
    for (const length of [{ "content-length": String(AUDIO.length) }, {}]) {
      await using store = await ProviderServer.start([
        { status: 302, headers: { location: "/signed/call.ogg?x=1" } },
        (response) => response.writeHead(200, { "content-type": "audio/ogg", ...length }).end(AUDIO),
      ]);
      await using server = await ProviderServer.start([{ status: 200, json: { text: "Hi." } }]);
      const source = { url: `${store.origin}/calls/call.ogg` };
      const batchStt = openAi(server.origin, [server.port, store.port]);
      expect(await batchStt.transcribe(source, { language: null }, NEVER)).toMatchObject({
        text: "Hi.",
        language: null,
        durationSeconds: null,
        segments: [],
      });
      expect(store.received.map(({ url }) => url)).toEqual(["/calls/call.ogg", "/signed/call.ogg?x=1"]);
      const [request] = server.received;
      if (!request) throw new Error("nothing was sent");
      expect(readForm(request).get("file")?.content).toEqual(AUDIO);
      expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
      expect(store.received.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    }
  });

  test.each([
    ["404 of the address", 404, "PERMANENT"],
    ["503 of the address", 503, "TRANSIENT"],
  ])("%s", async (_name, status, kind) => {
    await using store = await ProviderServer.start([{ status }]);
    const source = { url: `${store.origin}/x.wav` };
    const failure = await failureOf(
      openAi("http://127.0.0.1:9", [store.port]).transcribe(source, { language: null }, NEVER),
    );
    expect([failure.kind, failure.message]).toEqual([kind, `The audio's address answered ${status}.`]);
  });

  test("an address that redirects into the network is refused for good", async () => {
    await using store = await ProviderServer.start([{ status: 302, headers: { location: "http://169.254.169.254/" } }]);
    const source = { url: `${store.origin}/x.wav` };
    const failure = await failureOf(
      openAi("http://127.0.0.1:9", [store.port]).transcribe(source, { language: null }, NEVER),
    );
    expect(failure.kind).toBe("PERMANENT");
  });

  test("an address whose audio breaks off is the fault that is told", async () => {
    await using store = await ProviderServer.start([
      (response) => {
        response.writeHead(200, { "content-length": "100000" });
        response.write("half", () => response.destroy());
      },
    ]);
    await using server = await ProviderServer.start([{ status: 200, json: OPENAI_REPLY }]);
    const source = { url: `${store.origin}/x.wav` };
    const batchStt = openAi(server.origin, [server.port, store.port]);
    const failure = await failureOf(batchStt.transcribe(source, { language: null }, NEVER));
    expect(failure.kind).toBe("TRANSIENT");
    expect(failure.message).toContain("The audio could not be fetched");
  });

  test.each([
    ["gpt-4o-transcribe", [["response_format", "json"]]],
    [
      "gpt-4o-transcribe-diarize",
      [
        ["response_format", "diarized_json"],
        ["chunking_strategy", "auto"],
      ],
    ],
  ])("%s is asked for the format it has", async (model, expected) => {
    const json = {
      text: "A B",
      usage: { type: "duration", seconds: 9 },
      segments: [{ start: 0, end: 1, text: "A", speaker: "agent" }],
    };
    await using server = await ProviderServer.start([{ status: 200, json }]);
    const settings = { baseUrl: server.origin, apiKey: undefined, model, timeoutMs: 20_000 };
    const transcript = await createOpenAiBatchStt(settings, partsFor(server.port)).transcribe(
      file,
      { language: null },
      NEVER,
    );
    expect(transcript).toMatchObject({ durationSeconds: 9, segments: [{ speaker: "agent" }] });
    const [request] = server.received;
    if (!request) throw new Error("nothing was sent");
    const fields = [...readForm(request)].map(([name, { content }]) => [name, content.toString()]);
    expect(fields.slice(1, -1)).toEqual(expected);
    expect(request.headers.authorization).toBeUndefined();
  });
});

describe("DEEPGRAM", () => {
  test("the url is handed to the provider as given", async () => {
    await using server = await ProviderServer.start([{ status: 200, json: DEEPGRAM_REPLY }]);
    const url = 'HTTPS://Example.com:443/a b/../ä.wav?token=%2f&x="y"#frag';
    const transcript = await deepgram(server.origin, [server.port]).transcribe({ url }, { language: null }, NEVER);
    expect(transcript).toEqual({
      text: "Hello. Good day.",
      language: "en",
      durationSeconds: 3.5,
      segments: [
        { startMs: 0, endMs: 1250, speaker: "SPEAKER_0", text: "Hello." },
        { startMs: 1250, endMs: 3500, speaker: "SPEAKER_1", text: "Good day." },
      ],
      note: null,
    });
    const [request] = server.received;
    expect(JSON.parse(request?.body.toString() ?? "")).toEqual({ url });
    expect(request?.headers).toMatchObject({ authorization: `Token ${KEY}`, "content-type": "application/json" });
    expect(new URL(request?.url ?? "", server.origin).searchParams.get("detect_language")).toBe("true");
  });

  test("sends a file as it is, with its length", async () => {
    await using server = await ProviderServer.start([{ status: 200, json: DEEPGRAM_REPLY }]);
    await deepgram(server.origin, [server.port]).transcribe(file, { language: "de-DE" }, NEVER);
    const [request] = server.received;
    expect(request?.body).toEqual(AUDIO);
    expect(request?.headers).toMatchObject({ "content-type": "audio/mpeg", "content-length": String(AUDIO.length) });
    const query = new URL(request?.url ?? "", server.origin).searchParams;
    expect([query.get("language"), query.get("model"), query.has("detect_language")]).toEqual(["de", "nova-3", false]);
  });

  test("without utterances, sentences of paragraphs are the segments", async () => {
    const sentences = [{ text: "One.", start: 0.5, end: 1 }];
    const alternative = {
      transcript: "One.",
      paragraphs: { transcript: "One.", paragraphs: [{ sentences, speaker: 1 }] },
    };
    const json = { metadata: { duration: 1 }, results: { channels: [{ alternatives: [alternative] }] } };
    await using server = await ProviderServer.start([{ status: 200, json }]);
    const { segments } = await deepgram(server.origin, [server.port]).transcribe(file, { language: null }, NEVER);
    expect(segments).toEqual([{ startMs: 500, endMs: 1000, speaker: "SPEAKER_1", text: "One." }]);
  });
});

describe.each([
  ["OPENAI_COMPATIBLE", openAi],
  ["DEEPGRAM", deepgram],
])("%s failures", (_name, make) => {
  const cut: ProviderAnswer = (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("{", () => response.destroy());
  };
  const cases: [string, ProviderAnswer, string][] = [
    ["429", { status: 429, headers: { "retry-after": "7" } }, "TRANSIENT"],
    ["500", { status: 500, text: "oops" }, "TRANSIENT"],
    ["503", { status: 503, text: "" }, "TRANSIENT"],
    ["an answer that is cut off", cut, "TRANSIENT"],
    ["a refused key", { status: 401, json: { error: { message: `Incorrect key ${KEY}` } } }, "PERMANENT"],
    ["400", { status: 400, json: { err_msg: "Bad audio.", error: { message: "Bad audio." } } }, "PERMANENT"],
    ["garbage", { status: 200, text: "<html>" }, "PERMANENT"],
    ["JSON of another shape", { status: 200, json: { text: 5, results: { channels: "x" } } }, "PERMANENT"],
    ["null", { status: 200, text: "null" }, "PERMANENT"],
    ["a redirect", { status: 302, headers: { location: "/elsewhere" } }, "PERMANENT"],
  ];
  test.each(cases)("%s", async (name, answer, kind) => {
    await using server = await ProviderServer.start([answer]);
    const failure = await failureOf(make(server.origin, [server.port]).transcribe(file, { language: null }, NEVER));
    expect(failure.kind).toBe(kind);
    expect(failure.message).not.toContain(KEY);
    expect(failure.retryAfterMs).toBe(name === "429" ? 7_000 : null);
    expect(failure.message.includes("Bad audio.")).toBe(name === "400");
  });

  test("a provider that hangs is a timeout, and one that is not there a network fault: both TRANSIENT", async () => {
    await using server = await ProviderServer.start([() => undefined]);
    const hanging = await failureOf(
      make(server.origin, [server.port], 200).transcribe(file, { language: null }, NEVER),
    );
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const absent = await failureOf(
      make(`http://127.0.0.1:${port}`, [port]).transcribe(file, { language: null }, NEVER),
    );
    expect([hanging.kind, absent.kind]).toEqual(["TRANSIENT", "TRANSIENT"]);
  });

  test("the signal ends a request that is under way", async () => {
    const stop = new AbortController();
    await using server = await ProviderServer.start([() => stop.abort(new Error("shutting down"))]);
    const failure = await failureOf(
      make(server.origin, [server.port]).transcribe(file, { language: null }, stop.signal),
    );
    expect(failure.kind).toBe("TRANSIENT");
  });

  test("a provider inside the network that the operator did not open is refused", async () => {
    await using server = await ProviderServer.start([{ status: 200, json: OPENAI_REPLY }]);
    const failure = await failureOf(make(server.origin, []).transcribe(file, { language: null }, NEVER));
    expect([failure.kind, server.received]).toEqual(["PERMANENT", []]);
  });
});

describe("SANDBOX", () => {
  const sandbox = (...ports: number[]) => createToneBatchStt(partsFor(...ports).safeOpen, 20_000);
  const stored = (name: string, bytes: Buffer): AudioSource => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return { path, fileName: name, mediaType: "audio/wav", bytes: bytes.length };
  };

  test("hears a recording of the service's own, each speaker at their time", async () => {
    const call = await recordCall(
      [
        { role: "ASSISTANT", content: "Hello, this is the clinic.", startMs: 500 },
        { role: "USER", content: "Grüß Gott!", startMs: 4_000 },
        { role: "ASSISTANT", content: "Will you come?", startMs: 6_000 },
      ],
      9_000,
    );
    const transcript = await sandbox().transcribe(stored("call.wav", call), { language: "en" }, NEVER);
    expect(transcript).toMatchObject({
      text: "Hello, this is the clinic.\nGrüß Gott!\nWill you come?",
      language: "en",
      durationSeconds: 9,
      note: null,
    });
    expect(transcript.segments.map(({ speaker, startMs }) => [speaker, startMs])).toEqual([
      ["ASSISTANT", 500],
      ["USER", 4_000],
      ["ASSISTANT", 6_000],
    ]);
  });

  test("fetches an address through the guard", async () => {
    const wav = saidInTones("from afar");
    await using store = await ProviderServer.start([(response) => response.writeHead(200).end(wav)]);
    const source = { url: `${store.origin}/x.wav` };
    expect((await sandbox(store.port).transcribe(source, { language: null }, NEVER)).text).toBe("from afar");
    expect((await failureOf(sandbox().transcribe(source, { language: null }, NEVER))).kind).toBe("PERMANENT");
    expect(store.received.length).toBe(1);
  });

  test("audio without tone speech gives an empty transcript with a note", async () => {
    const silence = saidInTones("x");
    silence.fill(0, 44);
    const transcript = await sandbox().transcribe(stored("silence.wav", silence), { language: null }, NEVER);
    expect([transcript.text, transcript.segments, transcript.note]).toEqual([
      "",
      [],
      expect.stringContaining("tone speech"),
    ]);
  });

  test("bytes that are no WAV, and WAV files that lie about themselves, fail for good", async () => {
    const lying = saidInTones("x");
    lying.writeUInt32LE(4_000_000_000, 24);
    for (const bytes of [AUDIO, Buffer.alloc(0), saidInTones("x").subarray(0, 100), lying]) {
      const failure = await failureOf(sandbox().transcribe(stored("junk", bytes), { language: null }, NEVER));
      expect(failure.kind).toBe("PERMANENT");
    }
  });
});
