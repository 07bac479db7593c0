import { sleep } from "#src/platform/kernel/async.ts";
import type { ApiReply } from "./call-api.ts";
import { bodyOf, isSuccess } from "./tool-result.ts";

const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_GROWTH = 1.4;
/** A restart of the database is shorter than this many pauses. */
const FAILURES_BORNE = 10;

/** What is waited for, and how long. */
export interface Wait {
  read(): Promise<ApiReply>;
  isDone(body: Record<string, unknown>): boolean;
  /** Called with every reading, the last one too. */
  onReading(body: Record<string, unknown>): void;
  timeoutMs: number;
  signal: AbortSignal;
  nowMs?: () => number;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How it ended: done, out of time, or refused (a credential revoked meanwhile, say). */
export interface Waited {
  end: "DONE" | "TIMEOUT" | "REFUSED";
  reply: ApiReply;
  body: Record<string, unknown>;
}

/** Reads again and again, ever more slowly, until it is done. Rejects when the signal aborts. */
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
