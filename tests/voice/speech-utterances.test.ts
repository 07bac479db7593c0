import { describe, expect, test } from "vitest";
import { parseWav } from "#src/audio/codec/wav.ts";
import { createOpenAiStt } from "#src/audio/speech-providers/openai-compatible/openai-stt.ts";
import type { SpeechEvent, SpeechStream } from "#src/audio/stt/stt.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createKeepingPorts } from "#src/platform/http/safe-fetch.ts";
import { type ProviderAnswer, type ProviderRequest, ProviderServer, readForm } from "../kit/provider-server.ts";

const KEY = "key-of-the-tests";
const SECOND = 8_000;
/** Longer than a busy machine takes for the provider's answers. */
const PATIENCE_MS = 20_000;
/** Milliseconds to wait for a provider that never answers. */
const SHORT_MS = 1_500;

function listen(server: ProviderServer, more: { hints?: string[]; timeoutMs?: number } = {}) {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [`127.0.0.1:${server.port}`] });
  const settings = {
    baseUrl: `${server.origin}/v1`,
    apiKey: KEY,
    model: "whisper-1",
    timeoutMs: more.timeoutMs ?? PATIENCE_MS,
  };
  const events: SpeechEvent[] = [];
  const stream = createOpenAiStt(settings, createKeepingPorts(guard).safeFetch).open({
    language: "en-US",
    hints: more.hints ?? [],
    expected: null,
    onEvent: (event) => void events.push(event),
  });
  return { stream, events };
}

function say(stream: SpeechStream, ...parts: Int16Array[]): void {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 160) stream.write(part.subarray(at, at + 160));
  }
}

function heardBy(request: ProviderRequest | undefined) {
  if (!request) throw new Error("nothing was sent");
  const form = readForm(request);
  const wav = parseWav(form.get("file")?.content ?? Buffer.alloc(0));
  return { form, samples: wav.channels[0] ?? new Int16Array(0), rateHz: wav.sampleRateHz };
}

const answer = (text: string): ProviderAnswer => ({ status: 200, json: { text } });
const final = (text: string) => ({ kind: "FINAL", text, confidence: null });

describe("OPENAI_COMPATIBLE, an utterance at a time", () => {
  test("what was said up to the flush is sent as a WAV file, from just before its first sound", async () => {
    await using server = await ProviderServer.start([answer(" My name is Ann. ")]);
    const { stream, events } = listen(server, { hints: ["Ann", "Parley\r\nX: y"] });
    say(stream, new Int16Array(60 * SECOND), encodeToneSpeech("My name is Ann."), new Int16Array(SECOND / 2));
    stream.flush();
    await expect.poll(() => events).toEqual([final("My name is Ann.")]);
    const { form, samples, rateHz } = heardBy(server.received[0]);
    expect([rateHz, decodeToneSpeech(samples)]).toEqual([SECOND, ["My name is Ann."]]);
    expect(samples.length).toBeLessThan(10 * SECOND);
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(form.get("model")?.content.toString()).toBe("whisper-1");
    expect(form.get("language")?.content.toString()).toBe("en");
    expect(form.get("prompt")?.content.toString()).toBe("Ann, Parley X: y");
  });

  test("silence is answered without asking: servers make up words for it", async () => {
    await using server = await ProviderServer.start([answer("Thanks for watching!")]);
    const { stream, events } = listen(server);
    say(stream, new Int16Array(3 * SECOND));
    stream.flush();
    await expect.poll(() => events).toEqual([final("")]);
    expect(server.received).toEqual([]);
  });

  test("utterances come in their order, though the first takes longer", async () => {
    const slow: ProviderAnswer = (response) => void setTimeout(() => response.end(JSON.stringify({ text: "one" })), 60);
    await using server = await ProviderServer.start([slow, answer("two")]);
    const { stream, events } = listen(server);
    say(stream, encodeToneSpeech("a"));
    stream.flush();
    say(stream, encodeToneSpeech("b"));
    stream.flush();
    await expect.poll(() => events).toEqual([final("one"), final("two")]);
  });

  test("a connection serves one utterance after the other, and its end while one arrives loses no words", async () => {
    const lost: ProviderAnswer = (response) => response.destroy();
    await using server = await ProviderServer.start([answer("one"), answer("two"), lost, answer("three")]);
    const { stream, events } = listen(server);
    for (const [i, word] of ["one", "two", "three"].entries()) {
      say(stream, encodeToneSpeech(word));
      stream.flush();
      await expect.poll(() => events[i]).toEqual(final(word));
    }
    const [first, ...others] = server.received.map(({ port }) => port);
    expect(others.map((port) => port === first)).toEqual([true, true, false]);
  });

  test("speech without a pause is heard in parts, and none of it is lost", async () => {
    await using server = await ProviderServer.start([answer("part")]);
    const { stream, events } = listen(server);
    const long = Int16Array.from({ length: 45 * SECOND }, (_, i) => 4_000 * Math.sin(i / 3 + i / 70_000));
    say(stream, long);
    stream.flush();
    await expect.poll(() => events.length).toBe(3);
    const sizes = server.received.map((request) => heardBy(request).samples.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(long.length);
  });

  const FAULTS: [string, ProviderAnswer, string][] = [
    ["401", { status: 401, json: { error: { message: `wrong key ${KEY}` } } }, "REFUSED"],
    ["400", { status: 400 }, "REFUSED"],
    ["429", { status: 429 }, "BUSY"],
    ["500", { status: 500 }, "UNAVAILABLE"],
    ["garbage", { status: 200, text: "<html>" }, "UNREADABLE"],
    ["JSON without a text", { status: 200, json: { text: 7 } }, "UNREADABLE"],
    ["a cut", (response) => response.destroy(), "UNAVAILABLE"],
    [
      "a cut in the answer",
      (response) => response.writeHead(200).write('{"te', () => response.destroy()),
      "UNAVAILABLE",
    ],
    ["no answer", () => undefined, "TIMEOUT"],
    ["an answer without end", (response) => response.writeHead(200).write("x".repeat(2_000_000)), "UNREADABLE"],
  ];
  test.each(FAULTS)("%s every time ends the stream as FAILED, once", async (_name, fault, code) => {
    await using server = await ProviderServer.start([fault]);
    const { stream, events } = listen(server, { timeoutMs: code === "TIMEOUT" ? SHORT_MS : PATIENCE_MS });
    say(stream, encodeToneSpeech("a"));
    stream.flush();
    await expect.poll(() => events).toMatchObject([{ kind: "FAILED", code }]);
    expect(JSON.stringify(events)).not.toContain(KEY);
    expect(server.received.length).toBe(code === "REFUSED" ? 1 : 2);
    say(stream, encodeToneSpeech("b"));
    stream.flush();
    expect(events.length).toBe(1);
  });

  test.each(FAULTS.filter(([, , code]) => code !== "REFUSED"))("%s once costs nothing", async (_name, fault, code) => {
    await using server = await ProviderServer.start([fault, answer("heard")]);
    const { stream, events } = listen(server, { timeoutMs: code === "TIMEOUT" ? SHORT_MS : PATIENCE_MS });
    say(stream, encodeToneSpeech("a"));
    stream.flush();
    await expect.poll(() => events).toEqual([final("heard")]);
  });

  test("pauses that come faster than a slow server answers are heard together, and nothing of them is lost", async () => {
    const first = Promise.withResolvers<void>();
    const slow: ProviderAnswer = (response) =>
      void first.promise.then(() => response.end(JSON.stringify({ text: "first" })));
    await using server = await ProviderServer.start([slow, answer("later")]);
    const { stream, events } = listen(server);
    const words = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for (const word of words) {
      say(stream, encodeToneSpeech(word), new Int16Array(SECOND / 2));
      stream.flush();
    }
    first.resolve();
    await expect.poll(() => server.received.flatMap((one) => decodeToneSpeech(heardBy(one).samples))).toEqual(words);
    await expect.poll(() => events.length).toBe(server.received.length);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(["FINAL"]));
    expect(server.received.length).toBeLessThan(words.length);
  });

  test("a server that does not keep up ends the stream instead of piling speech up", async () => {
    await using server = await ProviderServer.start([() => undefined]);
    const { stream, events } = listen(server);
    const long = new Int16Array(12 * SECOND).fill(4_000);
    for (let i = 0; i < 10; i++) {
      say(stream, long);
      stream.flush();
    }
    await expect.poll(() => events).toMatchObject([{ kind: "FAILED", code: "BUSY" }]);
  });

  test("closing ends the request, and nothing is told afterwards", async () => {
    const closed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const hanging: ProviderAnswer = (response) => {
      response.on("close", () => closed.resolve());
      arrived.resolve();
    };
    await using server = await ProviderServer.start([hanging]);
    const { stream, events } = listen(server);
    say(stream, encodeToneSpeech("a"));
    stream.flush();
    await arrived.promise;
    stream.close();
    await closed.promise;
    expect(events).toEqual([]);
  });
});
