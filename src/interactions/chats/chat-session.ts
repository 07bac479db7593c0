import { Citation } from "#src/authoring/session-plans/citation.ts";
import { FilledOutputs } from "#src/authoring/session-plans/filled-outputs.ts";
import { StagePath } from "#src/authoring/session-plans/stage-path.ts";
import { maskCall } from "#src/engine/conversation/transcribed-line.ts";
import { RawJson } from "#src/platform/http/json.ts";
import {
  anyObject,
  anyValue,
  nullable,
  oneOf,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from "#src/platform/http/schemas.ts";
import { optOutReviewField } from "#src/tenancy/compliance/opt-out-hold.ts";
import { Cost, toCost } from "#src/tenancy/usage/cost.ts";
import { CHAT_ACTIONS, chatActions } from "./chat-actions.ts";
import type { ChatMessageRow, ChatRecord } from "./chat-row.ts";
import { shownStatus } from "./delivery-states.ts";
import {
  CHANNELS,
  CHAT_END_REASONS,
  CHAT_STATUSES,
  DELIVERY_STATUSES,
  HANDOFF_STATES,
  handoffStateOf,
} from "./states.ts";

const Fault = Type.Object({ code: Type.String(), message: Type.String() });

/** A chat session as the API returns it. */
export const ChatSession = Type.Object(
  {
    id: Uuid,
    providerCallId: nullable(
      Type.String({ description: "The provider's id of the opening message, once it has one." }),
    ),
    provider: Type.String({ description: "API for CHAT; otherwise who carries the messages." }),
    status: oneOf(CHAT_STATUSES),
    actions: Type.Array(oneOf(CHAT_ACTIONS), {
      description:
        "Actions that the chat's state permits; the request of any other one answers 409. write: POST of a message. (extension)",
    }),
    mode: oneOf(["FLOW", "MANUAL"], "MANUAL: a human operator has taken over."),
    aiMode: oneOf(["ACTIVE", "PAUSED", "OFF"], "Whether the agent answers; OFF once the chat is over."),
    flowId: nullable(Uuid),
    flowApiId: nullable(Type.String()),
    flowVersion: nullable(Type.Integer({ description: "Version of the flow that it took; null for an inline one." })),
    inlineFlow: Type.Boolean(),
    channel: oneOf(CHANNELS),
    assistantPhoneNumber: nullable(Type.String()),
    contactName: nullable(Type.String()),
    contactEmail: nullable(Type.String()),
    contactPhone: nullable(Type.String()),
    contactIdentifier: nullable(Type.String()),
    contextData: anyValue("As sent, byte for byte; null when none was."),
    handoff: Type.Object({
      state: oneOf(
        HANDOFF_STATES,
        "WAITING: the person asked for a human, and no operator has come yet. It stays when nobody ever does. REQUESTED: outside the flow's hours, so the agent answers meanwhile.",
      ),
      requestedAt: nullable(
        Type.String({ format: "date-time", description: "Since when a chat is WAITING or REQUESTED." }),
      ),
      assignee: nullable(Type.String({ description: "Who took over, as the request named them." })),
    }),
    messageCount: Type.Integer(),
    lastMessageAt: nullable(Timestamp),
    windowExpiresAt: nullable(
      Type.String({ format: "date-time", description: "WhatsApp: free text may be sent until then." }),
    ),
    idleTimeoutSeconds: Type.Integer({ description: "After so long without a message the chat EXPIRES." }),
    stagePath: StagePath,
    structuredOutputs: nullable(
      Type.Unsafe<Static<typeof FilledOutputs>>({
        ...FilledOutputs,
        description: "By name. Null until the chat has ended and they are filled.",
      }),
    ),
    extractedFields: nullable(anyObject("Values of all valid outputs, merged.")),
    endReason: nullable(oneOf(CHAT_END_REASONS)),
    error: nullable(Fault),
    cost: Cost,
    optOutReview: optOutReviewField,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    endedAt: nullable(Timestamp),
  },
  { $id: "ChatSession" },
);
export type ChatSession = Static<typeof ChatSession>;

const delivery = {
  deliveryStatus: nullable(
    oneOf(DELIVERY_STATUSES, "Null where nothing is sent: in a CHAT, and for the person's own messages."),
  ),
  errorCode: nullable(Type.String({ description: "Why the delivery FAILED." })),
};

/** A chat session in a list. */
export const ListedChat = Type.Object(
  {
    ...ChatSession.properties,
    lastMessage: nullable(
      Type.Object(
        {
          role: oneOf(["ASSISTANT", "USER", "AGENT"]),
          content: Type.String({ description: "Its first 200 characters." }),
          ...delivery,
        },
        { description: "The newest message but those of tools." },
      ),
    ),
  },
  { $id: "ListedChatSession" },
);

/** One message of a chat. */
export const ChatMessage = Type.Object(
  {
    id: Uuid,
    role: oneOf(
      ["ASSISTANT", "USER", "AGENT", "TOOL"],
      "AGENT: a human operator. TOOL: what a tool was asked and answered.",
    ),
    content: Type.String(),
    toolCallId: nullable(Type.String()),
    citations: Type.Array(Citation, { description: "Passages of the knowledge base behind an answer." }),
    clientMessageId: nullable(Type.String({ description: "As the sender named it." })),
    ...delivery,
    createdAt: Timestamp,
  },
  { $id: "ChatMessage" },
);
export type ChatMessage = Static<typeof ChatMessage>;

/** Reply to starting a chat and to posting a message. */
export const ChatReply = Type.Object({ session: ChatSession, messages: Type.Array(ChatMessage) }, { $id: "ChatReply" });

/** Converts the session to its API form. `contextData` is a RawJson that the reply writes out untouched. */
export function toSession(record: ChatRecord) {
  return {
    id: record.id,
    providerCallId: record.provider_call_id,
    provider: record.provider,
    status: record.status,
    actions: chatActions(record),
    mode: record.mode,
    aiMode: record.ai_mode,
    flowId: record.flow_id,
    flowApiId: record.flow_api_id,
    flowVersion: record.flow_version,
    inlineFlow: record.is_inline,
    channel: record.channel,
    assistantPhoneNumber: record.assistant_phone_number,
    contactName: record.contact_name,
    contactEmail: record.contact_email,
    contactPhone: record.contact_phone,
    contactIdentifier: record.contact_identifier,
    contextData: record.context_data === null ? null : new RawJson(record.context_data),
    handoff: {
      state: handoffStateOf(record.mode, record.human_requested_at),
      requestedAt: record.human_requested_at?.toISOString() ?? null,
      assignee: record.assignee,
    },
    messageCount: record.message_count,
    lastMessageAt: record.last_message_at?.toISOString() ?? null,
    windowExpiresAt: record.window_expires_at?.toISOString() ?? null,
    idleTimeoutSeconds: record.idle_timeout_seconds,
    stagePath: record.stage_state?.path ?? [],
    structuredOutputs: record.structured_outputs,
    extractedFields: record.extracted_fields,
    endReason: record.end_reason,
    error: record.error,
    cost: toCost(record.cost),
    optOutReview: record.opt_out_review,
    createdAt: record.created_at.toISOString(),
    updatedAt: record.updated_at.toISOString(),
    endedAt: record.ended_at?.toISOString() ?? null,
  };
}

function maskContent(content: string): string {
  const { name, result } = JSON.parse(content) as { name: string; result: string };
  return JSON.stringify(maskCall(name, result));
}

/** Converts how far a message got to its API form. */
export function toDelivery(row: Pick<ChatMessageRow, "delivery_status" | "error">) {
  return { deliveryStatus: shownStatus(row.delivery_status), errorCode: row.error?.code ?? null };
}

/** Converts the message to its API form. */
export function toMessage(row: ChatMessageRow): ChatMessage {
  return {
    id: row.id,
    role: row.role,
    content: row.disclosure === "NAME_ONLY" ? maskContent(row.content) : row.content,
    toolCallId: row.tool_call_id,
    citations: row.citations ?? [],
    clientMessageId: row.client_message_id,
    ...toDelivery(row),
    createdAt: row.created_at.toISOString(),
  };
}
