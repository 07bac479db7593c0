import { toInlineOutputs } from "#src/authoring/flows/flow-fields.ts";
import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { getOutputDefinitions } from "#src/authoring/structured-outputs/structured-outputs.ts";
import type { PlannedOutput, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { Executor } from "#src/platform/db/database.ts";

const DEFAULT_DURATION_SECONDS = 600;
const DEFAULT_SILENCE_SECONDS = 10;

/** The session's contact, as its templates may name it. */
export interface PlanContact {
  phone: string | null;
  name: string | null;
  email: string | null;
}

/** Returns all outputs that sessions of the flow fill: saved ones that still exist, then its inline ones. */
export async function loadOutputs(
  db: Executor,
  workspaceId: string,
  fields: Partial<FlowFields>,
): Promise<PlannedOutput[]> {
  const ids = fields.structuredOutputIds ?? [];
  const saved = ids.length > 0 ? await getOutputDefinitions(db, workspaceId, ids) : [];
  return [...saved, ...toInlineOutputs(fields)];
}

/** Returns the longest duration of a call in seconds. */
export function maxDurationOf({ maxDurationSeconds }: Partial<FlowFields>): number {
  return maxDurationSeconds ?? DEFAULT_DURATION_SECONDS;
}

/** Returns a flow's texts and limits, with the defaults for unset fields. */
export function toSpokenFlow(fields: Partial<FlowFields>): SessionPlan["flow"] {
  return {
    name: fields.name ?? "",
    masterPrompt: fields.masterPrompt ?? "",
    firstMessage: fields.firstMessage ?? "",
    language: fields.language ?? "en-US",
    maxDurationSeconds: maxDurationOf(fields),
    silenceTimeoutSeconds: fields.silenceTimeoutSeconds ?? DEFAULT_SILENCE_SECONDS,
    voicemail: {
      action: fields.voicemailConfig?.action ?? "HANG_UP",
      message: fields.voicemailConfig?.message ?? fields.firstMessage ?? "",
    },
  };
}

/**
 * Returns local variables with their defaults, then the contact under the names that calls use, then rowData, which
 * wins.
 */
export function toCallVariables(
  fields: Partial<FlowFields>,
  contact: PlanContact,
  rowData: Record<string, unknown> | null,
): Record<string, unknown> {
  return {
    ...defaultsOf(fields),
    customerNumber: contact.phone ?? "",
    contactName: contact.name ?? "",
    contactEmail: contact.email ?? "",
    ...rowData,
  };
}

/** Returns local variables with their defaults, then the contact, also under the names that calls use. */
export function toChatVariables(
  fields: Partial<FlowFields>,
  contact: PlanContact & { identifier: string | null },
): Record<string, unknown> {
  return {
    ...defaultsOf(fields),
    customerNumber: contact.phone ?? "",
    contactPhone: contact.phone ?? "",
    contactName: contact.name ?? "",
    contactEmail: contact.email ?? "",
    contactIdentifier: contact.identifier ?? "",
  };
}

function defaultsOf({ localVariables }: Partial<FlowFields>): Record<string, unknown> {
  return Object.fromEntries((localVariables ?? []).map((local) => [local.variableName, local.defaultValue ?? null]));
}
