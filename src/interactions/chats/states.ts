/** Channels of a chat. CHAT: through the API alone. */
export const CHANNELS = ["CHAT", "SMS", "WHATSAPP"] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * States of a chat. ACTIVE: the agent answers. HANDED_OFF: a human operator does. The others are final: CLOSED by the
 * agent, the person or a request; EXPIRED by silence; FAILED by an error.
 */
export const CHAT_STATUSES = ["ACTIVE", "HANDED_OFF", "CLOSED", "EXPIRED", "FAILED"] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** Reasons for the end of a chat. */
export const CHAT_END_REASONS = [
  "AGENT_ENDED_CHAT",
  "CUSTOMER_OPTED_OUT",
  "CLOSED_BY_REQUEST",
  "LIMIT_IDLE",
  "LIMIT_TURNS",
  "LIMIT_TOOL_CALLS",
  "LIMIT_COST",
  "ERROR_MODEL",
  "ERROR_INTERNAL",
] as const;
export type ChatEndReason = (typeof CHAT_END_REASONS)[number];

/**
 * States of a handoff. NONE: the agent answers. REQUESTED: it does, and a human was asked for outside their hours.
 * WAITING: for an operator. TAKEN_OVER: an operator answers.
 */
export const HANDOFF_STATES = ["NONE", "REQUESTED", "WAITING", "TAKEN_OVER"] as const;
export type HandoffState = (typeof HANDOFF_STATES)[number];

/** Returns the state of a chat's handoff to a human operator. */
export function handoffStateOf(mode: string, requestedAt: unknown): HandoffState {
  const isRequested = requestedAt !== null && requestedAt !== undefined;
  if (mode !== "MANUAL") return isRequested ? "REQUESTED" : "NONE";
  return isRequested ? "WAITING" : "TAKEN_OVER";
}

/** Statuses that a message's delivery may show. */
export const DELIVERY_STATUSES = ["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"] as const;

/** True once a chat accepts no more messages. */
export function hasEnded(status: ChatStatus): boolean {
  return status !== "ACTIVE" && status !== "HANDED_OFF";
}
