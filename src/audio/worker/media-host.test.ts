import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import { encodeMuLaw, decodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { type HostedCall, MediaHost } from "./media-host.ts";
import type { CallMediaEvent, MediaCallOptions } from "./messages.ts";

const FRAME = 160;
const TEXT = "We call to ask whether you will come.";
const SOUND = encodeToneSpeech(TEXT);
/** The audio after mu-law, which the far end must receive to the last sample. */
const SENT = decodeMuLaw(encodeMuLaw(SOUND));

let host: MediaHost;
afterEach(() => host.close());
const start = (maxCalls?: number) => (host = new MediaHost({ log: createLog("error"), maxCalls }));

/** A thread on a busy machine takes its time to begin. */
const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 20_000, interval: 10 });

/** The far end of a call: answers each frame with one, so that the line is alive, and keeps what it hears. */
class FarEnd {
  readonly events: CallMediaEvent[] = [];
  readonly heard: number[] = [];
  readonly port: MessagePort;
  readonly call: HostedCall;
  readonly ended: Promise<Extract<CallMediaEvent, { kind: "ENDED" }>>;
  frames = 0;
  answers: (port: MessagePort) => void = (port) => port.postMessage(new Uint8Array(FRAME).fill(0xff));

  constructor(more: Partial<MediaCallOptions> = {}) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    port1.on("message", (message: unknown) => {
      if (!(message instanceof Uint8Array)) return;
      this.frames++;
      this.heard.push(...decodeMuLaw(message));
      this.answers(port1);
    });
    const { promise, resolve } = Promise.withResolvers<Extract<CallMediaEvent, { kind: "ENDED" }>>();
    this.ended = promise;
    const rules = { language: "en", vad: "LOUD", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;
    const options = { source: { kind: "PORT", port: port2 }, ...rules, recording: null, carrierVerdict: null } as const;
    this.call = host.open({ ...options, ...more }, (event) => {
      this.events.push(event);
      if (event.kind === "ENDED") resolve(event);
    });
  }

  /** Plays SOUND; returns the received audio from its first sound on. */
  async hearSpeech(): Promise<Int16Array> {
    this.call.begin(1);
    this.call.add(1, SOUND.slice());
    this.call.complete(1);
    await until(() => this.events.some(({ kind }) => kind === "PLAYED"));
    const first = this.heard.findIndex((sample) => Math.abs(sample) > 50);
    const onset = SENT.findIndex((sample) => Math.abs(sample) > 50);
    return Int16Array.from(this.heard.slice(first - onset, first - onset + SENT.length));
  }

  get kinds(): string[] {
    return this.events.map(({ kind }) => kind).filter((kind) => kind === "CLOSED" || kind === "ENDED");
  }

  get closedBy(): string | undefined {
    return this.events.flatMap((event) => (event.kind === "CLOSED" ? [event.by] : []))[0];
  }
}

/** Checks that a call that speaks while another fails gets every sample through, with all its events. */
async function expectUndisturbed(
  trouble: (other: FarEnd) => Promise<void> | void,
  more: Partial<MediaCallOptions> = {},
) {
  start();
  const [good, bad] = [new FarEnd(), new FarEnd(more)];
  await until(() => Math.min(good.frames, bad.frames) > 3);
  const [heard] = await Promise.all([good.hearSpeech(), trouble(bad)]);
  expect(heard).toEqual(SENT);
  expect(good.kinds).toEqual([]);
  bad.call.close();
  const end = await bad.ended;
  expect(bad.kinds.at(-1)).toBe("ENDED");
  expect(bad.events.at(-1)).toBe(end);
  return { good, bad, end };
}

describe("a call in trouble leaves the others alone", () => {
  test("a flood of frames: only the last half second of it is heard, and the call goes on", async () => {
    const loud = encodeMuLaw(SOUND.slice(8_000, 8_000 + FRAME));
    const { bad } = await expectUndisturbed(({ port }) => {
      for (let i = 0; i < 10_000; i++) port.postMessage(loud.slice());
    });
    expect(bad.closedBy).toBeUndefined();
    const heard = bad.events.flatMap((event) => (event.kind === "AUDIO" ? [...event.samples] : []));
    const loudMs = heard.filter((sample) => Math.abs(sample) > 1_000).length / 8;
    expect(loudMs).toBeGreaterThan(100);
    expect(loudMs).toBeLessThan(1_500);
  });

  test("messages that are no frames: they are left out, and the call goes on", async () => {
    const { bad } = await expectUndisturbed(({ port }) => {
      const nonsense = [null, 7, "frame", {}, [], { digits: 12 }, { digits: "x".repeat(100_000) }, { closed: "yes" }];
      const bytes = [new Uint8Array(0), new Uint8Array(159), new Uint8Array(1_000_000), new Float64Array(20)];
      for (let i = 0; i < 100; i++) for (const message of [...nonsense, ...bytes]) port.postMessage(message);
    });
    expect(bad.closedBy).toBeUndefined();
    expect(bad.events.some(({ kind }) => kind === "DIGIT")).toBe(false);
  });

  test("half-open: nothing comes any more, and after 5 s the call is lost", async () => {
    const { bad } = await expectUndisturbed(async (other) => {
      const before = other.frames;
      other.answers = () => undefined;
      await other.ended;
      expect(Math.abs((other.frames - before) * 20 - 5_000)).toBeLessThan(300);
    });
    expect(bad.kinds).toEqual(["CLOSED", "ENDED"]);
    expect(bad.closedBy).toBe("LOST");
  });

  test("a port that closes, or hangs up", async () => {
    const { bad } = await expectUndisturbed(async ({ port, ended }) => {
      port.close();
      await ended;
    });
    expect(bad.closedBy).toBe("LOST");
    await host.close();
    const hungUp = await expectUndisturbed(async ({ port, ended }) => {
      port.postMessage({ closed: true });
      await ended;
    });
    expect(hungUp.bad.closedBy).toBe("REMOTE");
  });

  test("a disk that takes nothing: the call goes on, and its end tells of it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-media-host-"));
    await writeFile(join(folder, "file"), "");
    const recording = { path: join(folder, "file", "call.wav"), key: null };
    const { bad, end } = await expectUndisturbed(async (other) => expect(await other.hearSpeech()).toEqual(SENT), {
      recording,
    });
    expect(bad.closedBy).toBeUndefined();
    expect(end).toMatchObject({ fault: null, recording: { failure: { message: expect.stringContaining("EEXIST") } } });
    await rm(folder, { recursive: true });
  });

  test("an order that cannot be carried out ends its call, and no other", async () => {
    const { bad } = await expectUndisturbed(async ({ call, ended }) => {
      call.begin(1);
      call.add(1, null as never);
      expect((await ended).fault).toContain("null");
    });
    expect(bad.kinds).toEqual(["CLOSED", "ENDED"]);
  });
});

describe("the thread", () => {
  test("is killed: its calls are lost and told so, and the next call runs in a new one", async () => {
    const thread = new Promise<Worker>((resolve) => process.once("worker", resolve));
    start();
    const calls = [new FarEnd(), new FarEnd()];
    await until(() => Math.min(...calls.map(({ frames }) => frames)) > 3);
    await (await thread).terminate();
    for (const call of calls) {
      expect(await call.ended).toMatchObject({ recording: null, fault: "The media thread died." });
      expect(call.kinds).toEqual(["CLOSED", "ENDED"]);
      expect(call.closedBy).toBe("LOST");
    }
    const next = new FarEnd();
    expect(await next.hearSpeech()).toEqual(SENT);
    next.call.close();
    expect(await next.ended).toMatchObject({ fault: null });
  });

  test("keeps room for calls before they are dialled, and refuses one more than it takes", () => {
    start(2);
    const [first, second] = [host.reserve(), host.reserve()];
    expect(host.reserve()).toBeNull();
    first?.();
    first?.();
    const third = host.reserve();
    expect(third).not.toBeNull();
    expect(host.reserve()).toBeNull();
    second?.();
    third?.();
    expect(host.reserve()).not.toBeNull();
  });

  test("opens a call whose far end hung up before as one that is over, and keeps no room for it", async () => {
    start(1);
    const { port1, port2 } = new MessageChannel();
    port1.close();
    await new Promise((resolve) => port2.once("close", resolve));
    const call = new FarEnd({ source: { kind: "PORT", port: port2 } });
    expect(await call.ended).toEqual({ kind: "ENDED", recording: null, fault: null });
    expect(call.events).toMatchObject([{ kind: "CLOSED", by: "REMOTE" }, { kind: "ENDED" }]);
    expect(host.reserve()).not.toBeNull();
    const { port1: near, port2: gone } = new MessageChannel();
    near.close();
    await new Promise((resolve) => gone.once("close", resolve));
    expect(() => new FarEnd().call.supervise(gone, "NOBODY")).not.toThrow();
  });

  test("is closed: a call that is opened then is lost at once", async () => {
    start();
    await host.close();
    const call = new FarEnd();
    expect(await call.ended).toMatchObject({ fault: "The media thread is closed." });
    expect(call.kinds).toEqual(["CLOSED", "ENDED"]);
  });

  test("tells a person who is owed an answer that the line is alive, while the main thread is blocked", async () => {
    start();
    const words: string[] = [];
    const far = new FarEnd();
    far.call.setCallerWaitingSince(0);
    await until(() => far.frames > 3);
    const untilMs = performance.now() + 2_600;
    while (performance.now() < untilMs);
    await until(() => far.frames * 20 > 2_600);
    const sink = new ToneStream({ onSoFar: () => undefined, onUtterance: (text) => words.push(text) });
    sink.push(Int16Array.from(far.heard));
    const firstMs = far.heard.findIndex((sample) => Math.abs(sample) > 50) / 8;
    expect(firstMs).toBeGreaterThan(2_000);
    expect(firstMs).toBeLessThan(2_500);
    expect(words).toEqual([]);
  });
});
