import type { TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import { isE164 } from "#src/platform/kernel/e164.ts";
import { simulate } from "./sandbox-numbers.ts";

const SIP_RING_MS = 1_000;
const REASONS = {
  BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
  REJECTED: "REJECTED",
} as const;

/** Result of a transfer whose call is unknown, or lost its connection: nobody is known to have hung up. */
export const LINE_LOST: TransferResult = { kind: "FAILED", reason: "UNREACHABLE", message: "The line is gone." };

/** Returns the result of a transfer and the target's ringing time: targets behave as their numbers do when called. */
export function ringTarget(order: TransferOrder): { ringMs: number; result: TransferResult } {
  if (order.destinationType === "SIP") return { ringMs: SIP_RING_MS, result: { kind: "TRANSFERRED" } };
  if (!isE164(order.destination)) return fail(0, "UNREACHABLE", "That is no number.");
  const behaviour = simulate(order.destination, 1);
  const limitMs = order.ringTimeoutSeconds * 1_000;
  if (behaviour.kind === "REFUSES") return fail(0, "UNREACHABLE", "The carrier refused the number.");
  if (behaviour.kind === "NO_EVENTS") return fail(limitMs, "NO_ANSWER", "Nobody answered.");
  if (behaviour.ringMs > limitMs) return fail(limitMs, "NO_ANSWER", "Nobody answered.");
  if (behaviour.kind === "FAILS") {
    const reason = REASONS[behaviour.outcome as keyof typeof REASONS] ?? "UNREACHABLE";
    return fail(behaviour.ringMs, reason, behaviour.reason);
  }
  const isPerson = behaviour.answeredBy === "HUMAN" || behaviour.answeredBy === "UNCERTAIN";
  if (order.transferOnlyIfHuman && !isPerson) return fail(behaviour.ringMs, "MACHINE", "A machine answered.");
  return { ringMs: behaviour.ringMs, result: { kind: "TRANSFERRED" } };
}

function fail(
  ringMs: number,
  reason: (TransferResult & { kind: "FAILED" })["reason"],
  message: string,
): { ringMs: number; result: TransferResult } {
  return { ringMs, result: { kind: "FAILED", reason, message } };
}
