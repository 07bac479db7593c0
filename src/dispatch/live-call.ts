import type { AnsweredBy, Carrier, CarrierEvent, DialResult } from "#src/carriers/carrier.ts";
import { addToDoNotCall } from "#src/compliance/do-not-call.ts";
import { GATE_REASONS } from "#src/compliance/gate.ts";
import type { SessionOutcome, Turn } from "#src/conversation/plan.ts";
import { runSession } from "#src/conversation/session.ts";
import type { Database } from "#src/db/database.ts";
import type { LanguageModel } from "#src/models/models.ts";
import { validateAgainst } from "#src/structured-outputs/schema-check.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { type ClaimedRow, markRow, type ReapedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import type { Inbox, Mailbox } from "./inbox.ts";
import { endAbsent, endByEvent, endBySession, endUnanswered, scaleMs } from "./outcome.ts";
import { type LoadedFlow, toPlan } from "./plan.ts";
import { settle } from "./reconcile.ts";

/** What every live call of a node shares. */
export interface CallParts {
  database: Database;
  nodeId: string;
  inbox: Inbox;
  checkpoints: Checkpoints;
  model: LanguageModel;
  carrierOf: (row: ClaimedRow) => Carrier;
  eventsUrl: string;
  random: () => number;
  /** How long a carrier may take to answer a dial. */
  dialTimeoutMs: number;
  /** How long beyond the ringing time a carrier may be silent before it is asked. */
  graceMs: number;
}

/**
 * One attempt from intent to end (design section 5). The claim has committed the intent; from here on every
 * path gives a defined end: a refusal proves that nobody was rung, anything uncertain is settled with the
 * carrier by our attempt id, and only proof of absence puts the row back.
 */
export async function runCall(
  parts: CallParts,
  row: ClaimedRow,
  flow: LoadedFlow | undefined,
  signal: AbortSignal,
): Promise<CallEnd> {
  if (row.attempt_id === null) return endBlocked(row);
  if (!flow) return endWithoutFlow(row);
  const mailbox = parts.inbox.open(row.attempt_id, row.workspace_id);
  try {
    const carrier = parts.carrierOf(row);
    const dialled = await dial(parts, carrier, row, flow, signal);
    if (dialled.kind === "REFUSED") return endRefused(row, dialled, parts.random);
    if (dialled.kind === "ACCEPTED")
      return await follow(parts, carrier, row, flow, mailbox, dialled.providerCallId, null, signal);
    await markRow(parts.database.pool, row, parts.nodeId, "UNKNOWN");
    return await resume(parts, carrier, row, flow, mailbox, false, signal);
  } finally {
    parts.inbox.close(row.attempt_id);
  }
}

/** An attempt of a dead node: the carrier is asked what became of it before anything else. */
export async function resumeCall(
  parts: CallParts,
  row: ReapedRow,
  flow: LoadedFlow | undefined,
  signal: AbortSignal,
): Promise<CallEnd> {
  const mailbox = parts.inbox.open(row.attempt_id as string, row.workspace_id);
  try {
    return await resume(parts, parts.carrierOf(row), row, flow, mailbox, row.conversation_began_at !== null, signal);
  } finally {
    parts.inbox.close(row.attempt_id as string);
  }
}

/** What became of an attempt whose node died early in its conversation. */
async function resume(
  parts: CallParts,
  carrier: Carrier,
  row: ClaimedRow,
  flow: LoadedFlow | undefined,
  mailbox: Mailbox,
  conversationBegan: boolean,
  signal: AbortSignal,
): Promise<CallEnd> {
  const found = await settle(carrier, row.attempt_id as string, signal);
  switch (found.kind) {
    case "ABSENT":
      return endAbsent(row, 0, { attemptState: "ABSENT", error: null });
    case "UNCONFIRMED":
      return endUnconfirmed(found.message);
    case "ENDED":
      return endByEvent(row, found.event, parts.random);
    case "RINGING":
    case "ANSWERED":
      break;
  }
  if (conversationBegan || !flow) {
    await carrier.hangUp(found.providerCallId);
    return endInterrupted(found.providerCallId);
  }
  await markRow(parts.database.pool, row, parts.nodeId, "DIALING");
  const answeredBy = found.kind === "ANSWERED" ? found.answeredBy : null;
  return follow(parts, carrier, row, flow, mailbox, found.providerCallId, answeredBy, signal);
}

async function dial(
  parts: CallParts,
  carrier: Carrier,
  row: ClaimedRow,
  flow: LoadedFlow,
  signal: AbortSignal,
): Promise<DialResult> {
  return carrier.dial(
    {
      attemptId: row.attempt_id as string,
      workspaceId: row.workspace_id,
      from: row.from_number,
      to: row.customer_number,
      attemptNumber: row.attempts_made,
      ringTimeoutSeconds: ringSeconds(flow),
      eventsUrl: parts.eventsUrl,
      sandboxSpeed: row.sandbox_speed ?? "instant",
    },
    AbortSignal.any([signal, AbortSignal.timeout(parts.dialTimeoutMs)]),
  );
}

function ringSeconds(flow: LoadedFlow): number {
  return flow.fields.ringTimeoutSeconds ?? 30;
}

/** Follows an accepted call: waits for its answer, holds the conversation, gives its end. */
async function follow(
  parts: CallParts,
  carrier: Carrier,
  row: ClaimedRow,
  flow: LoadedFlow,
  mailbox: Mailbox,
  providerCallId: string,
  answered: AnsweredBy | null,
  signal: AbortSignal,
): Promise<CallEnd> {
  const waitMs = scaleMs(row, ringSeconds(flow) * 1000) + parts.graceMs;
  const event = answered === null ? await waitForAnswer(mailbox, waitMs, signal) : null;
  if (event?.type === "ENDED") return endByEvent(row, event, parts.random);
  if (event?.type === "ANSWERED") answered = event.answeredBy;
  if (answered === null) {
    if (signal.aborted) {
      await carrier.hangUp(providerCallId);
      return endInterrupted(providerCallId);
    }
    return endSilentCarrier(parts, carrier, row, flow, mailbox, providerCallId, signal);
  }
  const session = await converse(parts, carrier, row, flow, providerCallId, answered, signal);
  await carrier.hangUp(providerCallId);
  return endBySession(row, session, answered, providerCallId, flow.fields.recordingEnabled ?? true, parts.random);
}

async function waitForAnswer(mailbox: Mailbox, waitMs: number, signal: AbortSignal): Promise<CarrierEvent | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const event = await mailbox.take(Math.max(0, deadline - performance.now()), signal);
    if (event === null || event.type !== "RINGING") return event;
  }
}

/** The watchdog: the carrier reported nothing in time, so it is asked; a call that still rings is given up. */
async function endSilentCarrier(
  parts: CallParts,
  carrier: Carrier,
  row: ClaimedRow,
  flow: LoadedFlow,
  mailbox: Mailbox,
  providerCallId: string,
  signal: AbortSignal,
): Promise<CallEnd> {
  const found = await settle(carrier, row.attempt_id as string, signal);
  if (found.kind === "ENDED") return endByEvent(row, found.event, parts.random);
  if (found.kind === "ANSWERED") {
    return follow(parts, carrier, row, flow, mailbox, providerCallId, found.answeredBy, signal);
  }
  if (found.kind === "UNCONFIRMED") return endUnconfirmed(found.message);
  await carrier.hangUp(providerCallId);
  const error = { code: "CARRIER_SILENT", message: "The carrier accepted the call and reported nothing more." };
  const base = { outcome: "CARRIER_FAILURE" as const, endReason: "CARRIER_SILENT", attemptState: "ENDED" as const };
  return endUnanswered(row, { ...base, providerCallId, error }, parts.random);
}

async function converse(
  parts: CallParts,
  carrier: Carrier,
  row: ClaimedRow,
  flow: LoadedFlow,
  providerCallId: string,
  answeredBy: AnsweredBy,
  signal: AbortSignal,
): Promise<SessionOutcome> {
  try {
    return await runSession(
      toPlan(row, flow),
      {
        line: carrier.openLine(providerCallId),
        model: parts.model,
        now: () => new Date(),
        validate: validateAgainst,
        answeredBy,
        onTurn: (turns: Turn[]) => parts.checkpoints.note(row, turns),
        addToDoNotCall: () =>
          addToDoNotCall(parts.database.db, row.workspace_id, [row.customer_number], "SPOKEN_REFUSAL"),
      },
      signal,
    );
  } finally {
    parts.checkpoints.forget(row);
  }
}

function endBlocked(row: ClaimedRow): CallEnd {
  const code = row.blocked ?? "COUNTRY_NOT_ENABLED";
  const error = { code, message: GATE_REASONS[code] };
  return {
    status: "SKIPPED",
    retryMs: null,
    outcome: "BLOCKED",
    endReason: `GATE_${code}`,
    error,
    attemptState: "ENDED",
  };
}

function endWithoutFlow(_row: ClaimedRow): CallEnd {
  const error = { code: "FLOW_MISSING", message: "The flow was deleted before the call was placed." };
  return {
    status: "FAILED",
    retryMs: null,
    outcome: "FLOW_MISSING",
    endReason: "ERROR_FLOW_MISSING",
    error,
    attemptState: "ABSENT",
  };
}

function endRefused(row: ClaimedRow, refusal: DialResult & { kind: "REFUSED" }, random: () => number): CallEnd {
  const error = { code: refusal.code, message: refusal.message };
  if (refusal.then === "REQUEUE") {
    return endAbsent(row, refusal.retryAfterMs ?? 1_000, { attemptState: "REFUSED", error });
  }
  const base = { outcome: refusal.outcome, endReason: `CARRIER_${refusal.outcome}`, attemptState: "REFUSED" as const };
  return endUnanswered(row, { ...base, error }, random);
}

function endUnconfirmed(message: string): CallEnd {
  const error = { code: "UNCONFIRMED", message };
  return {
    status: "UNCONFIRMED",
    retryMs: null,
    outcome: "UNCONFIRMED",
    endReason: "CARRIER_UNCONFIRMED",
    error,
    attemptState: "UNCONFIRMED",
  };
}

function endInterrupted(providerCallId: string): CallEnd {
  const error = { code: "INTERRUPTED", message: "The server stopped during the call." };
  return {
    status: "FAILED",
    retryMs: null,
    outcome: "INTERRUPTED",
    endReason: "ERROR_INTERRUPTED",
    error,
    attemptState: "ENDED",
    providerCallId,
  };
}
