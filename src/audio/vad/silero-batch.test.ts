import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { SileroBatch, type SileroModel, type WindowBatch } from "./silero-batch.ts";
import { INPUT_SAMPLES, SileroVad, STATE_SIZE } from "./silero-vad.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FRAME_MS = 20;

/**
 * A model that keeps in each call's state the sum of its input, and finds speech where the last sample of a window is
 * positive. A round takes `runMs`.
 */
class FakeModel implements SileroModel {
  runMs = 5;
  fault: Error | null = null;
  isClosed = false;
  isBusy = false;
  readonly counts: number[] = [];

  async judge(batch: WindowBatch): Promise<void> {
    if (this.isBusy) throw new Error("two rounds at once");
    this.isBusy = true;
    this.counts.push(batch.count);
    await new Promise((resolve) => setTimeout(resolve, this.runMs));
    this.isBusy = false;
    if (this.fault) throw this.fault;
    for (let call = 0; call < batch.count; call++) {
      const window = batch.windows.subarray(call * INPUT_SAMPLES, (call + 1) * INPUT_SAMPLES);
      batch.states[call * STATE_SIZE] = (batch.states[call * STATE_SIZE] as number) + (window.at(-1) as number);
      batch.states[(call + 1) * STATE_SIZE - 1] = window.at(-1) as number;
      batch.probabilities[call] = (window.at(-1) as number) > 0 ? 0.9 : 0.1;
    }
  }

  close(): void {
    this.isClosed = true;
  }
}

function open(model: SileroModel = new FakeModel()) {
  const faults: string[] = [];
  const batch = new SileroBatch(Promise.resolve(model), (error) => faults.push(error.message));
  return { batch, faults };
}

/** Lets time pass while the calls receive frames of one value each; every call in a phase of its own. */
async function play(frames: number, calls: { vad: SileroVad; value: number }[]): Promise<boolean[]> {
  let verdicts: boolean[] = [];
  for (let frame = 0; frame < frames; frame++) {
    verdicts = [];
    for (const { vad, value } of calls) {
      verdicts.push(vad.hear(new Int16Array(FRAME_SAMPLES).fill(value)));
      await vi.advanceTimersByTimeAsync(FRAME_MS / calls.length);
    }
  }
  return verdicts;
}

describe("the batch of a thread's calls", () => {
  test("calls of different phases are judged together, one round at a time, each window once", async () => {
    const model = new FakeModel();
    const { batch, faults } = open(model);
    const calls = Array.from({ length: 10 }, (_, at) => ({ vad: new SileroVad(batch), value: at % 2 ? 500 : -500 }));
    for (const [at, { vad }] of calls.entries())
      for (let i = 0; i < at % 8; i++) vad.hear(new Int16Array(FRAME_SAMPLES));
    await play(100, calls);
    await vi.advanceTimersByTimeAsync(200);
    const windows = calls.reduce((sum, _, at) => sum + Math.floor(((100 + (at % 8)) * FRAME_SAMPLES) / 256), 0);
    expect(model.counts.reduce((sum, count) => sum + count, 0)).toBe(windows);
    expect(model.counts.length).toBeLessThan(2_200 / 28 + 2);
    expect(Math.max(...model.counts)).toBe(10);
    expect(faults).toEqual([]);
  });

  test("each call has its own verdict and its own memory, also while others come and go", async () => {
    const { batch } = open();
    const loud = { vad: new SileroVad(batch), value: 320 };
    const quiet = { vad: new SileroVad(batch), value: -320 };
    const late = { vad: new SileroVad(batch), value: 640 };
    expect(await play(16, [quiet, loud])).toEqual([false, true]);
    expect(await play(16, [late, loud])).toEqual([true, true]);
    expect(await play(16, [loud, quiet, late])).toEqual([true, false, true]);
    await vi.advanceTimersByTimeAsync(200);
    const share = (value: number, windows: number) => (windows * value) / 32_768;
    expect(loud.vad.state[0]).toBeCloseTo(share(320, 30));
    expect(quiet.vad.state[0]).toBeCloseTo(share(-320, 20));
    expect(late.vad.state[0]).toBeCloseTo(share(640, 20));
    expect(late.vad.state.at(-1)).toBeCloseTo(share(640, 1));
  });

  test("there may be more calls than there were before, at any time", async () => {
    const model = new FakeModel();
    const { batch } = open(model);
    const calls = Array.from({ length: 40 }, (_, at) => ({ vad: new SileroVad(batch), value: at % 2 ? 500 : -500 }));
    await play(8, calls.slice(0, 3));
    const verdicts = await play(8, calls);
    expect(verdicts).toEqual(calls.map(({ value }) => value > 0));
    expect(Math.max(...model.counts)).toBeGreaterThan(8);
  });

  test("windows that gathered while the model was opened are caught up with", async () => {
    const opening = Promise.withResolvers<SileroModel>();
    const model = new FakeModel();
    const batch = new SileroBatch(opening.promise, () => undefined);
    const vad = new SileroVad(batch);
    await play(30, [{ vad, value: 900 }]);
    expect(vad.waiting).toBe(4);
    opening.resolve(model);
    await play(4, [{ vad, value: 900 }]);
    expect(vad.waiting).toBeLessThanOrEqual(1);
    expect(await play(1, [{ vad, value: 0 }])).toEqual([true]);
  });

  test("a slow round leaves the calls to energy, and a later one takes them back", async () => {
    const model = new FakeModel();
    const { batch, faults } = open(model);
    const vad = new SileroVad(batch);
    // A constant is nothing to the energy VAD and speech to this model.
    expect(await play(20, [{ vad, value: 900 }])).toEqual([true]);
    model.runMs = 400;
    expect(await play(14, [{ vad, value: 900 }])).toEqual([false]);
    model.runMs = 5;
    expect(await play(20, [{ vad, value: 900 }])).toEqual([true]);
    expect(faults).toEqual([]);
  });

  test.each([
    ["fails", (model: FakeModel) => void (model.fault = new Error("out of memory")), "out of memory"],
    ["stalls", (model: FakeModel) => void (model.runMs = 1e9), "The model took more than 5000 ms."],
  ])(
    "a round that %s is the last one, is told once, and energy decides from then on",
    async (_title, spoil, message) => {
      const model = new FakeModel();
      const { batch, faults } = open(model);
      const calls = [500, 700].map((value) => ({ vad: new SileroVad(batch), value }));
      expect(await play(20, calls)).toEqual([true, true]);
      spoil(model);
      expect(await play(300, calls)).toEqual([false, false]);
      expect(faults).toEqual([message]);
      expect(batch.isOn).toBe(false);
      expect(model.isClosed).toBe(true);
      const rounds = model.counts.length;
      await play(20, [{ vad: new SileroVad(batch), value: 500 }]);
      expect(model.counts.length).toBe(rounds);
    },
  );

  test("a model that cannot be opened is told once, and energy decides", async () => {
    const faults: string[] = [];
    const batch = new SileroBatch(Promise.reject(new Error("no such file")), (error) => faults.push(error.message));
    expect(await play(20, [{ vad: new SileroVad(batch), value: 500 }])).toEqual([false]);
    expect(batch.isOn).toBe(false);
    expect(faults).toEqual(["no such file"]);
  });
});
