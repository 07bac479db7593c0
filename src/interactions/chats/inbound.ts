import { chooseVersion } from "#src/authoring/flows/flows.ts";
import { selectInboundFlow } from "#src/authoring/flows/inbound-flow.ts";
import { noteChat } from "#src/interactions/contacts/contacts.ts";
import { findInboundNumber } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { fictionalCode, isE164 } from "#src/platform/kernel/e164.ts";
import { AppError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import type { InboundMessage } from "#src/telephony/messaging/messenger.ts";
import { classifyNumber, toDialable } from "#src/tenancy/compliance/numbers.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { announceChat, IDLE_TASK } from "./chat-log.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";
import { DEFAULT_IDLE_SECONDS, WINDOW_MS } from "./chats.ts";
import { recipientOf } from "./gate.ts";
import { findByProviderId } from "./message-store.ts";
import { takeFromPerson } from "./messages.ts";
import { buildPlan } from "./plan.ts";
import { findBlock, findOpenChat, insertChat, lockConversation, setMode } from "./store.ts";

/** Content of a message without text: a picture, a recording, a location. */
const NO_TEXT = "[no text]";

type InboundNumber = NonNullable<Awaited<ReturnType<typeof findInboundNumber>>>;

/**
 * Stores a message that a person sent to one of the workspace's numbers, in the caller's transaction, once by its
 * provider's id. It goes into the open chat of the two numbers, or into a new one with the number's inbound flow or the
 * default flow; the sender's number is the one that is dialled today. Without a flow, or when the ledger or an open
 * opt-out review forbids an answer, it is kept for a human operator. 404 for a number that is not the workspace's.
 */
export async function receiveInbound(
  tx: Executor,
  workspaceId: string,
  message: InboundMessage,
): Promise<ChatMessageRow> {
  const inbound = { ...message, from: toDialable(message.from) };
  const { channel, from, to, providerMessageId } = inbound;
  const number = await findInboundNumber(tx, workspaceId, to);
  if (!number) throw missing(`Phone number ${to}`);
  // Two messages at the same time must not open two chats.
  await lockConversation(tx, workspaceId, { channel, from, to });
  const earlier = await findByProviderId(tx, workspaceId, providerMessageId);
  if (earlier) return earlier;
  const chat =
    (await findOpenChat(tx, workspaceId, { channel, from, to })) ?? (await openChat(tx, workspaceId, inbound, number));
  const blocked = await findBlock(tx, workspaceId, recipientOf(chat));
  const isAnswered = blocked !== "DO_NOT_CALL" && blocked !== "OPT_OUT_REVIEW";
  return takeFromPerson(tx, chat, { content: inbound.text }, { providerMessageId, isAnswered });
}

/** Dependencies of the carriers' webhooks for storing a message. */
interface MailParts {
  database: Pick<Database, "db">;
  log: Log;
}

/**
 * Stores a message that a carrier delivered. When this resolves, it is stored and may be acknowledged. Null for a
 * message that belongs to no chat: its number is not the workspace's, or its sender is a name or short code that cannot
 * be answered.
 */
export async function takeMessageIn(
  { database, log }: MailParts,
  workspaceId: string,
  message: InboundMessage,
): Promise<ChatMessageRow | null> {
  const { from, to, channel } = message;
  const text = message.text.trim() === "" ? NO_TEXT : message.text;
  try {
    if (!isE164(from)) throw new AppError("NOT_FOUND", "Its sender is no telephone number.");
    const take = (tx: Executor) => receiveInbound(tx, workspaceId, { ...message, text });
    return await database.db.transaction().execute(take);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    log.warn("A message was left aside.", { workspaceId, channel, why: error.message, pii: { to } });
    return null;
  }
}

async function openChat(
  tx: Executor,
  workspaceId: string,
  { channel, provider, from, to }: InboundMessage,
  number: InboundNumber,
): Promise<ChatRow> {
  const workspace = await getWorkspace(tx, workspaceId);
  const flow = await selectInboundFlow(tx, workspaceId, number.inboundFlowId);
  const contact = { contactPhone: from, contactIdentifier: null };
  const id = uuidv7();
  const chosen = flow ? await chooseVersion(tx, workspaceId, flow, id) : { fields: {}, version: null };
  const sessionContact = { phone: from, identifier: null, isAnonymous: true, name: null, email: null };
  const person = await noteChat(tx, workspaceId, sessionContact);
  const plan = await buildPlan(tx, workspaceId, chosen.fields, contact);
  const { country, numberClass } = classifyNumber(from);
  const chat = await insertChat(tx, workspaceId, {
    id,
    channel,
    provider,
    simulated: workspace.mode === "SANDBOX" || fictionalCode(from) !== null,
    flow_id: flow?.flowId ?? null,
    flow_api_id: flow?.flowApiId ?? null,
    flow_version: chosen.version,
    is_inline: false,
    plan,
    context_data: null,
    contact_name: null,
    contact_email: null,
    contact_phone: from,
    number_country: country,
    number_class: numberClass,
    contact_identifier: null,
    contact_id: person?.id ?? null,
    phone_number_id: number.id,
    assistant_phone_number: to,
    idle_timeout_seconds: DEFAULT_IDLE_SECONDS,
    opening_due: false,
    error: null,
    window_expires_at: channel === "WHATSAPP" ? new Date(nowMs() + WINDOW_MS) : null,
  });
  await appendEvents(tx, workspaceId, [{ type: "chat.started", subjectId: chat.id, data: { channel, inbound: true } }]);
  await announceChat(tx, chat, "session.started");
  const dueAt = new Date(nowMs() + chat.idle_timeout_seconds * 1_000);
  await addTask(tx, workspaceId, { kind: IDLE_TASK, subjectId: chat.id, payload: {}, dueAt });
  if (flow) return chat;
  await setMode(tx, workspaceId, chat.id, "MANUAL", null);
  return { ...chat, mode: "MANUAL", status: "HANDED_OFF", ai_mode: "PAUSED" };
}
