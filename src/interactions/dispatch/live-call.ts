import { type Database, untilAvailable } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import type { Attempt, PlacedCall } from "./attempt.ts";
import { type ConversationParts, runCallConversation } from "./call-conversation.ts";
import { endBlocked, endInterrupted, endWithoutFlow, notAgain } from "./call-ends.ts";
import { type ClaimedRow, markRow, type ReapedRow } from "./claim.ts";
import { dialAttempt, type DialAttemptParts } from "./dial-attempt.ts";
import type { CallEnd } from "./finish.ts";
import { followCall, type FollowParts } from "./follow-call.ts";
import type { Inbox, Mailbox } from "./inbox.ts";
import { endAbsent, endByEvent } from "./outcome.ts";
import type { LoadedFlow } from "./plan.ts";
import { reserveAudio } from "./reserve-audio.ts";
import { readReportedAttempt } from "./settle-attempt.ts";
import { endAbandoned, takeOverCall } from "./take-over.ts";

/** Dependencies that every live call of a node shares. */
export interface CallParts extends DialAttemptParts, FollowParts, ConversationParts {
  database: Database;
  inbox: Inbox;
  carrierOf: (row: ClaimedRow) => Promise<Carrier>;
  /** Releases the audio expected for an attempt. */
  closeMedia?: (attemptId: string) => void;
  /** Called after each end of a call, or of one attempt of it, is stored. */
  onEnded?: (row: ClaimedRow, end: CallEnd) => void;
}

/** The same without what the dispatcher itself decides: when nothing new is begun, and when live calls must end. */
export type NodeCallParts = Omit<CallParts, "draining" | "closing">;

/**
 * Runs one attempt to its end. The claim has committed the attempt. From here on every path returns a defined end: a
 * refusal proves that nobody was rung, anything uncertain is settled by asking the carrier, and only proof of absence
 * puts the row back.
 */
export async function runCall(
  parts: CallParts,
  row: ClaimedRow,
  flow: LoadedFlow | undefined,
  signal: AbortSignal,
): Promise<CallEnd> {
  if (row.attempt_id === null) return endBlocked(row);
  if (!flow) return endWithoutFlow();
  const carrier = await parts.carrierOf(row);
  const audio = await reserveAudio(parts.voice, carrier, row);
  if ("end" in audio) return audio.end;
  return withMailbox(parts, row, async (held) => {
    const attempt: Attempt = { carrier, row, flow, dialledAtMs: nowMs(), signal, ...held };
    const dialled = await dialAttempt(parts, attempt);
    return "end" in dialled ? dialled.end : runPlaced(parts, attempt, dialled.call);
  }).finally(audio.release);
}

/**
 * Resumes an attempt of a dead node. The carrier is asked about it before anything else. A conversation that had begun
 * died with the node, so the call ends; a call that only rang goes on here.
 */
export async function resumeCall(
  parts: CallParts,
  row: ReapedRow,
  flow: LoadedFlow | undefined,
  signal: AbortSignal,
): Promise<CallEnd> {
  // The gate had blocked the dial, so no carrier was asked; the gate judges it again.
  if (row.attempt_id === null) return { ...endAbsent(row, 0, { attemptState: "ABSENT", error: null }), uncount: false };
  if (row.is_unsent) return endAbsent(row, 0, { attemptState: "ABSENT", error: null });
  if (row.direction === "INBOUND") {
    const end = await endAbandoned(parts, await parts.carrierOf(row), row, signal);
    parts.closeMedia?.(row.attempt_id);
    return end;
  }
  return withMailbox(parts, row, async (held) => {
    const carrier = await parts.carrierOf(row);
    const taken = await takeOverCall(parts, carrier, row, signal);
    if ("end" in taken) return taken.end;
    const { call } = taken;
    if (!flow) {
      await carrier.hangUp(call.providerCallId);
      return endInterrupted(call.providerCallId);
    }
    await untilAvailable(() => markRow(parts.database.pool, row, parts.node.id, "DIALING"), signal);
    const dialledAtMs = row.submitted_at.getTime();
    return runPlaced(parts, { carrier, row, flow, dialledAtMs, signal, ...held }, call);
  });
}

/** Runs a call that is already answered and needed no dial. */
export async function runAnswered(
  parts: CallParts,
  { row, providerCallId }: { row: ClaimedRow; providerCallId: string },
  flow: LoadedFlow | undefined,
  signal: AbortSignal,
): Promise<CallEnd> {
  const carrier = await parts.carrierOf(row);
  if (flow) {
    return withMailbox(parts, row, async (held) => {
      // A caller who hung up while we answered left no audio that could show it.
      const read = () => readReportedAttempt(parts.database.pool, row.attempt_id as string);
      const reported = row.direction === "INBOUND" ? await untilAvailable(read, signal) : null;
      if (reported?.state.kind === "ENDED") return endByEvent(row, reported.state.event, parts.random);
      const attempt = { carrier, row, flow, dialledAtMs: nowMs(), signal, ...held };
      return runPlaced(parts, attempt, { providerCallId, answeredBy: "HUMAN" });
    });
  }
  await carrier.hangUp(providerCallId);
  return endWithoutFlow();
}

/** Follows a call that the carrier has and holds its conversation once it is answered. */
async function runPlaced(parts: CallParts, attempt: Attempt, call: PlacedCall): Promise<CallEnd> {
  const followed = await followCall(parts, attempt, call);
  if ("end" in followed) return followed.end;
  return runCallConversation(parts, attempt, { providerCallId: call.providerCallId, answeredBy: followed.answeredBy });
}

/** Opens an attempt's mailbox and lets it be given up on request while `run` goes on; releases both afterwards. */
async function withMailbox(
  parts: CallParts,
  row: ClaimedRow,
  run: (held: { mailbox: Mailbox; givenUp: AbortSignal }) => Promise<CallEnd>,
): Promise<CallEnd> {
  const attemptId = row.attempt_id as string;
  const wish = new AbortController();
  const leave = parts.liveCalls.enterRinging(row.workspace_id, row.id, () => wish.abort());
  try {
    const end = await run({ mailbox: parts.inbox.open(attemptId, row.workspace_id), givenUp: wish.signal });
    return wish.signal.aborted ? notAgain(end) : end;
  } finally {
    leave();
    parts.inbox.close(attemptId);
    // The audio is no longer expected, whatever the end: a late socket is turned away.
    parts.closeMedia?.(attemptId);
  }
}
