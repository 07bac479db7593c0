import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { inlineFlows } from "#src/authoring/session-plans/inline-flows.ts";
import { loadOutputs, toChatVariables, toSpokenFlow } from "#src/authoring/session-plans/session-plan.ts";
import type { ChatEntry } from "#src/engine/conversation/chat-history.ts";
import type { Handoff, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { readExactText } from "#src/platform/http/json.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { localTimeIn } from "#src/platform/kernel/time-zones.ts";
import { isInWindow, nextOpening, readCallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import type { ChatMessageRow, ChatRow, StoredPlan } from "./chat-row.ts";

interface Contact {
  contactPhone?: string | null;
  contactName?: string | null;
  contactEmail?: string | null;
  contactIdentifier: string | null;
}

/** Builds the part of the chosen flow's plan that is stored with the chat. */
export async function buildPlan(
  tx: Executor,
  workspaceId: string,
  published: Partial<FlowFields>,
  contact: Contact,
): Promise<StoredPlan> {
  const fields = await inlineFlows(tx, workspaceId, published);
  return {
    flow: {
      ...toSpokenFlow(fields),
      // Limits of a call. A chat ends by idleTimeoutSeconds.
      maxDurationSeconds: 0,
      silenceTimeoutSeconds: 0,
      voicemail: { action: "HANG_UP", message: "" },
    },
    variables: toChatVariables(fields, {
      phone: contact.contactPhone ?? null,
      name: contact.contactName ?? null,
      email: contact.contactEmail ?? null,
      identifier: contact.contactIdentifier,
    }),
    outputs: await loadOutputs(tx, workspaceId, fields),
    model: fields.model ?? null,
    flowGrants: pickGrants(fields),
    ...(fields.humanHandoff ? { humanHandoff: fields.humanHandoff } : {}),
  };
}

function pickGrants(fields: Partial<FlowFields>) {
  const { toolIds, agentId, storeKeys, transferTargets, limits, memory, language, stages } = fields;
  const picked = { toolIds, agentId, storeKeys, transferTargets, limits, memory, language, stages };
  return Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined));
}

/** Returns what happens when a person asks for a human now. */
export function toHandoff({ humanHandoff }: StoredPlan, atMs: number): Handoff | undefined {
  if (!humanHandoff) return undefined;
  const { hours, waitingMessage, closedMessage } = humanHandoff;
  const rules = hours && readCallingWindow({ ...hours, timeZoneMode: "FIXED" });
  const zones = hours ? [hours.timeZone] : [];
  if (!rules || isInWindow(rules, zones, atMs)) return { isOpen: true, opensAt: null, message: waitingMessage ?? "" };
  const opensMs = nextOpening(rules, zones, atMs);
  const opensAt = opensMs === null ? null : toLocalTime(zones[0] ?? "UTC", opensMs);
  return { isOpen: false, opensAt, message: closedMessage ?? "" };
}

function toLocalTime(zone: string, atMs: number): string {
  const { date, minutes } = localTimeIn(zone, atMs);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Returns the complete plan of a stored chat. */
export function toSessionPlan(
  chat: Pick<ChatRow, "id" | "plan" | "context_data"> & Partial<Pick<ChatRow, "stage_state">>,
): SessionPlan {
  const memory = chat.context_data === null ? {} : (readExactText(chat.context_data) as Record<string, unknown>);
  const handoff = toHandoff(chat.plan, nowMs());
  return {
    sessionId: chat.id,
    channel: "CHAT",
    ...chat.plan,
    memory,
    stageState: chat.stage_state ?? null,
    ...(handoff ? { handoff } : {}),
  };
}

/** Converts stored messages to the engine's form. */
export function toEntries(messages: ChatMessageRow[]): ChatEntry[] {
  return messages.map((message) => ({
    role: message.role,
    content: message.content,
    toolCallId: message.tool_call_id,
    turn: message.anchor,
  }));
}
