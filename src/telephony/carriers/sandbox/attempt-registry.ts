import { isUuid } from "#src/platform/kernel/id.ts";
import { attemptIdOf, type EndedEvent, toEndedEvent } from "./ended-event.ts";
import type { LedgerLine, ReadBack } from "./ledger.ts";
import type { SandboxCall } from "./sandbox-call.ts";

/** State of an attempt at the exchange. BARRED: it was looked up before it was dialled. */
export type Known =
  | { kind: "LIVE"; call: SandboxCall }
  | { kind: "ENDED"; event: EndedEvent; elapsedMs: number }
  | { kind: "BARRED" };

type Settled = Exclude<Known, { kind: "LIVE" }>;

/** Least number of ended attempts kept, and the time that further ones are kept: longer than any look-ups take. */
const KEEP_COUNT = 10_000;
const KEEP_MS = 120_000;
/** Most milliseconds by which the clock that made an attempt id may run ahead of the exchange's. */
const CLOCK_SKEW_MS = 5_000;

/**
 * Registry of all attempts that the exchange remembers. Old ended attempts are forgotten; the time in the attempt's id
 * (UUID version 7) distinguishes an attempt that may have been forgotten from one that never existed.
 */
export class AttemptRegistry {
  readonly #live = new Map<string, SandboxCall>();
  readonly #settled = new Map<string, Settled & { settledAtMs: number }>();
  #forgottenUpToMs = -Infinity;

  /** Returns the attempt, or undefined when it is not known. */
  find(attemptId: string): Known | undefined {
    const call = this.#live.get(attemptId);
    return call ? { kind: "LIVE", call } : this.#settled.get(attemptId);
  }

  /** Returns the attempt of a carrier's call id. */
  findCall(providerCallId: string): Known | undefined {
    const attemptId = attemptIdOf(providerCallId);
    return attemptId === undefined ? undefined : this.find(attemptId);
  }

  /** True when an unknown attempt may have been forgotten, so that its absence proves nothing. */
  mayHaveForgotten(attemptId: string): boolean {
    if (this.#forgottenUpToMs === -Infinity) return false;
    const mintedAtMs = mintedAt(attemptId);
    return mintedAtMs === undefined || mintedAtMs <= this.#forgottenUpToMs;
  }

  /** The calls that have not ended. */
  get live(): IterableIterator<SandboxCall> {
    return this.#live.values();
  }

  /** Adds a call that begins. */
  add(call: SandboxCall): void {
    this.#live.set(call.request.attemptId, call);
  }

  /** Records that an attempt has ended, or is barred for good. */
  settle(attemptId: string, settled: Settled, nowMs: number): void {
    this.#live.delete(attemptId);
    this.#settled.set(attemptId, { ...settled, settledAtMs: nowMs });
    if (this.#settled.size > KEEP_COUNT) this.#forget(nowMs);
  }

  /** Loads the ledger's lines. Returns the attempts that were live when the process ended, as their RING lines. */
  restore(readBack: ReadBack, nowMs: number): LedgerLine[] {
    const open = new Map<string, LedgerLine>();
    for (const line of readBack.lines) {
      if (line.event === "RING") open.set(line.attemptId, line);
      if (line.event === "BARRED") this.settle(line.attemptId, { kind: "BARRED" }, nowMs);
      if (line.event === "END") {
        open.delete(line.attemptId);
        this.settle(line.attemptId, { kind: "ENDED", event: toEndedEvent(line), elapsedMs: 0 }, nowMs);
      }
    }
    const first = readBack.lines[0];
    if (!readBack.complete) this.#forgottenUpToMs = (first ? Date.parse(first.at) : nowMs) + CLOCK_SKEW_MS;
    return [...open.values()];
  }

  #forget(nowMs: number): void {
    for (const [attemptId, { settledAtMs }] of this.#settled) {
      if (this.#settled.size <= KEEP_COUNT || settledAtMs > nowMs - KEEP_MS) return;
      this.#settled.delete(attemptId);
      this.#forgottenUpToMs = Math.max(this.#forgottenUpToMs, mintedAt(attemptId) ?? settledAtMs);
    }
  }
}

// The first 48 bits of a UUID version 7 are its milliseconds since 1970 (RFC 9562, section 5.7).
function mintedAt(attemptId: string): number | undefined {
  if (!isUuid(attemptId) || attemptId[14] !== "7") return undefined;
  return Number.parseInt(attemptId.slice(0, 8) + attemptId.slice(9, 13), 16);
}
