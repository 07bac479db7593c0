import type { SileroModel, WindowBatch } from "./silero-batch.ts";
import { CONTEXT_SAMPLES, INPUT_SAMPLES, STATE_SIZE } from "./silero-vad.ts";

/** A tensor of ONNX Runtime, as far as it is used here. */
export interface OrtTensor {
  readonly data: unknown;
}

/** A session of ONNX Runtime, as far as it is used here. */
export interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, OrtTensor>): Promise<Record<string, OrtTensor>>;
}

/** The package onnxruntime-node, as far as it is used here. */
export interface OrtPackage {
  InferenceSession: { create(file: string, options: Record<string, unknown>): Promise<OrtSession> };
  Tensor: new (type: "float32" | "int64", data: Float32Array | BigInt64Array, dims: number[]) => OrtTensor;
}

/** Input and memory layout of a version of the model. */
interface ModelShape {
  contextSamples: number;
  /** Tensors of the memory, each [2, calls, width], by their names as input and as output. */
  memory: { name: string; next: string; width: number }[];
}

const SHAPES: ModelShape[] = [
  { contextSamples: CONTEXT_SAMPLES, memory: [{ name: "state", next: "stateN", width: 128 }] },
  {
    contextSamples: 0,
    memory: [
      { name: "h", next: "hn", width: 64 },
      { name: "c", next: "cn", width: 64 },
    ],
  },
];
const LAYERS = 2;
const SAMPLE_RATE_HZ = 8_000n;

/** The model in a session of ONNX Runtime: versions 4, and 5 and later, distinguished by the names of their inputs. */
export class SileroSession implements SileroModel {
  readonly #session: OrtSession;
  readonly #ort: OrtPackage;
  readonly #shape: ModelShape;
  readonly #inputSamples: number;
  readonly #rate: OrtTensor;
  #input = new Float32Array();
  #memory: Float32Array[] = [];

  /** Throws for a model that is no Silero VAD. */
  constructor(session: OrtSession, ort: OrtPackage) {
    this.#session = session;
    this.#ort = ort;
    this.#shape = findShape(session);
    this.#inputSamples = this.#shape.contextSamples + INPUT_SAMPLES - CONTEXT_SAMPLES;
    this.#rate = new ort.Tensor("int64", BigInt64Array.of(SAMPLE_RATE_HZ), []);
  }

  async judge(batch: WindowBatch): Promise<void> {
    const { count } = batch;
    this.#grow(count);
    this.#fillInput(batch);
    const feeds: Record<string, OrtTensor> = { sr: this.#rate };
    feeds.input = this.#tensor(this.#input, [count, this.#inputSamples]);
    let from = 0;
    for (const [at, { name, width }] of this.#shape.memory.entries()) {
      const memory = this.#memory[at] as Float32Array;
      for (let call = 0; call < count; call++) copyIn(batch.states, call, from, memory, count, width);
      feeds[name] = this.#tensor(memory, [LAYERS, count, width]);
      from += LAYERS * width;
    }
    this.#readOut(await this.#session.run(feeds), batch);
  }

  close(): void {
    // The session ends with its process.
  }

  #grow(count: number): void {
    if (this.#input.length >= count * this.#inputSamples) return;
    this.#input = new Float32Array(2 * count * this.#inputSamples);
    this.#memory = this.#shape.memory.map(({ width }) => new Float32Array(2 * count * LAYERS * width));
  }

  #fillInput({ count, windows }: WindowBatch): void {
    for (let call = 0; call < count; call++) {
      const end = (call + 1) * INPUT_SAMPLES;
      this.#input.set(windows.subarray(end - this.#inputSamples, end), call * this.#inputSamples);
    }
  }

  #tensor(data: Float32Array, dims: number[]): OrtTensor {
    const size = dims.reduce((product, dim) => product * dim, 1);
    return new this.#ort.Tensor("float32", data.subarray(0, size), dims);
  }

  #readOut(outputs: Record<string, OrtTensor>, { count, states, probabilities }: WindowBatch): void {
    probabilities.set(readNumbers(outputs, "output", count));
    let from = 0;
    for (const { next, width } of this.#shape.memory) {
      const memory = readNumbers(outputs, next, LAYERS * count * width);
      for (let call = 0; call < count; call++) copyOut(memory, count, width, states, call, from);
      from += LAYERS * width;
    }
  }
}

function findShape({ inputNames, outputNames }: OrtSession): ModelShape {
  const has = ({ memory }: ModelShape): boolean =>
    ["input", "sr", ...memory.map(({ name }) => name)].every((name) => inputNames.includes(name)) &&
    ["output", ...memory.map(({ next }) => next)].every((name) => outputNames.includes(name));
  const shape = SHAPES.find(has);
  if (shape) return shape;
  const names = `its inputs are ${inputNames.join(", ")} and its outputs ${outputNames.join(", ")}`;
  throw new Error(`This is no Silero VAD of version 4, 5 or 6: ${names}.`);
}

function readNumbers(outputs: Record<string, OrtTensor>, name: string, size: number): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array) || data.length !== size) {
    throw new Error(`The model gave no ${size} numbers as "${name}".`);
  }
  return data;
}

/* A call's memory is one piece of `states`; in a tensor it lies in two layers, each with all calls. */

function copyIn(
  states: Float32Array,
  call: number,
  from: number,
  memory: Float32Array,
  count: number,
  width: number,
): void {
  for (let layer = 0; layer < LAYERS; layer++) {
    const start = call * STATE_SIZE + from + layer * width;
    memory.set(states.subarray(start, start + width), (layer * count + call) * width);
  }
}

function copyOut(
  memory: Float32Array,
  count: number,
  width: number,
  states: Float32Array,
  call: number,
  from: number,
): void {
  for (let layer = 0; layer < LAYERS; layer++) {
    const start = (layer * count + call) * width;
    states.set(memory.subarray(start, start + width), call * STATE_SIZE + from + layer * width);
  }
}
