import type { FlowFields } from "#src/authoring/flows/flows.ts";
import type { ModelChoice } from "#src/authoring/language-models/open-model.ts";
import type { GrantFields } from "#src/authoring/session-plans/sessions.ts";
import type { FilledOutput, Citation, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { StageState } from "#src/engine/stages/stage-state.ts";
import type { MessageTemplate } from "#src/telephony/messaging/messenger.ts";
import type { OptOutReviewState } from "#src/tenancy/compliance/opt-out-hold.ts";
import type { CostRecord } from "#src/tenancy/usage/cost.ts";
import type { Channel, ChatEndReason, ChatStatus } from "./states.ts";

/** Part of a session's plan that is stored with the chat. Its memory is stored as contextData. */
export type StoredPlan = Pick<SessionPlan, "flow" | "variables" | "outputs"> & {
  model: ModelChoice | null;
  /** Grants of the flow; absent in chats older than this field. */
  flowGrants?: GrantFields;
  /** Hours and texts for a person who asks for a human. */
  humanHandoff?: FlowFields["humanHandoff"];
  /** Flow that took over by a transfer; absent while the flow that began answers. */
  openedFlowId?: string;
};

/** A stored chat. The names are the columns of `chat_sessions`. */
export interface ChatRow {
  workspace_id: string;
  id: string;
  channel: Channel;
  provider: string;
  provider_call_id: string | null;
  simulated: boolean;
  status: ChatStatus;
  mode: "FLOW" | "MANUAL";
  ai_mode: "ACTIVE" | "PAUSED" | "OFF";
  flow_id: string | null;
  flow_api_id: string | null;
  flow_version: number | null;
  is_inline: boolean;
  plan: StoredPlan;
  /** State of the stages after the agent's latest turn; null without stages, and before the first turn. */
  stage_state: StageState | null;
  context_data: string | null;
  contact_name: string | null;
  contact_email: string | null;
  contact_phone: string | null;
  number_country: string | null;
  number_class: string | null;
  contact_identifier: string | null;
  contact_id: string | null;
  phone_number_id: string | null;
  assistant_phone_number: string | null;
  assignee: string | null;
  /** Time at which the agent asked for an operator; null when it did not or one has come. */
  human_requested_at: Date | null;
  idle_timeout_seconds: number;
  message_count: number;
  event_seq: number;
  turn_task_id: string | null;
  opening_due: boolean;
  last_message_at: Date | null;
  window_expires_at: Date | null;
  structured_outputs: Record<string, FilledOutput> | null;
  extracted_fields: Record<string, unknown> | null;
  end_reason: ChatEndReason | null;
  error: { code: string; message: string } | null;
  created_at: Date;
  updated_at: Date;
  ended_at: Date | null;
  finished_at: Date | null;
}

/** A chat with its cost and its newest opt-out review. */
export type ChatRecord = ChatRow & {
  cost: CostRecord;
  opt_out_review: { id: string; state: OptOutReviewState } | null;
};

/** State of a delivery. SENDING means that the intent is committed and something may have left. */
export type DeliveryState = "QUEUED" | "SENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED";

/** A stored message. */
export interface ChatMessageRow {
  id: string;
  session_id: string;
  position: number;
  anchor: number;
  role: "ASSISTANT" | "USER" | "AGENT" | "TOOL";
  content: string;
  tool_call_id: string | null;
  client_message_id: string | null;
  needs_answer: boolean;
  template: MessageTemplate | null;
  confirms_opt_out: boolean;
  /** Part of a tool call that readers may see. */
  disclosure: "FULL" | "NAME_ONLY" | "HIDDEN";
  citations: Citation[] | null;
  delivery_status: DeliveryState | null;
  delivery_attempts: number;
  provider_message_id: string | null;
  sent_at: Date | null;
  error: { code: string; message: string } | null;
  created_at: Date;
}

/** Returns the chat as the subject of ledger entries. */
export function subjectOf({ id, simulated }: ChatRow) {
  return { subjectType: "CHAT", subjectId: id, simulated } as const;
}
