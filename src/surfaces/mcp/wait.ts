import { sleep } from "#src/platform/kernel/async.ts";
import type { ApiReply } from "./call-api.ts";
import { bodyOf, isSuccess } from "./tool-result.ts";

const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.4;
/** Failed reads in a row that are tolerated; a restart of the database takes less than this many pauses. */
const FAILURES_BORNE = 10;

/** Options of a wait. */
export interface Wait {
  read(): Promise<ApiReply>;
  isDone(body: Record<string, unknown>): boolean;
  /** Called with every reading, including the last. */
  onReading(body: Record<string, unknown>): void;
  timeoutMs: number;
  signal: AbortSignal;
  nowMs?: () => number;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Result of a wait: done, out of time, or refused (for example because a credential was revoked). */
export interface Waited {
  end: "DONE" | "TIMEOUT" | "REFUSED";
  reply: ApiReply;
  body: Record<string, unknown>;
}

/** Polls with growing pauses until it is done. Rejects when the signal aborts. */
export async function waitFor(wait: Wait): Promise<Waited> {
  const { nowMs = () => performance.now(), pause = sleep } = wait;
  const deadline = nowMs() + wait.timeoutMs;
  let failures = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH)) {
    wait.signal.throwIfAborted();
    const reply = await wait.read();
    const body = bodyOf(reply);
    if (isSuccess(reply)) {
      failures = 0;
      wait.onReading(body);
      if (wait.isDone(body)) return { end: "DONE", reply, body };
    } else if (reply.status < 500 || ++failures > FAILURES_BORNE) return { end: "REFUSED", reply, body };
    const leftMs = deadline - nowMs();
    if (leftMs <= 0) return { end: isSuccess(reply) ? "TIMEOUT" : "REFUSED", reply, body };
    await pause(Math.min(pauseMs, leftMs), wait.signal);
  }
}
