import type { Executor } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import type { TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import type { AskedMessage, MessageChannel, Messenger, SendResult } from "#src/telephony/messaging/messenger.ts";
import type { SimulatedMessage } from "#src/telephony/messaging/sandbox-messenger.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { acceptMessage } from "./accept.ts";
import { noteCarrierStop } from "./carrier-stop.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";
import { foldDelivery } from "./delivery-states.ts";
import { recipientOf, toReason } from "./gate.ts";
import { type DeliveryChange, findMessage, hasEarlierUnsent, moveDelivery } from "./message-store.ts";
import { isWindowClosed } from "./messages.ts";
import type { ChatParts } from "./parts.ts";
import { findBlock, findChat } from "./store.ts";

const DONE: TaskEnd = { kind: "DONE" };
/** Number of sends of a message that is refused for a temporary reason. */
const MAX_SENDS = 5;
/** Time after which a provider that reports nothing more is no longer polled. */
const REPORTS_MS = 86_400_000;
const LONGEST_WAIT_MS = 60_000;
/** Time limit for sending after the intent is stored: much less than a lease, and than any provider's horizon. */
const INTENT_MS = 5_000;
/** First wait before a provider that sends reports is polled; later waits double. */
const FIRST_ASK_MS = 120_000;
const RAREST_ASK_MS = 3_600_000;
const UNCONFIRMED = {
  code: "UNCONFIRMED",
  message: "Nobody can tell whether it was sent; it is not sent again.",
};
const WAITS = { kind: "RETRY", error: "Waits for reports." } as const;

/** One delivery in progress. */
interface Delivery {
  parts: ChatParts;
  messenger: Messenger;
  chat: ChatRow;
  message: ChatMessageRow;
  /** Number of times that this task has run. */
  attempt: number;
  signal: AbortSignal;
}

/**
 * Delivers one message at most once. The intent is committed before it leaves (SENDING). A send that may have left is
 * looked up by message id, and repeated only when the provider never had it. The gate judges every send again.
 * Afterwards the provider is polled until it has nothing more to report.
 */
export function createDeliverHandler(parts: ChatParts): TaskHandler {
  return async ({ workspaceId, subjectId, payload, attempt }, signal) => {
    const { db } = parts.database;
    const message = await findMessage(db, workspaceId, subjectId);
    const chat = await findChat(db, workspaceId, String(payload.sessionId));
    if (!message || !chat) return DONE;
    const messenger = await parts.findMessenger({
      workspaceId,
      isSimulated: chat.simulated,
      channel: chat.channel as MessageChannel,
      phoneNumberId: chat.phone_number_id,
    });
    if (!messenger) return endUncarried({ parts, chat, message });
    const delivery: Delivery = { parts, messenger, chat, message, attempt, signal };
    switch (message.delivery_status) {
      case "QUEUED":
        return sendQueued(delivery);
      case "SENDING":
        return settleSending(delivery);
      case "SENT":
      case "DELIVERED":
        return followUp(delivery);
      default:
        return DONE;
    }
  };
}

/**
 * Ends a delivery whose carrier account is gone. A queued message cannot leave, and nobody can be asked about the
 * others.
 */
async function endUncarried(delivery: Pick<Delivery, "parts" | "chat" | "message">): Promise<TaskEnd> {
  switch (delivery.message.delivery_status) {
    case "QUEUED":
      return fail(delivery, {
        code: "MESSENGER_NOT_CONFIGURED",
        message: `No account of a carrier brings ${delivery.chat.channel} messages from this number.`,
      });
    case "SENDING":
      return fail(delivery, UNCONFIRMED);
    default:
      return DONE;
  }
}

async function sendQueued(delivery: Delivery): Promise<TaskEnd> {
  const { parts, chat, message, attempt } = delivery;
  const { db } = parts.database;
  if (await hasEarlierUnsent(db, chat.workspace_id, message)) return again(attempt, "An earlier message goes first.");
  const error = await findFault(delivery);
  if (error) return fail(delivery, error);
  return send(delivery);
}

/** Returns the reason why this message must not be sent now, even if it was allowed when written. */
async function findFault({ parts, chat, message }: Delivery): Promise<{ code: string; message: string } | null> {
  const blocked = await findBlock(parts.database.db, chat.workspace_id, recipientOf(chat));
  const isAboutOptOut = blocked === "DO_NOT_CALL" || blocked === "OPT_OUT_REVIEW";
  if (blocked && !(isAboutOptOut && message.confirms_opt_out)) return toReason(blocked);
  if (!message.template && isWindowClosed(chat)) {
    return { code: "TEMPLATE_REQUIRED", message: "The person has not written in the last 24 hours." };
  }
  return null;
}

async function send(delivery: Delivery): Promise<TaskEnd> {
  const { parts, messenger, chat, message, signal } = delivery;
  const { db } = parts.database;
  const since = new Elapsed();
  const intent: DeliveryChange = { status: "SENDING", countsAttempt: true };
  if (!(await moveDelivery(db, chat.workspace_id, message, intent))) return again(1, "Somebody else moved it.");
  const { sandboxSpeed } = await getWorkspace(db, chat.workspace_id);
  const sending: ChatMessageRow = {
    ...message,
    delivery_status: "SENDING",
    delivery_attempts: message.delivery_attempts + 1,
  };
  const outgoing: SimulatedMessage = {
    workspaceId: chat.workspace_id,
    messageId: message.id,
    channel: chat.channel as MessageChannel,
    from: chat.assistant_phone_number ?? "",
    to: chat.contact_phone ?? "",
    text: message.content,
    template: message.template,
    opens: message.position === 1,
    attempt: sending.delivery_attempts,
    sandboxSpeed,
    // A process that was paused may be late: another may already have looked the message up and marked it FAILED.
    assertMayLeave: () => {
      if (since.ms > INTENT_MS) throw new Error("The message was to leave too long ago.");
    },
  };
  return takeAnswer({ ...delivery, message: sending }, await messenger.send(outgoing, signal));
}

async function takeAnswer(delivery: Delivery, result: SendResult): Promise<TaskEnd> {
  const { parts, messenger, chat, message } = delivery;
  if (result.kind === "ACCEPTED") return accept(delivery, result.providerMessageId);
  if (result.kind === "UNCERTAIN") return again(1, result.message);
  const { code, retryable } = result;
  if (result.optedOut) return failOptedOut(delivery, { code, message: result.message });
  if (!retryable || message.delivery_attempts >= MAX_SENDS) return fail(delivery, { code, message: result.message });
  await moveDelivery(parts.database.db, chat.workspace_id, message, { status: "QUEUED" });
  return again(message.delivery_attempts + (messenger.isPolled ? 2 : 6), result.message);
}

async function accept(delivery: Delivery, providerMessageId: string): Promise<TaskEnd> {
  const { parts, messenger, chat, message } = delivery;
  const taken = { status: "SENT", providerMessageId, error: null } as const;
  const store = (tx: Executor) => acceptMessage(tx, chat, message, taken);
  const state = await parts.database.db.transaction().execute(store);
  // A report overtook the answer, so the next run reads the state again.
  if (state === null || messenger.isPolled) return again(0, WAITS.error);
  return state === "SENT" ? { ...WAITS, afterMs: FIRST_ASK_MS } : DONE;
}

/** Fails a message that the carrier refused because of its own STOP. The opt-out is stored with the message's end. */
async function failOptedOut(
  { parts, chat, message }: Delivery,
  error: { code: string; message: string },
): Promise<TaskEnd> {
  const { workspace_id: workspaceId, id } = chat;
  const end = async (tx: Executor) => {
    await noteCarrierStop(tx, workspaceId, id);
    await moveDelivery(tx, workspaceId, message, { status: "FAILED", error });
  };
  await parts.database.db.transaction().execute(end);
  return DONE;
}

/** Settles a message whose node died or whose provider's answer was lost: the provider is asked whether it left. */
async function settleSending(delivery: Delivery): Promise<TaskEnd> {
  const { messenger, chat, message, attempt, signal } = delivery;
  const found = await messenger.lookUp(toAsked(chat, message), signal);
  if (found.kind === "FOUND") return accept(delivery, found.providerMessageId);
  if (found.kind === "ABSENT" && messenger.absenceIsProof) {
    const error = await findFault(delivery);
    return error ? fail(delivery, error) : send(delivery);
  }
  const sentMs = message.sent_at?.getTime() ?? 0;
  if (nowMs() - sentMs < messenger.horizonMs) {
    return again(attempt, found.kind === "UNCERTAIN" ? found.message : "The provider does not know it yet.");
  }
  return fail(delivery, UNCONFIRMED);
}

function toAsked(chat: ChatRow, message: ChatMessageRow): AskedMessage {
  return {
    workspaceId: chat.workspace_id,
    messageId: message.id,
    providerMessageId: message.provider_message_id,
    channel: chat.channel as MessageChannel,
    from: chat.assistant_phone_number ?? "",
    to: chat.contact_phone ?? "",
    text: message.content,
    sentAt: message.sent_at,
  };
}

/**
 * Polls a provider that sends reports, ever more rarely, for reports that were lost. A delivered message is not polled;
 * READ comes only by report.
 */
async function followUp(delivery: Delivery): Promise<TaskEnd> {
  const { parts, messenger, chat, message, attempt, signal } = delivery;
  const sinceMs = nowMs() - (message.sent_at?.getTime() ?? 0);
  if (!messenger.isPolled) {
    if (message.delivery_status !== "SENT") return DONE;
    if (sinceMs < FIRST_ASK_MS) return { ...WAITS, afterMs: FIRST_ASK_MS - sinceMs };
  }
  const found = await messenger.lookUp(toAsked(chat, message), signal);
  if (found.kind === "FOUND" && foldDelivery(message.delivery_status, found.status) !== message.delivery_status) {
    await moveDelivery(parts.database.db, chat.workspace_id, message, { status: found.status, error: found.error });
  }
  const isOver = found.kind === "FOUND" && found.isFinal;
  if (isOver || sinceMs > REPORTS_MS) return DONE;
  return messenger.isPolled
    ? again(attempt, WAITS.error)
    : { ...WAITS, afterMs: Math.min(RAREST_ASK_MS, Math.max(FIRST_ASK_MS, sinceMs)) };
}

async function fail(
  { parts, chat, message }: Pick<Delivery, "parts" | "chat" | "message">,
  error: { code: string; message: string },
): Promise<TaskEnd> {
  await moveDelivery(parts.database.db, chat.workspace_id, message, { status: "FAILED", error });
  return DONE;
}

function again(attempt: number, error: string): TaskEnd {
  return { kind: "RETRY", afterMs: Math.min(LONGEST_WAIT_MS, 25 * 2 ** Math.min(attempt, 12)), error };
}
