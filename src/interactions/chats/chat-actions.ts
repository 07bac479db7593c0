import { AppError } from "#src/platform/kernel/errors.ts";
import type { ChatRow } from "./chat-row.ts";
import { type ChatStatus, handoffStateOf, hasEnded, type HandoffState } from "./states.ts";

/** Actions on a chat, each a request of the API. */
export const CHAT_ACTIONS = ["takeOver", "handBack", "write", "close"] as const;
export type ChatAction = (typeof CHAT_ACTIONS)[number];

/** State that decides about actions: the status, or the handoff's state while the chat is HANDED_OFF. */
type ActionState = Exclude<ChatStatus, "HANDED_OFF"> | Exclude<HandoffState, "NONE" | "REQUESTED">;

/** Actions that each state permits. The replies and the checks of the requests both read this table. */
const ACTIONS: Record<ActionState, readonly ChatAction[]> = {
  ACTIVE: ["takeOver", "write", "close"],
  WAITING: ["takeOver", "handBack", "write", "close"],
  TAKEN_OVER: ["handBack", "write", "close"],
  CLOSED: [],
  EXPIRED: [],
  FAILED: [],
};

/** States in which a repeat of an action is answered like the first request. */
const DONE_IN: Record<ChatAction, readonly ActionState[]> = {
  takeOver: ["TAKEN_OVER"],
  handBack: ["ACTIVE"],
  write: [],
  close: ["CLOSED", "EXPIRED", "FAILED"],
};

/** Columns of a chat that decide about actions. */
type ActedChat = Pick<ChatRow, "status" | "mode" | "human_requested_at" | "flow_id" | "is_inline">;

/** Returns the actions that a chat permits. Without a flow there is no agent to hand it back to. */
export function chatActions(chat: ActedChat): ChatAction[] {
  return ACTIONS[stateOf(chat)].filter((action) => action !== "handBack" || hasAgent(chat));
}

/** True when the action was already done, so that a repeat is accepted. */
export function isDoneOnChat(chat: ActedChat, action: ChatAction): boolean {
  return DONE_IN[action].includes(stateOf(chat));
}

/** Throws the 409 for an action that a chat does not permit. A repeat of what was done passes. */
export function assertPermits(chat: ActedChat, action: ChatAction): void {
  if (chatActions(chat).includes(action) || isDoneOnChat(chat, action)) return;
  throw new AppError(
    "CONFLICT",
    hasEnded(chat.status)
      ? `The chat is over; its currentState is ${chat.status}.`
      : "The chat has no flow, so no agent can go on with it.",
  );
}

function stateOf({ status, mode, human_requested_at: requestedAt }: ActedChat): ActionState {
  if (status !== "HANDED_OFF") return status;
  return handoffStateOf(mode, requestedAt) === "WAITING" ? "WAITING" : "TAKEN_OVER";
}

function hasAgent({ flow_id: flowId, is_inline: isInline }: ActedChat): boolean {
  return flowId !== null || isInline;
}
