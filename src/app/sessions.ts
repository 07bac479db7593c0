import type { SessionActs } from "#src/authoring/session-plans/reach.ts";
import type { SessionWho } from "#src/authoring/session-plans/sessions.ts";
import { ServiceError } from "#src/engine/conversation/services.ts";
import { placeCall } from "#src/interactions/calls/calls.ts";
import { startChat } from "#src/interactions/chats/chats.ts";
import type { Database } from "#src/platform/db/database.ts";
import { now, nowMs } from "#src/platform/kernel/clock.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import { instantOf } from "#src/tenancy/compliance/time-zones.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;
const SOONEST_MS = 30_000;
const LATEST_MS = 366 * 86_400_000;

/** What the sessions' acts take of the process. */
interface ActParts {
  database: Database;
  publicUrl: string;
  findMessenger: FindMessenger;
  /** Rings dispatcher and task worker. */
  wake: () => void;
}

/** Text messages and further calls that a session arranges: for its own contact, by its own flow, from its own number. */
export function createSessionActs(parts: ActParts): SessionActs {
  return {
    sendMessage: (who, message) => sendMessage(parts, who, message),
    scheduleCallback: (who, callback) => scheduleCallback(parts, who, callback),
  };
}

async function sendMessage(
  { database, findMessenger, wake }: ActParts,
  who: SessionWho,
  { channel, text }: { channel: "SMS" | "WHATSAPP"; text: string },
): Promise<string> {
  const body = {
    channel,
    contactPhone: who.contactPhone,
    contactName: who.contactName,
    contactEmail: who.contactEmail,
    assistantPhoneNumber: who.ourNumber,
    initialMessage: text,
    ...flowOf(who),
  };
  await database.db
    .transaction()
    .execute((tx) => startChat(tx, findMessenger, who.workspaceId, body, withContext(who)));
  wake();
  return `ok: the ${channel} message is on its way`;
}

async function scheduleCallback(
  { database, publicUrl, wake }: ActParts,
  who: SessionWho,
  { at, note }: { at: string; note: string },
): Promise<string> {
  const { timeZone } = await getWorkspace(database.db, who.workspaceId);
  const zone = who.timeZone ?? timeZone;
  const atMs = LOCAL.test(at) ? instantOf(zone, at) : Date.parse(at);
  if (!Number.isFinite(atMs)) throw new ServiceError("TIME", "at must be a time such as 2026-03-01T15:00.");
  const waitMs = atMs - nowMs();
  if (waitMs < SOONEST_MS) throw new ServiceError("TIME", `that time is over. It is now ${now().toISOString()}.`);
  if (waitMs > LATEST_MS) throw new ServiceError("TIME", "that is more than a year away.");
  const body = {
    customerNumber: who.contactPhone as string,
    fromPhoneNumber: who.ourNumber,
    contactName: who.contactName,
    contactEmail: who.contactEmail,
    timeZone: who.timeZone,
    rowData: note === "" ? null : { callbackNote: note },
    contextData: who.contextData === null ? null : (JSON.parse(who.contextData) as Record<string, unknown>),
    scheduledAt: new Date(atMs).toISOString(),
    ...flowOf(who),
  };
  const context = { publicUrl, wakeDispatcher: wake };
  await database.db.transaction().execute((tx) => placeCall(tx, context, who.workspaceId, body, withContext(who)));
  wake();
  return `ok: they will be called at ${new Date(atMs).toISOString()}`;
}

function flowOf({ flowId, inline }: SessionWho) {
  return flowId === null ? { flow: inline ?? {} } : { flowId };
}

/** The exact text of contextData travels on. */
function withContext({ contextData }: SessionWho): string {
  return contextData === null ? "{}" : `{"contextData":${contextData}}`;
}
