import { afterEach, describe, expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import type { DeepgramLimits } from "#src/audio/speech-providers/deepgram/deepgram-stream.ts";
import { createDeepgramStt } from "#src/audio/speech-providers/deepgram/deepgram-stt.ts";
import type { SpeechEvent, SpeechStream } from "#src/audio/stt/stt.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createOpenSocket } from "#src/platform/http/safe-socket.ts";
import { type ServerSocket, type SocketBehaviour, SocketServer } from "../kit/socket-server.ts";

const KEY = "key-of-the-tests";
const SECOND = 8_000;
/** Short waits: what is tested is what happens, not how long it takes. */
const QUICK: Partial<DeepgramLimits> = { tickMs: 20, backoffMs: 5, connectMs: 20_000 };
/** Milliseconds to wait for a server that does nothing: longer than a busy machine takes for an answer that comes. */
const PATIENCE_MS = 1_500;
const open: SpeechStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

function listen(server: SocketServer, limits: Partial<DeepgramLimits> = {}, hints: string[] = [], language = "en-US") {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [`127.0.0.1:${server.port}`] });
  const settings = { baseUrl: server.origin, apiKey: KEY, model: "nova-3" };
  const events: SpeechEvent[] = [];
  const stt = createDeepgramStt(settings, createOpenSocket(guard), { ...QUICK, ...limits });
  const stream = stt.open({
    language,
    hints,
    expected: null,
    onEvent: (event) => void events.push(event),
  });
  open.push(stream);
  const finals = () => events.flatMap((event) => (event.kind === "FINAL" ? [event.text] : []));
  const failure = () => events.find((event) => event.kind === "FAILED");
  return { stream, events, finals, failure };
}

function say(stream: SpeechStream, samples: Int16Array): void {
  for (let at = 0; at < samples.length; at += 160) stream.write(samples.subarray(at, at + 160));
}

function result(text: string, start: number, duration: number, more: object = { is_final: true }) {
  return {
    type: "Results",
    channel_index: [0, 1],
    start,
    duration,
    channel: { alternatives: [{ transcript: text, confidence: 0.9, words: [] }] },
    metadata: { request_id: "r", model_info: { name: "n", version: "v", arch: "a" }, model_uuid: "u" },
    ...more,
  };
}

/** Transcribes tone speech, makes it final on request, and answers a CloseStream as Deepgram does. */
function understanding(socket: ServerSocket): void {
  let heard = 0;
  socket.onMessage((message) => {
    if (typeof message !== "string") return;
    const { type } = JSON.parse(message) as { type: string };
    if (type === "CloseStream") return socket.close(1000);
    if (type !== "Finalize") return;
    const audio = decodeMuLaw(socket.audio.subarray(heard));
    const text = decodeToneSpeech(audio).join(" ");
    socket.send(result(text, heard / SECOND, audio.length / SECOND, { is_final: true, from_finalize: true }));
    heard += audio.length;
  });
}

describe("the protocol", () => {
  test("audio goes out as mu-law in messages of 80 to 250 ms, and a flush brings the words", async () => {
    await using server = await SocketServer.start([understanding]);
    const { stream, events } = listen(server, {}, ["Ann", "  ", "x".repeat(100)]);
    const samples = encodeToneSpeech("My name is Ann.");
    say(stream, samples);
    stream.flush();
    await expect.poll(() => events).toEqual([{ kind: "FINAL", text: "My name is Ann.", confidence: 0.9 }]);
    const [socket] = server.sockets;
    expect(socket?.audio.equals(Buffer.from(encodeMuLaw(samples)))).toBe(true);
    const sizes = socket?.received.filter((message) => typeof message !== "string").map((bytes) => bytes.length) ?? [];
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(640);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
    expect(socket?.headers.authorization).toBe(`Token ${KEY}`);
    expect(Object.fromEntries(socket?.url.searchParams ?? [])).toMatchObject({
      encoding: "mulaw",
      sample_rate: "8000",
      language: "en-US",
      interim_results: "true",
    });
    expect(socket?.url.searchParams.getAll("keyterm")).toEqual(["Ann", "x".repeat(60)]);
  });

  test("audio that comes 100 ms at a time goes out as it comes", async () => {
    await using server = await SocketServer.start([understanding]);
    const { stream, finals } = listen(server);
    stream.flush();
    await expect.poll(finals).toEqual([""]);
    for (let i = 0; i < 8; i++) stream.write(new Int16Array(800));
    stream.flush();
    await expect.poll(finals).toEqual(["", ""]);
    const sizes = server.sockets[0]?.received.flatMap((one) => (typeof one === "string" ? [] : [one.length]));
    expect(sizes).toEqual(Array.from({ length: 8 }, () => 800));
  });

  test("a language with a region that Deepgram does not list goes out without it", async () => {
    await using server = await SocketServer.start([understanding]);
    const { stream, finals } = listen(server, {}, [], "de-DE");
    say(stream, encodeToneSpeech("Ja."));
    stream.flush();
    await expect.poll(finals).toEqual(["Ja."]);
    expect(server.sockets[0]?.url.searchParams.get("language")).toBe("de");
  });

  test("interim words come as PARTIAL, settled words as FINAL, empty results as nothing", async () => {
    await using server = await SocketServer.start([
      (socket) => {
        socket.send({ type: "Metadata", request_id: "r" });
        socket.send({ type: "SpeechStarted", channel: [0], timestamp: 0.1 });
        socket.send(result("", 0, 0.5, {}));
        socket.send(result("good", 0, 0.6, {}));
        socket.send(result("Good day.", 0, 1, { is_final: true, speech_final: true }));
        socket.send(result("", 1, 1));
        socket.send({ type: "UtteranceEnd", channel: [0], last_word_end: 1 });
        socket.send({ type: "something new" });
      },
    ]);
    const { stream, events } = listen(server);
    say(stream, new Int16Array(2 * SECOND));
    await expect.poll(() => events.length).toBe(2);
    expect(events).toEqual([
      { kind: "PARTIAL", text: "good" },
      { kind: "FINAL", text: "Good day.", confidence: 0.9 },
    ]);
  });

  test("without audio the stream is kept alive", async () => {
    await using server = await SocketServer.start([understanding]);
    listen(server, { keepAliveMs: 30 });
    await expect.poll(() => server.sockets[0]?.commands.length ?? 0).toBeGreaterThan(1);
    expect(server.sockets[0]?.commands[0]).toEqual({ type: "KeepAlive" });
  });

  test("closing says CloseStream, and nothing is told afterwards", async () => {
    await using server = await SocketServer.start([understanding]);
    const { stream, events } = listen(server);
    say(stream, encodeToneSpeech("Bye."));
    stream.flush();
    await expect.poll(() => events.length).toBe(1);
    stream.flush();
    stream.close();
    await expect.poll(() => server.sockets[0]?.commands.at(-1)).toEqual({ type: "CloseStream" });
    await expect.poll(() => server.sockets[0]?.closeCode).not.toBeNull();
    say(stream, new Int16Array(SECOND));
    stream.flush();
    stream.close();
    expect(events.length).toBe(1);
  });

  test("a flush that a talking server leaves unanswered is answered as empty", async () => {
    await using server = await SocketServer.start([
      (socket) => socket.onMessage((one) => typeof one === "string" && socket.send(result("", 0, 0.1, {}))),
    ]);
    const { stream, events } = listen(server, { flushMs: PATIENCE_MS, keepAliveMs: 60_000 });
    stream.flush();
    await expect.poll(() => events).toEqual([{ kind: "FINAL", text: "", confidence: null }]);
    expect(server.handshakes).toBe(1);
  });
});

describe("a lost connection", () => {
  test("the next one begins with exactly the audio that was not made final", async () => {
    let isSaid = false;
    await using server = await SocketServer.start([
      (socket) =>
        socket.onMessage(() => {
          if (socket.audio.length < 12 * 640) return;
          if (!isSaid) socket.send(result("one", 0, 0.5));
          isSaid = true;
        }),
      understanding,
    ]);
    const { stream, finals } = listen(server);
    const samples = new Int16Array(2 * SECOND).map((_, i) => Math.round(8_000 * Math.sin(i / 7 + (i / 900) ** 2)));
    say(stream, samples.subarray(0, SECOND));
    await expect.poll(() => finals()).toEqual(["one"]);
    server.sockets[0]?.cut();
    await expect.poll(() => server.sockets.length).toBe(2);
    say(stream, samples.subarray(SECOND));
    stream.flush();
    await expect.poll(() => finals()).toEqual(["one", ""]);
    expect(server.sockets[1]?.audio.equals(Buffer.from(encodeMuLaw(samples.subarray(SECOND / 2))))).toBe(true);
  });

  test("words that were on their way are said again, also to a third connection", async () => {
    const cutting: SocketBehaviour = (socket) => socket.onMessage(() => socket.cut());
    await using server = await SocketServer.start([cutting, { refuse: 503 }, cutting, understanding]);
    const { stream, finals } = listen(server);
    say(stream, encodeToneSpeech("Not lost."));
    stream.flush();
    await expect.poll(() => finals()).toEqual(["Not lost."]);
  });

  const CUTS: [string, SocketBehaviour][] = [
    ["never answers the handshake", { raw: () => undefined }],
    ["answers the handshake with garbage", { raw: (raw) => raw.end("garbage") }],
    ["closes at once", (socket) => socket.close(1011, "NET-0001")],
    ["closes cleanly unasked", (socket) => socket.close(1000)],
    ["breaks off in a frame", (socket) => (socket.sendRaw(Buffer.from([0x81, 126])), socket.cut())],
    ["sends text that is no JSON", (socket) => socket.send("<html>")],
    ["sends bytes", (socket) => socket.send(new Uint8Array([1, 2, 3]))],
    ["sends an error", (socket) => socket.send({ type: "Error", description: "d", message: "m", variant: "v" })],
    ["sends a result without times", (socket) => socket.send({ type: "Results" })],
    ["sends a result with times that are none", (socket) => socket.send(result("no", Number.MAX_VALUE, -1))],
    ["sends JSON that is no object", (socket) => socket.send("null")],
    ["sends frames against the rules", (socket) => socket.sendRaw(Buffer.alloc(64, 0xff))],
    ["sends a message without end", (socket) => socket.send(`{"type":"${"x".repeat(300_000)}"}`)],
  ];
  test.each(CUTS)("to a server that %s costs no word when the next one is sound", async (_name, fault) => {
    await using server = await SocketServer.start([fault, understanding]);
    const { stream, events, finals } = listen(server, { connectMs: PATIENCE_MS });
    say(stream, encodeToneSpeech("Still here."));
    stream.flush();
    await expect.poll(() => finals()).toEqual(["Still here."]);
    expect(events.filter((event) => event.kind === "FAILED")).toEqual([]);
  });

  test.each(CUTS)("to a server that always %s ends as FAILED, once", async (_name, fault) => {
    await using server = await SocketServer.start([fault]);
    const { stream, events, failure } = listen(server, { connectMs: 10, giveUpMs: 300 });
    say(stream, encodeToneSpeech("Nobody hears this."));
    await expect.poll(failure).toBeDefined();
    expect(["UNAVAILABLE", "UNREADABLE", "TIMEOUT"]).toContain((failure() as { code: string }).code);
    stream.flush();
    say(stream, new Int16Array(SECOND));
    expect(events.length).toBe(1);
  });

  test.each([
    [401, "REFUSED"],
    [403, "REFUSED"],
    [400, "REFUSED"],
  ])("a handshake refused with %i fails at once and is not tried again", async (status, code) => {
    await using server = await SocketServer.start([{ refuse: status, body: `bad key ${KEY}` }]);
    const { failure } = listen(server);
    await expect.poll(failure).toMatchObject({ code });
    expect(JSON.stringify(failure())).not.toContain(KEY);
    expect(server.handshakes).toBe(1);
  });

  test("a close for a broken rule fails at once", async () => {
    await using server = await SocketServer.start([(socket) => socket.close(1008, "DATA-0000")]);
    const { failure } = listen(server);
    await expect.poll(failure).toMatchObject({ code: "REFUSED" });
    expect(server.handshakes).toBe(1);
  });

  test("a busy provider is asked again after the time that it names, or given up when that is too long", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using server = await SocketServer.start([
      { refuse: 429, headers: { "retry-after": "1" } },
      (socket) => (resolve(), understanding(socket)),
    ]);
    listen(server);
    await promise;
    await using second = await SocketServer.start([{ refuse: 429, headers: { "retry-after": "3600" } }]);
    const { failure } = listen(second);
    await expect.poll(failure).toMatchObject({ code: "BUSY" });
    expect(second.handshakes).toBe(1);
  });

  test("an address that is not open to tenants is BLOCKED", async () => {
    await using server = await SocketServer.start([understanding]);
    const settings = { baseUrl: server.origin, apiKey: KEY, model: "nova-3" };
    const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [] });
    const events: SpeechEvent[] = [];
    const stt = createDeepgramStt(settings, createOpenSocket(guard), QUICK);
    stt.open({ language: "en", hints: [], expected: null, onEvent: (event) => void events.push(event) });
    await expect.poll(() => events).toMatchObject([{ kind: "FAILED", code: "BLOCKED" }]);
    expect(server.handshakes).toBe(0);
  });
});

describe("a stalled server", () => {
  test("one whose connection is dead is left for a new one", async () => {
    const dead: SocketBehaviour = (socket) => {
      socket.answersPings = false;
      socket.raw.pause();
    };
    await using server = await SocketServer.start([dead, understanding]);
    const { stream, finals } = listen(server, { deadAfterMs: PATIENCE_MS });
    say(stream, encodeToneSpeech("Half open."));
    await expect.poll(() => server.sockets.length).toBe(2);
    stream.flush();
    await expect.poll(() => finals()).toEqual(["Half open."]);
  });

  test("one that answers pings but no flush is left for a new one", async () => {
    await using server = await SocketServer.start([() => undefined, understanding]);
    const { stream, finals } = listen(server, { flushMs: PATIENCE_MS });
    say(stream, encodeToneSpeech("Deaf."));
    stream.flush();
    await expect.poll(() => finals()).toEqual(["Deaf."]);
    expect(server.sockets.length).toBe(2);
  });

  test("one that reads nothing costs bounded memory, however much is said", async () => {
    await using server = await SocketServer.start([(socket) => void socket.raw.pause()]);
    const { stream } = listen(server, { tickMs: 60_000 });
    await expect.poll(() => server.sockets.length).toBe(1);
    const minute = new Int16Array(60 * SECOND);
    say(stream, minute);
    global.gc?.();
    const before = process.memoryUsage();
    for (let i = 0; i < 60; i++) {
      say(stream, minute);
      await new Promise((resolve) => setImmediate(resolve));
    }
    global.gc?.();
    const after = process.memoryUsage();
    // An hour is 28.8 MB of mu-law. `external` would count also what native code of earlier tests gives back or takes.
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(14e6);
  });
});
