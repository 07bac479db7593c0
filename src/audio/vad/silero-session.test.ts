import { describe, expect, test } from "vitest";
import type { WindowBatch } from "./silero-batch.ts";
import { type OrtPackage, type OrtSession, SileroSession } from "./silero-session.ts";
import { INPUT_SAMPLES, STATE_SIZE } from "./silero-vad.ts";

interface FakeTensor {
  type: string;
  data: Float32Array | BigInt64Array;
  dims: number[];
}

class Tensor implements FakeTensor {
  type: string;
  data: Float32Array | BigInt64Array;
  dims: number[];
  constructor(type: "float32" | "int64", data: Float32Array | BigInt64Array, dims: number[]) {
    this.type = type;
    this.data = data;
    this.dims = dims;
  }
}

const never = { InferenceSession: { create: () => Promise.reject(new Error()) }, Tensor } satisfies OrtPackage;

/** A session with the inputs and outputs of a version. Adds 1 to its memory; its probability is the last sample. */
function openFake(version: 4 | 5) {
  const memory = version === 4 ? { h: "hn", c: "cn" } : { state: "stateN" };
  const seen: Record<string, FakeTensor>[] = [];
  const session: OrtSession = {
    inputNames: ["input", "sr", ...Object.keys(memory)],
    outputNames: ["output", ...Object.values(memory)],
    async run(feeds) {
      const tensors = feeds as Record<string, FakeTensor>;
      seen.push(structuredClone(tensors));
      const [calls = 0, width = 0] = tensors.input?.dims ?? [];
      const input = tensors.input?.data as Float32Array;
      const output = Float32Array.from({ length: calls }, (_, call) => input[(call + 1) * width - 1] as number);
      const remembered = Object.entries(memory).map(([name, next]) => {
        const data = ((tensors[name] as FakeTensor).data as Float32Array).map((value) => value + 1);
        return [next, { data }] as const;
      });
      return { output: { data: output }, ...Object.fromEntries(remembered) };
    },
  };
  return { session: new SileroSession(session, never), seen };
}

/** Windows of `count` calls: the samples of call n are n + 1, its memory the numbers from 1000 n on. */
function makeWindows(count: number, room = count): WindowBatch {
  return {
    count,
    windows: Float32Array.from({ length: room * INPUT_SAMPLES }, (_, at) => 1 + Math.floor(at / INPUT_SAMPLES)),
    states: Float32Array.from(
      { length: room * STATE_SIZE },
      (_, at) => 1_000 * Math.floor(at / STATE_SIZE) + (at % STATE_SIZE),
    ),
    probabilities: new Float32Array(room),
  };
}

describe.each([
  [4 as const, 256, 64],
  [5 as const, 288, 128],
])("a model of version %i", (version, inputSamples, width) => {
  test("gets tensors of its shape", async () => {
    const { session, seen } = openFake(version);
    await session.judge(makeWindows(3, 8));
    const { input, sr, ...memory } = seen[0] as Record<string, FakeTensor>;
    expect(input?.dims).toEqual([3, inputSamples]);
    expect(input?.data.length).toBe(3 * inputSamples);
    expect(sr).toMatchObject({ type: "int64", data: BigInt64Array.of(8_000n), dims: [] });
    for (const tensor of Object.values(memory)) expect(tensor).toMatchObject({ type: "float32", dims: [2, 3, width] });
  });

  test("each call gets its own probability and its own memory back, in batches of any size", async () => {
    const { session, seen } = openFake(version);
    for (const count of [2, 30, 1]) {
      const batch = makeWindows(count, 32);
      const before = batch.states.slice();
      await session.judge(batch);
      expect(Array.from(batch.probabilities.subarray(0, count))).toEqual(
        Array.from({ length: count }, (_, at) => at + 1),
      );
      const used = count * STATE_SIZE;
      expect(batch.states.subarray(0, used)).toEqual(before.subarray(0, used).map((value) => value + 1));
      expect(batch.states.subarray(used)).toEqual(before.subarray(used));
    }
    // In a tensor the first layers of all calls come before the second ones.
    const memory = seen[0]?.[version === 4 ? "h" : "state"]?.data as Float32Array;
    expect([memory[0], memory[width], memory[2 * width]]).toEqual([0, 1_000, width]);
  });
});

test("a model with other inputs is refused with their names", () => {
  const session = { inputNames: ["audio"], outputNames: ["text"], run: () => Promise.reject(new Error()) };
  expect(() => new SileroSession(session, never)).toThrow(
    "This is no Silero VAD of version 4, 5 or 6: its inputs are audio and its outputs text.",
  );
});

test("a model whose output has another size is a failure", async () => {
  const memory = { stateN: { data: new Float32Array(512) } };
  const session = {
    inputNames: ["input", "state", "sr"],
    outputNames: ["output", "stateN"],
    run: () => Promise.resolve({ output: { data: new Float32Array(3) }, ...memory }),
  };
  await expect(new SileroSession(session, never).judge(makeWindows(2))).rejects.toThrow('no 2 numbers as "output"');
});
