import type { Line, TransferFailure, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { DialledLeg, MediaSource } from "#src/audio/line/media-source.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { type Consultation, consultTarget } from "./consultation.ts";

/** Extra wait for a carrier that does not enforce the ringing time itself. */
const RING_GRACE_MS = 5_000;
const GIVEN_UP: TransferFailure = { kind: "FAILED", reason: "NO_ANSWER", message: "The transfer was given up." };
const UNANSWERED: TransferFailure = { kind: "FAILED", reason: "NO_ANSWER", message: "Nobody answered." };

/** The second call, to the target. */
export interface BridgeLeg {
  readonly line: Line;
  /** Resolves when its audio has ended. */
  readonly ended: Promise<unknown>;
  /** Lets both calls hear each other. */
  join(): void;
}

/** Dependencies of joining two calls. */
export interface BridgeParts {
  order: TransferOrder;
  consultation: Consultation;
  /** Dials the target. */
  dialLeg(order: TransferOrder, signal: AbortSignal): Promise<DialledLeg>;
  /** Opens the audio of the target's call. */
  openLeg(source: MediaSource): BridgeLeg;
  /** Returns the time left in the person's call, in milliseconds. */
  leftMs(): number;
}

/**
 * Transfers a call by dialling the target on a second call, consulting it as the order says, and joining both. Resolves
 * when the joined call is over, or was not joined. `signal` aborts when the person has gone. The target's call is
 * always ended; the person's is left to the caller. Never rejects.
 */
export async function bridgeCalls(parts: BridgeParts, signal: AbortSignal): Promise<TransferResult> {
  const dialled = await ring(parts, signal);
  if (dialled.kind === "FAILED") return dialled;
  try {
    return signal.aborted ? GIVEN_UP : await connect(parts, dialled.source, signal);
  } catch (error) {
    return { kind: "FAILED", reason: "UNREACHABLE", message: toError(error).message };
  } finally {
    await dialled.hangUp();
  }
}

async function ring(parts: BridgeParts, signal: AbortSignal): Promise<DialledLeg> {
  const { order } = parts;
  const limit = AbortSignal.timeout(order.ringTimeoutSeconds * 1_000 + RING_GRACE_MS);
  const either = AbortSignal.any([signal, limit]);
  const { promise: isLate, resolve } = Promise.withResolvers<TransferFailure>();
  either.addEventListener("abort", () => resolve(limit.aborted ? UNANSWERED : GIVEN_UP), { once: true });
  const dialling = parts.dialLeg(order, either).catch((error: unknown): TransferFailure => {
    return { kind: "FAILED", reason: "UNREACHABLE", message: toError(error).message };
  });
  const dialled = await Promise.race([dialling, isLate]);
  // A target that answers after the transfer was given up is hung up on.
  if (dialled.kind === "FAILED") void dialling.then((late) => (late.kind === "ANSWERED" ? late.hangUp() : undefined));
  return dialled;
}

async function connect(parts: BridgeParts, source: MediaSource, signal: AbortSignal): Promise<TransferResult> {
  const leg = parts.openLeg(source);
  const gone = new AbortController();
  void leg.ended.then(() => gone.abort());
  try {
    const failure = await consultTarget(leg.line, parts.order, parts.consultation, signal);
    if (failure) return failure;
    if (signal.aborted) return GIVEN_UP;
    if (gone.signal.aborted) return { kind: "FAILED", reason: "REJECTED", message: "The target hung up." };
    leg.join();
    await untilOver(AbortSignal.any([signal, gone.signal]), parts.leftMs());
    return { kind: "TRANSFERRED" };
  } finally {
    await leg.line.hangUp();
  }
}

function untilOver(signal: AbortSignal, leftMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, Math.max(0, leftMs));
    const onAbort = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
