import type { SessionActions } from "#src/authoring/session-plans/granted-ports.ts";
import type { SessionContact } from "#src/authoring/session-plans/sessions.ts";
import { readTime, tellTime } from "#src/engine/conversation/local-clock.ts";
import { ServiceError } from "#src/engine/conversation/services.ts";
import { placeCall } from "#src/interactions/calls/calls.ts";
import { startChat } from "#src/interactions/chats/chats.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";

const SOONEST_MS = 30_000;
const LATEST_MS = 366 * 86_400_000;

/** Dependencies of the sessions' actions. */
interface SessionActionParts {
  publicUrl: string;
  findMessenger: FindMessenger;
  /** Wakes the dispatcher, the task worker and the event streams. */
  wake: () => void;
}

/**
 * Creates the actions of sessions: text messages and further calls, for the session's own contact, by its own flow,
 * from its own number.
 */
export function createSessionActions(parts: SessionActionParts): SessionActions {
  return {
    sendMessage: (tx, sessionContact, message) => sendMessage(tx, parts, sessionContact, message),
    scheduleCallback: (tx, sessionContact, callback) => scheduleCallback(tx, parts, sessionContact, callback),
    wake: parts.wake,
  };
}

async function sendMessage(
  tx: Executor,
  { findMessenger }: SessionActionParts,
  sessionContact: SessionContact,
  { channel, text }: { channel: "SMS" | "WHATSAPP"; text: string },
): Promise<string> {
  const body = {
    channel,
    contactPhone: sessionContact.contactPhone,
    contactName: sessionContact.contactName,
    contactEmail: sessionContact.contactEmail,
    assistantPhoneNumber: sessionContact.ourNumber,
    initialMessage: text,
    ...flowOf(sessionContact),
  };
  await startChat(tx, findMessenger, sessionContact.workspaceId, body, withContext(sessionContact));
  return `ok: the ${channel} message is on its way`;
}

async function scheduleCallback(
  tx: Executor,
  { publicUrl, wake }: SessionActionParts,
  sessionContact: SessionContact,
  { at, note }: { at: string; note: string },
): Promise<string> {
  const zone = sessionContact.zone.name;
  const atMs = readTime(at, zone);
  if (atMs === null) throw new ServiceError("TIME", "at must be a time such as 2026-03-01T15:00.");
  const waitMs = atMs - nowMs();
  if (waitMs < SOONEST_MS) throw new ServiceError("TIME", `that time is over. It is now ${tellTime(nowMs(), zone)}.`);
  if (waitMs > LATEST_MS) throw new ServiceError("TIME", "that is more than a year away.");
  const body = {
    customerNumber: sessionContact.contactPhone as string,
    fromPhoneNumber: sessionContact.ourNumber,
    contactName: sessionContact.contactName,
    contactEmail: sessionContact.contactEmail,
    timeZone: sessionContact.timeZone,
    // The note, empty or not, shows that the call is a callback.
    rowData: { callbackNote: note },
    contextData:
      sessionContact.contextData === null ? null : (JSON.parse(sessionContact.contextData) as Record<string, unknown>),
    scheduledAt: new Date(atMs).toISOString(),
    ...flowOf(sessionContact),
  };
  const context = { publicUrl, wakeDispatcher: wake };
  await placeCall(tx, context, sessionContact.workspaceId, body, withContext(sessionContact));
  return `ok: they will be called at ${tellTime(atMs, zone)}`;
}

function flowOf({ flowId, inline }: SessionContact) {
  return flowId === null ? { flow: inline ?? {} } : { flowId };
}

/** Keeps the exact text of contextData. */
function withContext({ contextData }: SessionContact): string {
  return contextData === null ? "{}" : `{"contextData":${contextData}}`;
}
