import { openGrantedPorts } from "#src/authoring/session-plans/granted-ports.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, Turn } from "#src/engine/conversation/plan.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { SupervisorNotes } from "#src/engine/conversation/supervisor-notes.ts";
import { phoneOf } from "#src/interactions/calls/new-row.ts";
import { noteRefusal } from "#src/numbers/phone-numbers/number-health.ts";
import type { Database } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { AnsweredBy, Carrier, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { addToDoNotCall } from "#src/tenancy/compliance/do-not-call.ts";
import { readAttemptState, settleRow } from "./attempt-state.ts";
import {
  endBlocked,
  endGivenUp,
  endInterrupted,
  endLostConversation,
  endRefused,
  endUnconfirmed,
  endWithoutFlow,
  noSpeech,
  notAgain,
  type Refusal,
} from "./call-ends.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { type ClaimedRow, markRow, type ReapedRow } from "./claim.ts";
import type { CallEnd, LeasedNode } from "./finish.ts";
import { noteHumanRequest } from "./human-request.ts";
import type { Inbox, Mailbox } from "./inbox.ts";
import { isRecorded, type OpenedLine, openLine, type VoiceParts } from "./open-line.ts";
import { endAbsent, endByEvent, endBySession, endUnanswered, scaleMs } from "./outcome.ts";
import { type DialParts, placeDial } from "./place-dial.ts";
import { type LoadedFlow, openNamedFlow, type PlanParts, toFillPayload, toPlan, toSessionContact } from "./plan.ts";
import type { Settled } from "./reconcile.ts";
import { announceStart } from "./session-start.ts";

/**
 * Delay after a dial refused for lack of media capacity. A call is refused before it rings rather than degrade live
 * ones.
 */
const MEDIA_BUSY_MS = 2_000;
/** Delay until a speech provider may have been configured. */
const NO_SPEECH_MS = 60_000;
/** Longer than any call. */
const LONGEST_CONVERSATION_MS = 86_400_000;
const MEDIA_BUSY = { code: "MEDIA_BUSY", message: "This server carries as many calls as it can; the call waits." };

/** Dependencies that every live call of a node shares. */
export interface CallParts extends PlanParts, VoiceParts, DialParts {
  database: Database;
  node: LeasedNode;
  inbox: Inbox;
  checkpoints: Checkpoints;
  carrierOf: (row: ClaimedRow) => Promise<Carrier>;
  /** Releases the audio expected for an attempt. */
  closeMedia?: (attemptId: string) => void;
  random: () => number;
  /** Milliseconds beyond the ringing time that a carrier may be silent before it is asked. */
  graceMs: number;
}

/** One attempt in progress. */
interface Attempt {
  parts: CallParts;
  carrier: Carrier;
  row: ClaimedRow;
  flow: LoadedFlow;
  mailbox: Mailbox;
  /** Time no later than the dial; milliseconds since the epoch. */
  dialledAtMs: number;
  signal: AbortSignal;
  /** Aborts when the call is ended on request before it was answered. */
  givenUp: AbortSignal;
}

/**
 * Runs one attempt from intent to end (design section 5). The claim has committed the intent. From here on every path
 * returns a defined end: a refusal proves that nobody was rung, anything uncertain is settled with the carrier by our
 * attempt id, and only proof of absence puts the row back.
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
  const missing = carrier.openMedia && !carrier.speaksTones ? await parts.voice.missingFor(row.workspace_id) : null;
  if (missing !== null) return endAbsent(row, NO_SPEECH_MS, { attemptState: "REFUSED", error: noSpeech(missing) });
  const room = carrier.openMedia ? parts.voice.reserve() : () => undefined;
  if (!room) return endAbsent(row, MEDIA_BUSY_MS, { attemptState: "REFUSED", error: MEDIA_BUSY });
  return withMailbox(parts, row, async (mailbox, givenUp) => {
    const attempt: Attempt = { parts, carrier, row, flow, mailbox, dialledAtMs: Date.now(), signal, givenUp };
    const dial = await placeDial(parts, carrier, row, ringSeconds(flow), attempt);
    if ("end" in dial) return dial.end;
    const { answer: dialled, askedAt } = dial;
    if (dialled.kind === "REFUSED") {
      await noteBlame(parts, row, dialled, askedAt);
      return endRefused(row, dialled, parts.random);
    }
    if (dialled.kind === "ACCEPTED") return follow(attempt, dialled.providerCallId, null);
    await markRow(parts.database.pool, row, parts.node.id, "UNKNOWN");
    const known = { providerCallId: null, dialledAt: new Date(attempt.dialledAtMs) };
    const found = await settleRow(parts.database.pool, carrier, row, known, signal);
    return endSettled(parts, row, found) ?? resume(attempt, found as StillLive);
  }).finally(room);
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
  if (row.direction === "INBOUND") return endAbandoned(parts, row, signal);
  return withMailbox(parts, row, async (mailbox, givenUp) => {
    const carrier = await parts.carrierOf(row);
    const { provider_call_id: providerCallId, submitted_at: dialledAt } = row;
    const found = await settleRow(parts.database.pool, carrier, row, { providerCallId, dialledAt }, signal);
    if (row.conversation_began_at !== null) {
      if (found.kind === "RINGING" || found.kind === "ANSWERED") await carrier.hangUp(found.providerCallId);
      return endLostConversation(row, found, parts.random);
    }
    const end = endSettled(parts, row, found);
    if (end) return end;
    const live = found as StillLive;
    if (flow) {
      const dialledAtMs = dialledAt.getTime();
      return resume({ parts, carrier, row, flow, mailbox, dialledAtMs, signal, givenUp }, live);
    }
    await carrier.hangUp(live.providerCallId);
    return endInterrupted(live.providerCallId);
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
    return withMailbox(parts, row, async (mailbox, givenUp) => {
      // A caller who hung up while we answered left no audio that could show it.
      const reported =
        row.direction === "INBOUND" ? await readAttemptState(parts.database.pool, row.attempt_id as string) : null;
      if (reported?.state.kind === "ENDED") return endByEvent(row, reported.state.event, parts.random);
      const attempt = { parts, carrier, row, flow, mailbox, dialledAtMs: Date.now(), signal, givenUp };
      return follow(attempt, providerCallId, "HUMAN");
    });
  }
  await carrier.hangUp(providerCallId);
  return endWithoutFlow();
}

/**
 * Ends an inbound call of a dead node. Its conversation died with the node, and nobody is called back for it. The
 * carrier is asked once for the time at which it ended.
 */
async function endAbandoned(parts: CallParts, row: ReapedRow, signal: AbortSignal): Promise<CallEnd> {
  const carrier = await parts.carrierOf(row);
  const attemptId = row.attempt_id as string;
  const providerCallId = row.provider_call_id ?? attemptId;
  await carrier.hangUp(providerCallId);
  const reported = await readAttemptState(parts.database.pool, attemptId);
  const { workspace_id: workspaceId, from_number: to, customer_number: from, submitted_at: dialledAt } = row;
  const asked = { attemptId, workspaceId, providerCallId, from, to, dialledAt };
  const known = reported?.state.kind === "ENDED" ? reported.state : await carrier.lookUp(asked, signal);
  parts.closeMedia?.(attemptId);
  const carrierEndedAt = known.kind === "ENDED" ? known.event.at : null;
  return { ...endInterrupted(providerCallId), carrierEndedAt };
}

async function withMailbox(
  parts: CallParts,
  row: ClaimedRow,
  run: (mailbox: Mailbox, givenUp: AbortSignal) => Promise<CallEnd>,
): Promise<CallEnd> {
  const attemptId = row.attempt_id as string;
  const wish = new AbortController();
  const leave = parts.liveCalls.enterRinging(row.workspace_id, row.id, () => wish.abort());
  try {
    const end = await run(parts.inbox.open(attemptId, row.workspace_id), wish.signal);
    return wish.signal.aborted ? notAgain(end) : end;
  } finally {
    leave();
    parts.inbox.close(attemptId);
    // The audio is no longer expected, whatever the end: a late socket is turned away.
    parts.closeMedia?.(attemptId);
  }
}

type StillLive = Settled & { kind: "RINGING" | "ANSWERED" };

/** Returns the end of an uncertain attempt, or null when the carrier reports it live. */
function endSettled(parts: CallParts, row: ClaimedRow, found: Settled): CallEnd | null {
  switch (found.kind) {
    case "ABSENT":
      return endAbsent(row, 0, { attemptState: "ABSENT", error: null });
    case "UNCONFIRMED":
      return endUnconfirmed(found.message);
    case "ENDED":
      return endByEvent(row, found.event, parts.random, found.answeredBy);
    default:
      return null;
  }
}

/** Follows a call that the carrier still has, and shows it as live again. */
async function resume(attempt: Attempt, live: StillLive): Promise<CallEnd> {
  const { parts, row } = attempt;
  await markRow(parts.database.pool, row, parts.node.id, "DIALING");
  return follow(attempt, live.providerCallId, live.kind === "ANSWERED" ? live.answeredBy : null);
}

function ringSeconds(flow: LoadedFlow): number {
  return flow.fields.ringTimeoutSeconds ?? 30;
}

/** Follows an accepted call: waits for its answer, holds the conversation, returns its end. */
async function follow(attempt: Attempt, providerCallId: string, answered: AnsweredBy | null): Promise<CallEnd> {
  const { parts, carrier, row, flow, mailbox, signal, givenUp } = attempt;
  if (answered === null) {
    const waitMs = scaleMs(row, ringSeconds(flow) * 1000) + parts.graceMs;
    const event = await waitForAnswer(mailbox, waitMs, AbortSignal.any([signal, givenUp]));
    if (event?.type === "ENDED") return endByEvent(row, event, parts.random);
    if (givenUp.aborted) {
      await carrier.hangUp(providerCallId);
      return endGivenUp(providerCallId);
    }
    if (event?.type !== "ANSWERED") return endUnheard(attempt, providerCallId);
    answered = event.answeredBy;
  }
  return conversation(attempt, providerCallId, answered).catch(async (error: unknown) => {
    // The person must not be left alone on the line.
    await carrier.hangUp(providerCallId);
    const ended = await findEnd(mailbox, signal);
    if (!ended) throw error;
    return endByEvent(row, ended, parts.random, answered);
  });
}

/** Returns the ENDED event of a call whose audio was lost before anything could be said; null when there is none. */
async function findEnd(mailbox: Mailbox, signal: AbortSignal): Promise<(CarrierEvent & { type: "ENDED" }) | null> {
  for (;;) {
    const event = await mailbox.take(0, signal);
    if (event === null || event.type === "ENDED") return event;
  }
}

/** Holds the conversation of an answered call. */
async function conversation(attempt: Attempt, providerCallId: string, answered: AnsweredBy): Promise<CallEnd> {
  const { parts, carrier, row, flow, mailbox } = attempt;
  const opened = await openLine(parts, carrier, { row, flow, providerCallId, answered });
  const over = new AbortController();
  if (opened.takeVerdict) void relayVerdicts(mailbox, opened.takeVerdict, over.signal);
  const session = await converse(attempt, opened, answered).finally(() => over.abort());
  if (session.endReason !== "AGENT_TRANSFERRED_CALL") await carrier.hangUp(providerCallId);
  const { verdict, used } = await opened.close();
  const ended = { ...session, usage: { ...session.usage, ...used } };
  const talked = { answered, verdict, providerCallId, recorded: isRecorded(flow) };
  return { ...endBySession(row, ended, talked, parts.random), fillLater: toFillPayload(row, flow, session) };
}

/** Passes on AMD results, which carriers report seconds after the answer, until the signal aborts. */
async function relayVerdicts(
  mailbox: Mailbox,
  takeVerdict: (answeredBy: AnsweredBy) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const event = await mailbox.take(LONGEST_CONVERSATION_MS, signal);
    if (event?.type === "ANSWERED") takeVerdict(event.answeredBy);
    // Put back for `findEnd`.
    if (event?.type === "ENDED") return mailbox.put(event);
  }
}

async function waitForAnswer(mailbox: Mailbox, waitMs: number, signal: AbortSignal): Promise<CarrierEvent | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const event = await mailbox.take(Math.max(0, deadline - performance.now()), signal);
    if (event === null || event.type !== "RINGING") return event;
  }
}

/** Handles a carrier that reported nothing in time: it is asked, and a call that still rings is given up. */
async function endUnheard(attempt: Attempt, providerCallId: string): Promise<CallEnd> {
  const { parts, carrier, row, signal } = attempt;
  if (signal.aborted) {
    await carrier.hangUp(providerCallId);
    return endInterrupted(providerCallId);
  }
  const dialledAt = new Date(attempt.dialledAtMs);
  const found = await settleRow(parts.database.pool, carrier, row, { providerCallId, dialledAt }, signal, true);
  if (found.kind === "UNCONFIRMED") await carrier.hangUp(providerCallId);
  if (found.kind === "ANSWERED") return follow(attempt, providerCallId, found.answeredBy);
  const end = endSettled(parts, row, found);
  if (end) return end;
  await carrier.hangUp(providerCallId);
  const error = { code: "CARRIER_SILENT", message: "The carrier accepted the call and reported nothing more." };
  const base = { outcome: "CARRIER_FAILURE" as const, endReason: "CARRIER_SILENT", attemptState: "ENDED" as const };
  return endUnanswered(row, { ...base, providerCallId, error }, parts.random);
}

async function converse(
  { parts, row, flow, signal, givenUp }: Attempt,
  opened: OpenedLine,
  answeredBy: AnsweredBy,
): Promise<SessionOutcome> {
  const { database, checkpoints } = parts;
  const sessionContact = toSessionContact(row, flow);
  let shown: Turn[] = [];
  const notes = new SupervisorNotes();
  if (givenUp.aborted) notes.end();
  const leave = parts.liveCalls.enterConversation(row.workspace_id, row.id, notes);
  const announced = row.reports_start ? announceStart(database.db, row, signal) : undefined;
  try {
    return await runSession(
      toPlan(row, flow),
      {
        line: opened.line,
        model: flow.model,
        now: () => new Date(),
        validate: validateAgainst,
        answeredBy,
        notes,
        onTurn: (turns: Turn[]) => {
          checkpoints.note(row, (shown = turns));
          opened.show(turns);
        },
        onOutputs: (outputs) => checkpoints.noteOutputs(row, shown, outputs),
        openFlow: (name) => openNamedFlow(database.db, parts, row, name),
        ...openGrantedPorts(parts.sessionPortParts, flow.flowGrants, sessionContact),
        addToDoNotCall: () => forbidCalls(database, row),
        noteHumanRequest: () => noteHumanRequest(database, row),
      },
      signal,
    );
  } finally {
    leave();
    checkpoints.forget(row);
    await announced;
  }
}

/**
 * Adds the person's number to the do-not-call list. A person whose number is unknown cannot be called, so nothing is
 * added.
 */
async function forbidCalls({ db }: Database, row: ClaimedRow): Promise<void> {
  const phone = phoneOf(row.customer_number);
  if (phone !== null) await addToDoNotCall(db, row.workspace_id, [phone], "SPOKEN_REFUSAL");
}

/** Stops the number or account that the refusal blames. The row ends even when that cannot be stored. */
async function noteBlame(
  { database, log }: CallParts,
  row: ClaimedRow,
  { blame, code, message }: Refusal,
  askedAt: Date,
): Promise<void> {
  if (!blame) return;
  const { workspace_id: workspaceId, phone_number_id: phoneNumberId, carrier_account_id: carrierAccountId } = row;
  try {
    await noteRefusal(database, { workspaceId, phoneNumberId, carrierAccountId }, { blame, code, message, askedAt });
  } catch (error) {
    log.warn("A refused number could not be stopped.", { phoneNumberId, error: toError(error).message });
  }
}
