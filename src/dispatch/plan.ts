import type { SessionPlan } from "#src/conversation/plan.ts";
import type { Executor } from "#src/db/database.ts";
import { type FlowFields, flowKey, getFlowsByKey } from "#src/flows/flows.ts";
import type { OpenModel } from "#src/language-models/open-model.ts";
import type { LanguageModel, OutputDefinition } from "#src/models/models.ts";
import { getOutputDefinitions } from "#src/structured-outputs/structured-outputs.ts";
import type { ClaimedRow } from "./claim.ts";

/** A flow ready to be spoken: its fields and the outputs it fills. */
export interface LoadedFlow {
  fields: Partial<FlowFields>;
  /** What the agent speaks through. */
  model: LanguageModel;
  outputs: OutputDefinition[];
}

/**
 * The flows of a batch of claimed rows, by row id, in the version that the claim of the first dial chose: a change of a
 * flow holds for every call that has not begun, and not for the retries of one that has. A row whose flow was deleted
 * has none.
 */
export async function loadFlows(
  db: Executor,
  rows: ClaimedRow[],
  openModel: OpenModel,
): Promise<Map<string, LoadedFlow>> {
  const saved = rows.filter((row) => row.flow_id !== null && row.inline === null);
  const keys = new Map(saved.map((row) => [flowKey(keyOf(row)), keyOf(row)]));
  const flows = await getFlowsByKey(db, [...keys.values()]);
  const loaded = new Map<string, LoadedFlow>();
  const byFlow = new Map<string, LoadedFlow>();
  for (const [key, flow] of flows) byFlow.set(key, await loadFlow(db, key.split("|")[0] as string, flow, openModel));
  for (const row of rows) {
    const flow = row.inline
      ? await loadFlow(db, row.workspace_id, row.inline, openModel)
      : byFlow.get(flowKey(keyOf(row)));
    if (flow) loaded.set(row.id, flow);
  }
  return loaded;
}

function keyOf(row: ClaimedRow) {
  return { workspaceId: row.workspace_id, flowId: row.flow_id as string, version: row.flow_version };
}

async function loadFlow(
  db: Executor,
  workspaceId: string,
  fields: Partial<FlowFields>,
  openModel: OpenModel,
): Promise<LoadedFlow> {
  const inline = (fields.structuredOutputs ?? []).map((output) => ({
    name: output.name,
    description: output.description ?? "",
    schema: output.schema,
  }));
  const ids = fields.structuredOutputIds ?? [];
  const saved = ids.length > 0 ? await getOutputDefinitions(db, workspaceId, ids) : [];
  return { fields, outputs: [...saved, ...inline], model: await openModel(db, workspaceId, fields.model) };
}

/** What the engine needs to know of one call. */
export function toPlan(row: ClaimedRow, flow: LoadedFlow): SessionPlan {
  const { fields } = flow;
  return {
    sessionId: row.session_id,
    channel: "VOICE",
    flow: {
      name: fields.name ?? "",
      masterPrompt: fields.masterPrompt ?? "",
      firstMessage: fields.firstMessage ?? "",
      language: fields.language ?? "en-US",
      maxDurationSeconds: fields.maxDurationSeconds ?? 600,
      silenceTimeoutSeconds: fields.silenceTimeoutSeconds ?? 10,
      voicemail: {
        action: fields.voicemailConfig?.action ?? "HANG_UP",
        message: fields.voicemailConfig?.message ?? fields.firstMessage ?? "",
      },
    },
    variables: toVariables(row, fields),
    memory: row.context_data === null ? {} : (JSON.parse(row.context_data) as Record<string, unknown>),
    outputs: flow.outputs,
  };
}

/** Local variables with their defaults, then the contact, then rowData, which wins. */
function toVariables(row: ClaimedRow, fields: Partial<FlowFields>): Record<string, unknown> {
  const defaults = (fields.localVariables ?? []).map(
    (local) => [local.variableName, local.defaultValue ?? null] as const,
  );
  return {
    ...Object.fromEntries(defaults),
    customerNumber: row.customer_number,
    contactName: row.contact_name ?? "",
    contactEmail: row.contact_email ?? "",
    ...row.row_data,
  };
}
