import { isDeepStrictEqual } from "node:util";
import { assertModels } from "#src/authoring/language-models/language-models.ts";
import { assertCondition, assertSchema, getOutputsById } from "#src/authoring/structured-outputs/structured-outputs.ts";
import { assertTools } from "#src/authoring/tools/tools.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { fieldError, missing } from "#src/platform/kernel/errors.ts";
import { readCallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import type { FlowFields } from "./flow-fields.ts";
import { assertStages } from "./stage-rules.ts";
import { findStoreKeys, hasAgent } from "./store.ts";
import { assertSubFlows } from "./sub-flows.ts";

/** Path of the fields in the body, and the flow's definition before they were sent. */
export interface FlowRulesContext {
  path?: string;
  known?: Partial<FlowFields>;
  /** Id of the flow, which may not run in itself; null for one that has none yet. */
  flowId?: string | null;
}

/** Fields whose change can break a flow's stages. */
const BEHIND_STAGES = [
  "stages",
  "toolIds",
  "structuredOutputIds",
  "structuredOutputs",
  "transferTargets",
] as const satisfies readonly (keyof FlowFields)[];

/**
 * Checks that everything a flow names exists (404) and that what it contains is usable (422 with the path). Ids that it
 * named before are not checked: some may have been deleted, and a flow can always be sent back as it was read.
 */
export async function assertFlow(
  tx: Executor,
  workspaceId: string,
  fields: Partial<FlowFields>,
  { path = "", known = {}, flowId = null }: FlowRulesContext = {},
): Promise<void> {
  assertInlineOutputs(fields, path);
  const { hours } = fields.humanHandoff ?? {};
  if (hours)
    readCallingWindow({ ...hours, timeZoneMode: "FIXED" }, [path, "humanHandoff.hours"].filter(Boolean).join("."));
  const outputs = added(fields.structuredOutputIds, known.structuredOutputIds);
  if (outputs.length > 0) await getOutputsById(tx, workspaceId, outputs);
  await assertModels(tx, workspaceId, added(modelsOf(fields), modelsOf(known)));
  await assertTools(tx, workspaceId, added(fields.toolIds, known.toolIds));
  await assertAgent(tx, workspaceId, added([fields.agentId ?? ""], [known.agentId ?? ""])[0]);
  const stores = new Set(known.storeKeys);
  await assertStores(tx, workspaceId, fields.storeKeys?.filter((key) => !stores.has(key)) ?? []);
  const whole = { ...known, ...fields };
  if (BEHIND_STAGES.every((name) => isDeepStrictEqual(whole[name] ?? null, known[name] ?? null))) return;
  await assertStages(tx, workspaceId, whole, { path, before: known });
  await assertSubFlows(tx, workspaceId, flowId, whole, { path, before: known });
}

/** Returns the ids that were not there before, ignoring case. */
function added(sent: string[] | null | undefined, known: string[] | null | undefined): string[] {
  const before = new Set((known ?? []).map((id) => id.toLowerCase()));
  return (sent ?? []).filter((id) => id !== "" && !before.has(id.toLowerCase()));
}

function modelsOf({ model }: Partial<FlowFields>): string[] {
  return [...(model?.modelId ? [model.modelId] : []), ...(model?.fallbackModelIds ?? [])];
}

function assertInlineOutputs(fields: Partial<FlowFields>, path: string): void {
  const at = (name: string) => [path, name].filter(Boolean).join(".");
  const outputs = fields.structuredOutputs ?? [];
  for (const [i, { schema, condition }] of outputs.entries()) {
    assertSchema(schema, at(`structuredOutputs.${i}.schema`));
    assertCondition(condition, at(`structuredOutputs.${i}.condition`));
  }
  if (new Set(outputs.map((output) => output.name)).size < outputs.length) {
    throw fieldError(at("structuredOutputs"), "DUPLICATE", "names two outputs the same.");
  }
}

/** Answers 404 when the workspace does not have the named agent. */
export async function assertAgent(tx: Executor, workspaceId: string, agentId: string | undefined): Promise<void> {
  if (agentId !== undefined && !(await hasAgent(tx, workspaceId, agentId))) throw missing(`Agent ${agentId}`);
}

/** Answers 404 when one of these keys names no data store of the workspace. */
export async function assertStores(tx: Executor, workspaceId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const found = await findStoreKeys(tx, workspaceId, keys);
  const lost = keys.find((key) => !found.has(key));
  if (lost !== undefined) throw missing(`Data store ${lost}`);
}
