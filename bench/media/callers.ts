import { createInterface } from "node:readline";
import { stop } from "../server-process.ts";
import { CALLERS_CORE, startPinned } from "./pinned.ts";
import { QUIET_MS } from "./sounds.ts";

/** Measurements of the callers, in milliseconds; `own` is how late the generator itself sent. */
export interface Heard {
  packets: number;
  lost: number;
  turns: number;
  unanswered: number;
  lateP50Ms: number;
  lateP99Ms: number;
  lateMaxMs: number;
  turnP50Ms: number;
  turnP95Ms: number;
  turnMaxMs: number;
  /**
   * Interruptions. Their times run from a caller's first frame over the agent's speech to the last frame heard of the
   * agent.
   */
  barges: number;
  bargeP50Ms: number;
  bargeP95Ms: number;
  bargeMaxMs: number;
  ownP99Ms: number;
  /** Seconds of all calls together. */
  callSeconds: number;
}

/** Durations of a run. */
export interface RunTimes {
  warmS: number;
  measureS: number;
  /** Milliseconds that callers are quiet after they spoke; 8 s by default, in which the agent answers. */
  quietMs?: number;
}

/** Program of the callers, and the file of their speech. */
export interface CallerFiles {
  generator: string;
  speech: string;
  isPinned: boolean;
}

/** Callers of RTP in a process of their own. */
export interface Callers {
  /** Ports of the callers, by their index. */
  ports: number[];
  /** Connects a caller to a port of the server. */
  dial(index: number, port: number): void;
  /** Ends a caller's call. */
  hangUp(index: number): void;
  /** Starts the clock; resolves when warming is over. */
  begin(): Promise<void>;
  /** Resolves at the end of the measurement. */
  hear(): Promise<Heard>;
  stop(): Promise<void>;
}

/** Starts callers that are not connected yet. */
export async function startCallers(
  { generator, speech, isPinned }: CallerFiles,
  calls: number,
  { warmS, measureS, quietMs = QUIET_MS }: RunTimes,
): Promise<Callers> {
  const child = startPinned(CALLERS_CORE, isPinned, [
    generator,
    String(calls),
    speech,
    ...[quietMs, warmS, measureS].map(String),
  ]);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const readLine = async (): Promise<string> => {
    const { value, done } = (await lines.next()) as { value: string; done: boolean };
    if (done) throw new Error("The callers ended before their measurement.");
    return value;
  };
  // Calls are answered and end after the measurement, too, when nobody hears them any more.
  child.stdin?.on("error", () => undefined);
  const order = (line: string): void => void child.stdin?.write(`${line}\n`);
  return {
    ports: JSON.parse(await readLine()) as number[],
    dial: (index, port) => order(`${index} ${port}`),
    hangUp: (index) => order(`${index} 0`),
    async begin() {
      order("go");
      await readLine();
    },
    hear: async () => JSON.parse(await readLine()) as Heard,
    stop: async () => (child.exitCode === null ? stop(child) : undefined),
  };
}
