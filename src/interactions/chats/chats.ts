import { chooseVersion, flowSelection, selectFlow, type SelectedFlow } from "#src/authoring/flows/flows.ts";
import { renderOpening } from "#src/engine/conversation/chat-turn.ts";
import { loadEarlier, noteChat } from "#src/interactions/contacts/contacts.ts";
import { type CallingNumber, selectNumbers } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { rawSlice } from "#src/platform/http/json.ts";
import { anyObject, ContactEmail, E164, nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { now, nowMs } from "#src/platform/kernel/clock.ts";
import { fictionalCode } from "#src/platform/kernel/e164.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import type { FindMessenger, Messenger } from "#src/telephony/messaging/messenger.ts";
import { classifyNumber } from "#src/tenancy/compliance/numbers.ts";
import { getWorkspace, type Workspace } from "#src/tenancy/workspaces/workspaces.ts";
import { announceChat, appendMessages, ensureTurn, IDLE_TASK } from "./chat-log.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";
import { assertCredit, assertSendable, assertWelcome } from "./gate.ts";
import { zoneOfChat } from "./parts.ts";
import { buildPlan, toSessionPlan } from "./plan.ts";
import { CHANNELS } from "./states.ts";
import { findOpenWindow, insertChat } from "./store.ts";

/** Maximum size of contextData as text. */
const MAX_CONTEXT_BYTES = 65_536;
/** Longest text of one message. WhatsApp accepts 4,096 characters. */
export const MAX_TEXT = 4_000;
/** Idle time after which a chat expires, unless its start sets another. */
export const DEFAULT_IDLE_SECONDS = 86_400;
/** Time for which WhatsApp accepts free text after the person last wrote. */
export const WINDOW_MS = 86_400_000;

/** A WhatsApp template, needed outside the 24 hours after the person last wrote. */
export const Template = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 512 }),
    language: Type.String({ pattern: "^[a-z]{2,3}([_-][A-Za-z0-9]{2,8})*$", description: "Such as en or en_US." }),
    variables: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: "object",
        additionalProperties: { type: "string", maxLength: 1_024 },
        maxProperties: 50,
        description: "Values of the template's variables, by name or number.",
      }),
    ),
  },
  { $id: "MessageTemplate" },
);

/** Body of POST /outbound/chats. */
export const StartChat = Type.Object(
  {
    channel: oneOf(CHANNELS, "CHAT: over this API. SMS and WHATSAPP: delivered to contactPhone."),
    ...flowSelection,
    assistantPhoneNumber: Type.Optional(
      nullable({ ...E164, description: "One of the workspace's numbers; its default for SMS and WHATSAPP." }),
    ),
    contactPhone: Type.Optional(nullable({ ...E164, description: "E.164 number. Required for SMS and WHATSAPP." })),
    contactIdentifier: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: 200, description: "Names the person in a CHAT; generated when unset." }),
      ),
    ),
    contactName: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
    contactEmail: Type.Optional(nullable(ContactEmail)),
    contextData: Type.Optional(
      nullable(anyObject("Session memory from the start; comes back byte for byte. At most 64 KiB.")),
    ),
    initialMessage: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: MAX_TEXT,
          pattern: "\\S",
          description: "The opening, as it is. Unset: the flow's firstMessage; without one, the model opens.",
        }),
      ),
    ),
    template: Type.Optional(nullable(Template)),
    idleTimeoutSeconds: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 60,
          maximum: 2_592_000,
          description: "After so long without a message the chat expires. Default 86,400.",
        }),
      ),
    ),
  },
  { $id: "ExternalOutboundChatRequest" },
);
export type StartChat = Static<typeof StartChat>;

/**
 * Starts a chat: session, opening, its delivery, events and webhooks in the caller's transaction. If neither the body
 * nor the flow has an opening, the model writes it in a task, and `messages` is still empty.
 */
export async function startChat(
  tx: Executor,
  findMessenger: FindMessenger,
  workspaceId: string,
  body: StartChat,
  bodyText: string,
): Promise<{ chat: ChatRow; messages: ChatMessageRow[] }> {
  assertBody(body);
  const contextData = readContextText(bodyText, body.contextData);
  const workspace = await getWorkspace(tx, workspaceId);
  const selected = await selectFlow(tx, workspaceId, body as Parameters<typeof selectFlow>[2]);
  const from = await selectSender(tx, workspaceId, body);
  const delivery = await prepareDelivery(tx, findMessenger, workspace, body, from);
  const contactIdentifier = body.contactIdentifier ?? (body.channel === "CHAT" ? `chat_${randomText(20)}` : null);
  const contact = await noteChat(tx, workspaceId, {
    phone: body.contactPhone ?? null,
    identifier: contactIdentifier,
    isAnonymous: !body.contactIdentifier,
    name: body.contactName ?? null,
    email: body.contactEmail ?? null,
  });
  if (body.channel === "CHAT") await assertWelcome(tx, workspaceId, contact);
  const id = uuidv7();
  const chosen = await chooseVersion(tx, workspaceId, selected, id);
  const plan = await buildPlan(tx, workspaceId, chosen.fields, { ...body, contactIdentifier });
  const person = { workspaceId, phone: body.contactPhone ?? null, identifier: contactIdentifier, before: id };
  const [earlier = []] = await loadEarlier(tx, [person], chosen.fields.memory?.earlierSessions ?? 0);
  const timeZone = await zoneOfChat(tx, { workspace_id: workspaceId, contact_phone: person.phone });
  const opening = openingOf(body, { ...toSessionPlan({ id: "", plan, context_data: contextData }), earlier, timeZone });
  // An opening by the model would take the template's place, as free text.
  if (body.template && opening.text === "") {
    const rest = "is required with a template for a flow without firstMessage: it says what the template reads.";
    throw fieldError("initialMessage", "REQUIRED", rest);
  }
  const chat = await insertChat(tx, workspaceId, {
    ...contactColumns(body),
    ...flowColumns(selected),
    flow_version: chosen.version,
    ...delivery,
    id,
    channel: body.channel,
    plan,
    context_data: contextData,
    contact_identifier: contactIdentifier,
    contact_id: contact?.id ?? null,
    phone_number_id: from?.id ?? null,
    assistant_phone_number: from?.number ?? null,
    idle_timeout_seconds: body.idleTimeoutSeconds ?? DEFAULT_IDLE_SECONDS,
    opening_due: opening.text === "",
    error: opening.error,
  });
  return { chat, messages: await open(tx, chat, opening.text, body.template ?? null) };
}

async function open(
  tx: Executor,
  chat: ChatRow,
  text: string,
  template: StartChat["template"] | null,
): Promise<ChatMessageRow[]> {
  const { workspace_id: workspaceId, id, channel } = chat;
  await appendEvents(tx, workspaceId, [{ type: "chat.started", subjectId: id, data: { channel } }]);
  await announceChat(tx, chat, "session.started");
  const dueAt = new Date(nowMs() + chat.idle_timeout_seconds * 1_000);
  await addTask(tx, workspaceId, { kind: IDLE_TASK, subjectId: id, payload: {}, dueAt });
  if (text === "") {
    await ensureTurn(tx, chat);
    return [];
  }
  return appendMessages(tx, chat, [{ role: "ASSISTANT", content: text, template: toTemplate(template) }], 0);
}

/** Returns a template with all its fields. */
export function toTemplate(template: StartChat["template"]) {
  return template ? { name: template.name, language: template.language, variables: template.variables ?? {} } : null;
}

function assertBody(body: StartChat): void {
  if (body.channel !== "CHAT" && !body.contactPhone) {
    throw fieldError("contactPhone", "REQUIRED", `is required for ${body.channel}.`);
  }
  if (body.template && body.channel !== "WHATSAPP") {
    throw fieldError("template", "NOT_ALLOWED", "belongs to a chat of channel WHATSAPP.");
  }
}

/** Returns the exact text of contextData. Parsing and serialising it again would change numbers and key order. */
function readContextText(bodyText: string, parsed: unknown): string | null {
  if (parsed === null || parsed === undefined) return null;
  const text = rawSlice(bodyText, ["contextData"]) ?? null;
  if (text !== null && Buffer.byteLength(text) > MAX_CONTEXT_BYTES) {
    throw fieldError("contextData", "TOO_LARGE", `must be at most ${MAX_CONTEXT_BYTES} bytes of JSON.`);
  }
  return text;
}

async function selectSender(tx: Executor, workspaceId: string, body: StartChat): Promise<CallingNumber | undefined> {
  if (body.channel === "CHAT" && !body.assistantPhoneNumber) return undefined;
  const named = body.assistantPhoneNumber ? [body.assistantPhoneNumber] : [];
  return (await selectNumbers(tx, workspaceId, named, "assistantPhoneNumber"))[0];
}

/** Returns the provider and window of a chat's delivery; 422 when the chat cannot be delivered. */
async function prepareDelivery(
  tx: Executor,
  findMessenger: FindMessenger,
  workspace: Workspace,
  body: StartChat,
  from: CallingNumber | undefined,
): Promise<Pick<ChatRow, "provider" | "simulated" | "window_expires_at">> {
  const isSandbox = workspace.mode === "SANDBOX";
  if (body.channel === "CHAT") {
    if (!isSandbox) await assertCredit(tx, workspace.id);
    return { provider: "API", simulated: isSandbox, window_expires_at: null };
  }
  const number = body.contactPhone as string;
  await assertSendable(tx, workspace.id, { ...classify(number), phoneNumberId: (from as CallingNumber).id });
  const simulated = isSandbox || fictionalCode(number) !== null;
  const { id: phoneNumberId } = from as CallingNumber;
  const route = { workspaceId: workspace.id, isSimulated: simulated, channel: body.channel, phoneNumberId };
  const messenger = await findMessenger(route);
  if (!messenger) {
    throw fieldError("channel", "MESSENGER_NOT_CONFIGURED", `No account for ${body.channel} is configured here.`);
  }
  const sender = (from as CallingNumber).number;
  const until = body.channel === "WHATSAPP" ? await readWindow(tx, workspace.id, messenger, number, sender) : null;
  if (body.channel === "WHATSAPP" && until === null && !body.template) throw templateRequired();
  return { provider: messenger.name, simulated, window_expires_at: until };
}

/**
 * Returns the end of WhatsApp's free-text window, which a message in an earlier chat also opens; null when only
 * templates may be sent.
 */
async function readWindow(
  tx: Executor,
  workspaceId: string,
  { assumesOpenWindow }: Messenger,
  from: string,
  to: string,
): Promise<Date | null> {
  if (assumesOpenWindow) return new Date(nowMs() + WINDOW_MS);
  return findOpenWindow(tx, workspaceId, { from, to });
}

/** Returns the 422 for a person who has not written within WhatsApp's 24 hours. */
export function templateRequired() {
  return fieldError(
    "template",
    "TEMPLATE_REQUIRED",
    "the person has not written in the last 24 hours: send a template.",
  );
}

function classify(number: string): { number: string; country: string; numberClass: string } {
  return { number, ...classifyNumber(number) };
}

function contactColumns(body: StartChat) {
  const phone = body.contactPhone ?? null;
  const known = phone === null ? null : classify(phone);
  return {
    contact_name: body.contactName ?? null,
    contact_email: body.contactEmail ?? null,
    contact_phone: phone,
    number_country: known?.country ?? null,
    number_class: known?.numberClass ?? null,
  };
}

function flowColumns(flow: SelectedFlow) {
  return { flow_id: flow.flowId, flow_api_id: flow.flowApiId, is_inline: flow.inline !== null };
}

function openingOf(body: StartChat, plan: ReturnType<typeof toSessionPlan>) {
  if (body.initialMessage) return { text: body.initialMessage, error: null };
  return renderOpening(plan, now());
}
