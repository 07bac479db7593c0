import { toError } from "#src/platform/kernel/errors.ts";
import { INPUT_SAMPLES, type SileroVad, type SpeechJudge, STATE_SIZE } from "./silero-vad.ts";

/**
 * Interval of the rounds in which calls are judged. Windows last 32 ms; rounds are somewhat more frequent, so that a
 * backlog after a slow round is worked off.
 */
const ROUND_MS = 28;
/** Duration after which a round counts as lost; by then its calls have long fallen back to energy. */
const STALL_MS = 5_000;

/** Windows of several calls, one after the other. The arrays may be longer than `count` needs. */
export interface WindowBatch {
  count: number;
  /** INPUT_SAMPLES of each call, from -1 to 1. */
  windows: Float32Array;
  /** STATE_SIZE numbers of each call, the model's memory; replaced by the memory afterwards. */
  states: Float32Array;
  /** Output: the probability of speech in each window. */
  probabilities: Float32Array;
}

/** A model that judges windows: fills in `states` and `probabilities`. */
export interface SileroModel {
  judge(batch: WindowBatch): Promise<void>;
  close(): void;
}

/** Judges one window of each call at once. The arrays are reused and grow with the calls. */
export class SileroRounds {
  #batch = makeBatch(8);

  /** Runs one round, and removes the calls without a further window from `ready`. One round at a time. */
  async run(model: SileroModel, ready: Set<SileroVad>): Promise<void> {
    const calls = this.#fill(ready);
    await model.judge(this.#batch);
    this.#notify(calls);
  }

  #fill(ready: Set<SileroVad>): SileroVad[] {
    const calls = [...ready];
    if (this.#batch.probabilities.length < calls.length) this.#batch = makeBatch(2 * calls.length);
    this.#batch.count = calls.length;
    for (const [at, call] of calls.entries()) {
      call.takeWindow(this.#batch.windows, at * INPUT_SAMPLES);
      this.#batch.states.set(call.state, at * STATE_SIZE);
      if (call.waiting === 0) ready.delete(call);
    }
    return calls;
  }

  #notify(calls: SileroVad[]): void {
    const { states, probabilities } = this.#batch;
    for (const [at, call] of calls.entries()) {
      call.state.set(states.subarray(at * STATE_SIZE, (at + 1) * STATE_SIZE));
      call.hearProbability(probabilities[at] as number);
    }
  }
}

/**
 * Judges the windows of all calls of a thread together, because one window alone costs six times as much as among 32.
 * One round runs at a time. A model that fails or stalls is given up for good; `onOff` is called once.
 */
export class SileroBatch implements SpeechJudge {
  isOn = true;
  readonly #onOff: (error: Error) => void;
  readonly #ready = new Set<SileroVad>();
  readonly #rounds = new SileroRounds();
  #model: SileroModel | null = null;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;
  #startedAtMs = Number.NEGATIVE_INFINITY;

  /** Takes the model as a promise: calls may offer windows before it is open. */
  constructor(model: Promise<SileroModel>, onOff: (error: Error) => void) {
    this.#onOff = onOff;
    model.then(
      (opened) => {
        this.#model = opened;
        this.#schedule();
      },
      (error: unknown) => this.#giveUp(toError(error)),
    );
  }

  offer(call: SileroVad): void {
    if (!this.isOn) return;
    this.#ready.add(call);
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#model || this.#isRunning || this.#timer || this.#ready.size === 0) return;
    const waitMs = this.#isBehind() ? 0 : this.#startedAtMs + ROUND_MS - performance.now();
    this.#timer = setTimeout(() => void this.#runRound(this.#model as SileroModel), Math.max(0, waitMs));
  }

  /** True when a call has more windows than one round takes. */
  #isBehind(): boolean {
    for (const call of this.#ready) if (call.waiting > 1) return true;
    return false;
  }

  async #runRound(model: SileroModel): Promise<void> {
    this.#timer = undefined;
    this.#isRunning = true;
    this.#startedAtMs = performance.now();
    try {
      await withinStallTime(this.#rounds.run(model, this.#ready));
    } catch (error) {
      return this.#giveUp(toError(error));
    }
    this.#isRunning = false;
    this.#schedule();
  }

  #giveUp(error: Error): void {
    this.isOn = false;
    this.#ready.clear();
    this.#model?.close();
    this.#model = null;
    this.#onOff(error);
  }
}

function makeBatch(size: number): WindowBatch {
  return {
    count: 0,
    windows: new Float32Array(size * INPUT_SAMPLES),
    states: new Float32Array(size * STATE_SIZE),
    probabilities: new Float32Array(size),
  };
}

async function withinStallTime(work: Promise<void>): Promise<void> {
  const stalled = Promise.withResolvers<never>();
  const timer = setTimeout(() => stalled.reject(new Error(`The model took more than ${STALL_MS} ms.`)), STALL_MS);
  try {
    await Promise.race([work, stalled.promise]);
  } finally {
    clearTimeout(timer);
  }
}
