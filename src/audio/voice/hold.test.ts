import { describe, expect, test } from "vitest";
import { COLD_ORDER } from "#kit/trial-order.ts";
import { drive, joinFrames, TrialCall } from "#kit/trial-voice-call.ts";
import { wavHeader } from "#src/audio/codec/wav.ts";
import type { TransferResult } from "#src/audio/line/line.ts";
import { holdChime } from "#src/audio/tones/hold-sound.ts";
import { decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { HoldSounds, readHoldSound } from "./hold-sounds.ts";

const FAILED: TransferResult = { kind: "FAILED", reason: "BUSY", message: "Busy." };
const never = new AbortController().signal;

/** Returns the rms level of the samples. */
function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** A call whose transfer ends when the test resolves it. */
function held(options: { sound?: Int16Array | null } = {}) {
  const { promise, resolve } = Promise.withResolvers<TransferResult>();
  const signals: AbortSignal[] = [];
  const call = new TrialCall({
    transfer: (_order, signal) => {
      signals.push(signal);
      return promise;
    },
    loadHoldSound: async () => options.sound ?? null,
  });
  return { call, end: resolve, signals };
}

describe("a person on hold", () => {
  test("hears the chime over and over, and silence before and after", async () => {
    const { call, end } = held();
    await drive([call], 50);
    expect(loudness(joinFrames(call.frames))).toBe(0);
    const transfer = call.line.transfer?.(COLD_ORDER, never);
    call.frames = [];
    await drive([call], 500);
    const heard = joinFrames(call.frames);
    const period = holdChime().length;
    expect(heard.length).toBeGreaterThan(2 * period);
    expect(loudness(heard.subarray(0, 8_000))).toBeGreaterThan(200);
    expect(heard.subarray(period, 2 * period)).toEqual(heard.subarray(0, period));
    end(FAILED);
    expect(await transfer).toEqual(FAILED);
    call.frames = [];
    // Before the line plays a sign of life by itself.
    await drive([call], 100);
    expect(loudness(joinFrames(call.frames))).toBe(0);
  });

  test("hears the flow's sound once it is there", async () => {
    const sound = Int16Array.from({ length: 4_000 }, (_, i) => Math.round(5_000 * Math.sin(i / 5)));
    const { call, end } = held({ sound });
    const transfer = call.line.transfer?.({ ...COLD_ORDER, holdAudioUrl: "https://example.test/a.wav" }, never);
    await drive([call], 10);
    call.frames = [];
    await drive([call], 100);
    expect(loudness(joinFrames(call.frames))).toBeGreaterThan(3_000);
    end(FAILED);
    await transfer;
  });

  test("is not heard meanwhile: no turn, no key; what they say afterwards counts again", async () => {
    const { call, end } = held();
    const transfer = call.line.transfer?.(COLD_ORDER, never);
    call.say("Is anybody there");
    await drive([call], 200);
    call.media.hearDigit("5");
    end(FAILED);
    await transfer;
    await drive([call], 50);
    const heard = call.line.listen(20_000, never);
    call.say("Never mind then");
    let isDone = false;
    void heard.then(() => (isDone = true));
    await drive([call], 1_000, () => isDone);
    expect(await heard).toMatchObject({ kind: "SPEECH", text: "Never mind then" });
    const [, theirs] = call.recorded;
    expect(decodeToneSpeech(joinFrames(theirs))).toEqual(["Is anybody there", "Never mind then"]);
  });

  test("is silent for speech to text from then on, though they were speaking as the hold began", async () => {
    const { call, end } = held();
    call.say("Is anybody there");
    await drive([call], 40);
    const transfer = call.line.transfer?.(COLD_ORDER, never);
    await drive([call], 10);
    call.line.levels.take();
    await drive([call], 40);
    const [person] = call.line.levels.take().split(".");
    expect(person).toBe("00000000");
    end(FAILED);
    await transfer;
  });

  test("is told what has to be said before the chime goes on, and its mark is right; the recording has it all", async () => {
    const { call, end } = held();
    const transfer = call.line.transfer?.(COLD_ORDER, never);
    await drive([call], 60);
    const said = call.line.say("One moment", never);
    await drive([call], 300);
    expect(await said).toMatchObject({ heard: "One moment", interrupted: false });
    expect(call.heard).toEqual(["One moment"]);
    const [ours] = call.recorded;
    expect(loudness(joinFrames(ours.slice(0, 50)))).toBeGreaterThan(200);
    expect(decodeToneSpeech(joinFrames(ours))).toEqual(["One moment"]);
    end(FAILED);
    await transfer;
    const fallback = call.line.say("Nobody is there", never);
    await drive([call], 300);
    expect(await fallback).toMatchObject({ heard: "Nobody is there" });
  });

  test("who hangs up ends the transfer", async () => {
    const { call, end, signals } = held();
    const transfer = call.line.transfer?.(COLD_ORDER, never);
    await drive([call], 10);
    call.hangUp();
    expect(signals[0]?.aborted).toBe(true);
    end(FAILED);
    expect(await transfer).toEqual({ kind: "HUNG_UP" });
  });
});

describe("the sound of hold of a flow", () => {
  const wav = (samples: Int16Array, sampleRateHz: number, channels = 1): Uint8Array =>
    Buffer.concat([
      wavHeader({ channels, sampleRateHz, dataBytes: samples.byteLength }),
      Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
    ]);
  const tone = (length: number) => Int16Array.from({ length }, (_, i) => Math.round(8_000 * Math.sin(i / 40)));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const reply = (body: Uint8Array, more = {}) => ({
    status: 200,
    headers: {},
    body: Buffer.from(body),
    truncated: false,
    ...more,
  });

  test("becomes one channel of 8 kHz, half a minute at most", () => {
    expect(readHoldSound(wav(tone(48_000), 48_000))).toHaveLength(8_000);
    expect(readHoldSound(wav(tone(32_000), 8_000, 2))).toHaveLength(16_000);
    expect(readHoldSound(wav(tone(8_000 * 40), 8_000))).toHaveLength(8_000 * 30);
  });

  test("is fetched once, and nothing is had of what fails: no file, too large, no WAV, too short", async () => {
    let asked = 0;
    const good = new HoldSounds({
      log,
      safeFetch: async () => {
        asked++;
        return reply(wav(tone(8_000), 8_000));
      },
    });
    expect(await good.load("https://example.test/a.wav")).toHaveLength(8_000);
    await good.load("https://example.test/a.wav");
    expect(asked).toBe(1);
    const bad = [
      reply(new Uint8Array(), { status: 404 }),
      reply(wav(tone(8_000), 8_000), { truncated: true }),
      reply(new Uint8Array(100)),
      reply(wav(tone(10), 8_000)),
      reply(wav(tone(8_000), 0)),
    ];
    for (const one of bad) {
      const sounds = new HoldSounds({ log, safeFetch: async () => one });
      expect(await sounds.load("https://example.test/b.wav")).toBeNull();
    }
    const refusing = new HoldSounds({ log, safeFetch: () => Promise.reject(new Error("blocked")) });
    expect(await refusing.load("https://example.test/c.wav")).toBeNull();
  });
});
