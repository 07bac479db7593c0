import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { Line } from "#src/audio/line/line.ts";
import { openGrantedPorts } from "#src/authoring/session-plans/granted-ports.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { SessionOutcome, Turn } from "#src/engine/conversation/plan.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { SupervisorNotes } from "#src/engine/conversation/supervisor-notes.ts";
import { outputFields } from "#src/engine/stages/needed-fields.ts";
import { CallWatch } from "#src/interactions/call-watch/call-watch.ts";
import { phoneOf } from "#src/interactions/calls/new-row.ts";
import type { Database } from "#src/platform/db/database.ts";
import { now } from "#src/platform/kernel/clock.ts";
import type { Tracer } from "#src/platform/kernel/tracing.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { addToDoNotCall } from "#src/tenancy/compliance/do-not-call.ts";
import type { Attempt } from "./attempt.ts";
import { CallAlerts } from "./call-alerts.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { ClaimedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import { noteHumanRequest } from "./human-request.ts";
import type { Mailbox } from "./inbox.ts";
import { isRecorded, type OpenedLine, openLine, type LineParts } from "./open-line.ts";
import { endByEvent, endBySession } from "./outcome.ts";
import { type LoadedFlow, openNamedFlow, type PlanParts, toFillPayload, toPlan, toSessionContact } from "./plan.ts";
import { announceStart } from "./session-start.ts";

/** Longer than any call. */
const LONGEST_CONVERSATION_MS = 86_400_000;

/** Dependencies of the conversation of an answered call. */
export interface ConversationParts extends PlanParts, LineParts {
  database: Database;
  checkpoints: Checkpoints;
  random: () => number;
  /** Aborts when the operator's time for live calls is over. */
  closing: AbortSignal;
  /** Null: nothing is traced. */
  tracer?: Tracer | null;
}

/** An answered call. */
interface AnsweredCall {
  providerCallId: string;
  answeredBy: AnsweredBy;
}

/** Holds the conversation of an answered call and returns the end of the call. */
export async function runCallConversation(
  parts: ConversationParts,
  attempt: Attempt,
  call: AnsweredCall,
): Promise<CallEnd> {
  const { carrier, row, mailbox, signal } = attempt;
  return runOnLine(parts, attempt, call).catch(async (error: unknown) => {
    // The person must not be left alone on the line.
    await carrier.hangUp(call.providerCallId);
    const ended = await findEnd(mailbox, signal);
    if (!ended) throw error;
    return endByEvent(row, ended, parts.random, call.answeredBy);
  });
}

/** Opens the line, runs the session over it, and hangs up unless the call was transferred. */
async function runOnLine(
  parts: ConversationParts,
  attempt: Attempt,
  { providerCallId, answeredBy: answered }: AnsweredCall,
): Promise<CallEnd> {
  const { carrier, row, flow, mailbox } = attempt;
  const opened = await openLine(parts, carrier, { row, flow, providerCallId, answered });
  const relay = opened.takeVerdict && relayVerdicts(mailbox, opened.takeVerdict);
  const session = await runPlan(parts, attempt, opened, answered).finally(relay ?? undefined);
  if (session.endReason !== "AGENT_TRANSFERRED_CALL") await carrier.hangUp(providerCallId);
  const { verdict, used } = await opened.close();
  const ended = { ...session, usage: { ...session.usage, ...used } };
  const talked = { answered, verdict, providerCallId, recorded: isRecorded(flow) };
  return { ...endBySession(row, ended, talked, parts.random), fillLater: toFillPayload(row, flow, session) };
}

/** Passes on AMD results, which carriers report seconds after the answer, until the returned function is called. */
function relayVerdicts(mailbox: Mailbox, takeVerdict: (answeredBy: AnsweredBy) => void): () => void {
  const over = new AbortController();
  void passVerdicts(mailbox, takeVerdict, over.signal);
  return () => over.abort();
}

async function passVerdicts(
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

/** Returns the ENDED event of a call whose audio was lost before anything could be said; null when there is none. */
async function findEnd(mailbox: Mailbox, signal: AbortSignal): Promise<(CarrierEvent & { type: "ENDED" }) | null> {
  for (;;) {
    const event = await mailbox.take(0, signal);
    if (event === null || event.type === "ENDED") return event;
  }
}

/** Runs the session of the flow's plan over the opened line; supervisors can reach it meanwhile. */
async function runPlan(
  parts: ConversationParts,
  { row, flow, signal, givenUp }: Attempt,
  opened: OpenedLine,
  answeredBy: AnsweredBy,
): Promise<SessionOutcome> {
  const { database, checkpoints } = parts;
  const sessionContact = toSessionContact(row, flow);
  let shown: Turn[] = [];
  const notes = new SupervisorNotes();
  const alerts = new CallAlerts(database, parts.log, row);
  const watch = openWatch(opened.line, flow, notes, alerts);
  checkpoints.enter(row, watch);
  if (givenUp.aborted) notes.end();
  const leave = parts.liveCalls.enterConversation(row.workspace_id, row.id, notes);
  const announced = row.reports_start ? announceStart(database.db, row, signal) : undefined;
  try {
    return await runSession(
      toPlan(row, flow),
      {
        line: opened.line,
        model: flow.model,
        now,
        validate: validateAgainst,
        answeredBy,
        trace: parts.tracer?.ofConversation(row.id, row.attempt_id as string) ?? null,
        notes,
        watch,
        isPaced: opened.line.isLive === true || row.sandbox_speed !== null,
        closing: parts.closing,
        onTurn: (turns: Turn[]) => {
          watch.noteTurns((shown = turns));
          checkpoints.note(row, turns);
          opened.show(turns);
        },
        onOutputs(outputs) {
          watch.noteOutputs(outputs);
          checkpoints.noteOutputs(row, shown, outputs);
        },
        onStage: (path) => checkpoints.noteStages(row, shown, path),
        modelOf: flow.modelOf,
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
    watch.close();
    await Promise.all([announced, alerts.settled]);
  }
}

/** Opens the watch of a conversation, whose alerts are stored as they come. */
function openWatch(line: Line, flow: LoadedFlow, notes: SupervisorNotes, alerts: CallAlerts): CallWatch {
  return new CallWatch({
    language: flow.fields.language ?? "en-US",
    isText: line.isLive !== true,
    wanted: outputFields(flow.outputs).size,
    elapsedMs: () => line.elapsedMs(),
    isHearing: () => line.isHearing === true,
    isHeld: () => notes.isHeld,
    onAlert: alerts.note,
  });
}

/**
 * Adds the person's number to the do-not-call list. A person whose number is unknown cannot be called, so nothing is
 * added.
 */
async function forbidCalls({ db }: Database, row: ClaimedRow): Promise<void> {
  const phone = phoneOf(row.customer_number);
  if (phone !== null) await addToDoNotCall(db, row.workspace_id, [phone], "SPOKEN_REFUSAL");
}
