import type { FlowDefinition } from "./flow-types.ts";
import type { OptOutReviewRef } from "./opt-out-review-types.ts";
import type { FilledOutput, JsonObject } from "./output-types.ts";
import type { Citation, Cost, FailureReason } from "./types.ts";

/** A template that WhatsApp has approved, for a person who has not written within a day. */
export interface MessageTemplate {
  name: string;
  /** Such as en or en_US. */
  language: string;
  /** By name or number. */
  variables?: Record<string, string>;
}

/** A chat to start. Flow selection as for calls. */
export interface CreateChat {
  channel: "CHAT" | "SMS" | "WHATSAPP";
  flowId?: string | null;
  flowApiId?: string | null;
  flow?: FlowDefinition | null;
  assistantPhoneNumber?: string | null;
  contactPhone?: string | null;
  contactIdentifier?: string | null;
  contactName?: string | null;
  contactEmail?: string | null;
  contextData?: JsonObject | null;
  /** Opening message, sent unchanged; absent: the flow's first message. */
  initialMessage?: string | null;
  /** For WHATSAPP, where free text may not open a chat. */
  template?: MessageTemplate | null;
  idleTimeoutSeconds?: number | null;
}

/** An action that a chat's state permits. `write`: a message into it. */
export type ChatAction = "takeOver" | "handBack" | "write" | "close";

/** A chat session. */
export interface ChatSession {
  id: string;
  channel: "CHAT" | "SMS" | "WHATSAPP";
  /** API for CHAT; otherwise the provider that carries the messages. */
  provider: string;
  /** The provider's id of the opening message, once it has one. */
  providerCallId: string | null;
  status: "ACTIVE" | "HANDED_OFF" | "CLOSED" | "EXPIRED" | "FAILED";
  /** Actions that are accepted now; the others answer 409. */
  actions: ChatAction[];
  /** MANUAL: a person has taken the chat over. */
  mode: "FLOW" | "MANUAL";
  /** State of the agent: ACTIVE answers, PAUSED does not, OFF once the chat is over. */
  aiMode: "ACTIVE" | "PAUSED" | "OFF";
  flowId: string | null;
  flowApiId: string | null;
  /** Null for an inline flow. */
  flowVersion: number | null;
  inlineFlow: boolean;
  assistantPhoneNumber: string | null;
  contactName: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
  contactIdentifier: string | null;
  contextData: JsonObject | null;
  /** WAITING: the person asked for a human, and no operator has come yet. */
  handoff: { state: "NONE" | "WAITING" | "TAKEN_OVER"; requestedAt: string | null; assignee: string | null };
  messageCount: number;
  lastMessageAt: string | null;
  /** WhatsApp: end of the time in which free text may be sent. */
  windowExpiresAt: string | null;
  /** Seconds without a message after which the chat is EXPIRED. */
  idleTimeoutSeconds: number;
  endReason: string | null;
  error: FailureReason | null;
  cost: Cost;
  /** The person may have asked for no more contact. */
  optOutReview: OptOutReviewRef | null;
  createdAt: string;
  updatedAt: string;
  endedAt: string | null;
  /** Null until the chat has ended and its outputs are filled. */
  structuredOutputs: Record<string, FilledOutput> | null;
  extractedFields: JsonObject | null;
}

/** Filters of the list of chats. */
export interface ChatFilters {
  /** Chats a page, at most 200. */
  size?: number;
  status?: ChatSession["status"][];
  channel?: ChatSession["channel"][];
  /** E.164. */
  contactPhone?: string;
  /** WAITING: the person asked for a human, and no operator has come yet. */
  handoff?: ChatSession["handoff"]["state"];
}

/** One message of a chat. */
export interface ChatMessage {
  id: string;
  role: "ASSISTANT" | "USER" | "AGENT" | "TOOL";
  content: string;
  toolCallId: string | null;
  /** Passages of the knowledge base behind an answer. */
  citations: Citation[];
  /** The sender's own id of the message. */
  clientMessageId: string | null;
  /** Null where nothing is sent: in a CHAT, and for the person's own messages. */
  deliveryStatus: "QUEUED" | "SENT" | "DELIVERED" | "READ" | "FAILED" | null;
  /** Reason for the FAILED delivery. */
  errorCode: string | null;
  createdAt: string;
}

/** A session with messages: the opening, or one message and the replies to it. */
export interface Chat {
  session: ChatSession;
  messages: ChatMessage[];
}
