import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";

const SCRIPT = readFileSync(new URL("./page/phone-audio.js", import.meta.url), "utf8");
const BLOCK = 128;

interface Processor {
  port: { onmessage(event: { data: unknown }): void };
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

/** The page's worklet, without a browser. */
class Worklet {
  readonly frames: Uint8Array[] = [];
  /** Number of times that it reported that all was played. */
  reports = 0;
  readonly rateHz: number;
  readonly #processor: Processor;
  #at = 0;
  /** Samples still to be run, because blocks do not divide evenly into milliseconds. */
  #due = 0;

  constructor(rateHz: number) {
    this.rateHz = rateHz;
    const made: { phone?: new () => Processor } = {};
    const post = (message: unknown) => {
      if (message instanceof Uint8Array) this.frames.push(Uint8Array.from(message));
      else this.reports++;
    };
    class AudioWorkletProcessor {
      port = { postMessage: post, onmessage: () => undefined };
    }
    const registerProcessor = (_name: string, phone: new () => Processor) => (made.phone = phone);
    // The context's own typed arrays would be of other classes.
    const shared = { Uint8Array, Float32Array, AudioWorkletProcessor, registerProcessor, sampleRate: rateHz };
    runInContext(SCRIPT, createContext(shared));
    this.#processor = new (made.phone as new () => Processor)();
  }

  /** Plays a tone into the microphone; returns the output of the loudspeaker. */
  run(ms: number, toneHz = 0, level = 0.5): Float32Array {
    this.#due += (ms * this.rateHz) / 1_000;
    const blocks = Math.floor(this.#due / BLOCK);
    this.#due -= blocks * BLOCK;
    const played = new Float32Array(blocks * BLOCK);
    for (let i = 0; i < blocks; i++) {
      const input = Float32Array.from(
        { length: BLOCK },
        (_, j) => level * Math.sin((2 * Math.PI * toneHz * (this.#at + j)) / this.rateHz),
      );
      this.#at += BLOCK;
      this.#processor.process([[input]], [[played.subarray(i * BLOCK, (i + 1) * BLOCK)]]);
    }
    return played;
  }

  notify(data: unknown): void {
    this.#processor.port.onmessage({ data });
  }
}

/** Returns the `index`th frame of 20 ms of a tone, as the server sends them. */
function frameOf(hz: number, index: number): Uint8Array {
  return encodeMuLaw(
    Int16Array.from({ length: 160 }, (_, i) => 12_000 * Math.sin((2 * Math.PI * hz * (index * 160 + i)) / 8_000)),
  );
}

function rms(samples: ArrayLike<number>): number {
  return Math.sqrt(Array.from(samples).reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** Returns a tone's share of the power of samples. */
function shareOf(samples: ArrayLike<number>, hz: number, rateHz: number): number {
  let [re, im] = [0, 0];
  for (let i = 0; i < samples.length; i++) {
    re += (samples[i] as number) * Math.cos((2 * Math.PI * hz * i) / rateHz);
    im += (samples[i] as number) * Math.sin((2 * Math.PI * hz * i) / rateHz);
  }
  return (2 * (re * re + im * im)) / (samples.length ** 2 * rms(samples) ** 2);
}

describe.each([48_000, 44_100, 16_000])("at %i Hz", (rateHz) => {
  test("a second of microphone is 50 frames of the tone that went in, as loud as it was", () => {
    const worklet = new Worklet(rateHz);
    worklet.run(1_100, 700);
    expect(Math.abs(worklet.frames.length - 55)).toBeLessThanOrEqual(1);
    const heard = decodeMuLaw(Buffer.concat(worklet.frames.slice(5, 50)));
    expect(shareOf(heard, 700, 8_000)).toBeGreaterThan(0.99);
    expect(rms(heard) / (0.5 * 32_768 * Math.SQRT1_2)).toBeCloseTo(1, 1);
  });

  test("what a telephone cannot carry does not fold into what it can", () => {
    const worklet = new Worklet(rateHz);
    worklet.run(1_000, 5_500);
    expect(rms(decodeMuLaw(Buffer.concat(worklet.frames.slice(5))))).toBeLessThan(0.02 * 0.5 * 32_768);
  });

  test("what came is played as it was, without a gap", () => {
    const worklet = new Worklet(rateHz);
    const played: number[] = [];
    for (let i = 0; i < 60; i++) {
      worklet.notify(frameOf(1_100, i));
      played.push(...worklet.run(20));
    }
    const settled = played.slice(Math.round(rateHz * 0.3), Math.round(rateHz * 1.1));
    expect(shareOf(settled, 1_100, rateHz)).toBeGreaterThan(0.99);
  });
});

describe("what waits to be played", () => {
  const waited = (worklet: Worklet) => {
    for (let i = 0; i < 40; i++) {
      worklet.notify(frameOf(1_100, i));
      if (rms(worklet.run(20)) > 0.01) return (i + 1) * 20;
    }
    return Number.NaN;
  };

  test("is 100 ms at first, and more once it has run dry", () => {
    const worklet = new Worklet(48_000);
    const first = waited(worklet);
    expect(first).toBeGreaterThanOrEqual(100);
    expect(first).toBeLessThanOrEqual(140);
    worklet.run(1_000);
    expect(waited(worklet)).toBeGreaterThan(first);
  });

  test("does not grow without end when much comes at once", () => {
    const worklet = new Worklet(48_000);
    for (let i = 0; i < 200; i++) worklet.notify(frameOf(1_100, i));
    const loud = worklet.run(2_000);
    const lastAt = loud.findLastIndex((sample) => Math.abs(sample) > 0.01);
    expect(lastAt / 48_000).toBeLessThan(0.6);
  });
});

test("at the end of a call what still waits is played, and then that is reported once", () => {
  const worklet = new Worklet(48_000);
  for (let i = 0; i < 4; i++) worklet.notify(frameOf(1_100, i));
  expect(rms(worklet.run(20))).toBe(0);
  worklet.notify({ ended: true });
  expect(worklet.reports).toBe(0);
  const played = worklet.run(100);
  // The 80 ms that came, but for what the resampler holds of the last frame.
  const lastAt = played.findLastIndex((sample) => Math.abs(sample) > 0.01);
  expect((lastAt / 48_000) * 1_000).toBeGreaterThan(70);
  worklet.run(100);
  expect(worklet.reports).toBe(1);
});

test("muted, the page goes on sending frames, of silence", () => {
  const worklet = new Worklet(48_000);
  worklet.notify({ muted: true });
  worklet.run(500, 700);
  expect(worklet.frames.length).toBeGreaterThan(20);
  expect(worklet.frames.every((frame) => frame.every((code) => code === 0xff))).toBe(true);
});
