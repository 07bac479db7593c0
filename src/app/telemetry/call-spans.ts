import { carrierKindOf, type ClaimedRow } from "#src/interactions/dispatch/claim.ts";
import type { CallEnd } from "#src/interactions/dispatch/finish.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { timeOfUuid } from "#src/platform/kernel/id.ts";
import type { Tracer } from "#src/platform/kernel/tracing.ts";

/**
 * Records the span of an attempt when its end is stored, and after the last one that of the call. An attempt begins with
 * its claim, whose time is in its id; a call begins with its first attempt, because rows of a job may wait for days.
 */
export function recordCallSpans(tracer: Tracer, row: ClaimedRow, end: CallEnd): void {
  const { id, attempt_id: attemptId } = row;
  const call = tracer.ofCall(id);
  if (!call) return;
  const endMs = nowMs();
  const attemptMs = attemptId === null ? endMs : timeOfUuid(attemptId);
  const fault = end.error?.code ?? null;
  const attributes = {
    "parley.workspace.id": row.workspace_id,
    "parley.call.id": id,
    "parley.end_reason": end.endReason ?? undefined,
  };
  if (attemptId !== null) {
    const own = {
      "parley.attempt.id": attemptId,
      "parley.attempt.number": row.attempts_made,
      "parley.attempt.outcome": end.outcome ?? undefined,
      "parley.carrier": carrierKindOf(row),
      "parley.conversation_ms": end.result?.durationMs,
    };
    const span = call.child(attemptId);
    span.end({ name: "attempt", startMs: attemptMs, endMs, attributes: { ...attributes, ...own }, fault });
  }
  if (end.retryMs !== null) return;
  const own = {
    "parley.session.id": row.session_id,
    "parley.call.direction": row.direction,
    "parley.call.status": end.status,
    "parley.call.attempts": row.attempts_made,
  };
  const startMs = Math.min(attemptMs, row.started_at?.getTime() ?? endMs);
  call.end({ name: "call", startMs, endMs, attributes: { ...attributes, ...own }, fault });
}
