import { assertModels } from "#src/authoring/language-models/language-models.ts";
import {
  createOutput,
  findOutputsById,
  getOutputsById,
  StructuredOutputInput,
} from "#src/authoring/structured-outputs/structured-outputs.ts";
import {
  packTools,
  PortableTool,
  RequiredSecret,
  type Unresolved,
  unpackTools,
} from "#src/authoring/tools/portable-tools.ts";
import { assertTools, type ToolParts } from "#src/authoring/tools/tools.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { type FlowFields, FlowInput } from "./flow-fields.ts";
import { assertAgent, assertStores } from "./flow-rules.ts";
import { createFlow, fillFields, Flow, type FlowWriting, pickFields, readableFields } from "./flows.ts";
import { findStageIds, replaceStageIds } from "./stage-ids.ts";
import type { FlowStage } from "./stages.ts";
import { findFlow, findFlowByApiId } from "./store.ts";
import { findVersion } from "./version-sql.ts";

/** Name and version of the document format that this service writes and reads. */
export const FORMAT = "parley.flow";
const FORMAT_VERSION = 1;

const PortableOutput = Type.Object(
  { id: { ...Uuid, description: "Names it within the document." }, ...StructuredOutputInput.properties },
  { $id: "PortableStructuredOutput" },
);

/** A flow with the tools and outputs that it names, as one file. */
export const FlowDocument = Type.Object(
  {
    format: Type.String({ description: FORMAT }),
    formatVersion: Type.Integer({ description: `${FORMAT_VERSION}.` }),
    exportedAt: Timestamp,
    flow: Type.Object({ apiId: Type.String(), ...readableFields }),
    tools: Type.Array(PortableTool),
    structuredOutputs: Type.Array(PortableOutput),
    requiredSecrets: Type.Array(RequiredSecret, { description: "Headers whose values the file does not hold." }),
  },
  { $id: "FlowDocument" },
);
export type FlowDocument = Static<typeof FlowDocument>;

/** Body of an import: a document as it was exported. */
export const FlowDocumentInput = Type.Object(
  {
    format: Type.String({ maxLength: 100 }),
    formatVersion: Type.Integer(),
    exportedAt: Type.Optional(
      Type.Unsafe<unknown>({ description: "Ignored: a document is taken as it was exported." }),
    ),
    // Checked after the format: a document of another one may have none.
    flow: Type.Optional(FlowInput),
    tools: Type.Optional(Type.Array(PortableTool, { maxItems: 1_000 })),
    structuredOutputs: Type.Optional(Type.Array(PortableOutput, { maxItems: 200 })),
    requiredSecrets: Type.Optional(Type.Array(RequiredSecret, { maxItems: 2_000 })),
  },
  { $id: "FlowDocumentInput" },
);
export type FlowDocumentInput = Static<typeof FlowDocumentInput>;

const Made = Type.Object({ from: Uuid, id: Uuid, name: Type.String() });

/** Result of an import, and what is left to do by hand. */
export const FlowImport = Type.Object(
  {
    flow: Flow,
    tools: Type.Array(Made),
    structuredOutputs: Type.Array(Made),
    requiredSecrets: Type.Array(RequiredSecret, { description: "To be given to the new tools with PUT /tools." }),
    unresolved: Type.Array(Type.Object({ path: Type.String(), value: Type.String() }), {
      description: "What the flow or a tool named and this workspace does not have; they do without it.",
    }),
  },
  { $id: "FlowImport" },
);
export type FlowImport = Static<typeof FlowImport>;

/** Throws when the caller may not read or make tools or outputs, which a document contains beside its flow. */
export type AssertMay = (what: "TOOLS" | "STRUCTURED_OUTPUTS") => void;

/** Returns a flow's published version, or another one, as a document; 404 when there is none. */
export async function exportFlow(
  db: Executor,
  parts: ToolParts,
  workspaceId: string,
  { flowId, version }: { flowId: string; version: number | undefined },
  assertMay: AssertMay,
) {
  const row = await findFlow(db, workspaceId, flowId);
  const found = row && (await findVersion(db, workspaceId, row.id, version ?? row.version));
  if (!row || !found) throw new AppError("NOT_FOUND");
  const { definition } = found;
  const outputs = await findOutputsById(db, workspaceId, definition.structuredOutputIds ?? []);
  const { tools, requiredSecrets } = await packTools(db, parts, workspaceId, definition.toolIds ?? []);
  if (outputs.length > 0) assertMay("STRUCTURED_OUTPUTS");
  if (tools.length > 0) assertMay("TOOLS");
  return {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    exportedAt: new Date().toISOString(),
    flow: { apiId: row.api_id, ...fillFields(definition) },
    tools,
    structuredOutputs: outputs.map(({ id, name, description, schema, condition, fillDuring }) => ({
      id,
      name,
      description,
      schema,
      condition,
      fillDuring,
    })),
    requiredSecrets,
  };
}

/** Makes the flow, tools and outputs of a document. An unknown document format is refused with 422. */
export async function importFlow(
  tx: Executor,
  parts: ToolParts,
  { workspaceId, ...writing }: Partial<FlowWriting> & { workspaceId: string },
  document: FlowDocumentInput,
  assertMay: AssertMay,
): Promise<FlowImport> {
  const { flow: sent, tools = [], structuredOutputs = [], requiredSecrets = [] } = readDocument(document);
  if (structuredOutputs.length > 0) assertMay("STRUCTURED_OUTPUTS");
  if (tools.length > 0) assertMay("TOOLS");
  const outputIds = await unpackOutputs(tx, workspaceId, structuredOutputs);
  const { newIds: toolIds, unresolved: lost } = await unpackTools(tx, parts, workspaceId, tools);
  const { fields, unresolved } = await resolve(tx, workspaceId, pickFields(sent), outputIds, toolIds);
  const isTaken = !sent.apiId || (await findFlowByApiId(tx, workspaceId, sent.apiId)) !== undefined;
  const named = { ...fields, name: fields.name || sent.apiId || "Imported flow" };
  const flow = await createFlow(
    tx,
    workspaceId,
    { ...named, apiId: isTaken ? null : (sent.apiId ?? null) },
    { path: "flow", ...writing },
  );
  const made = (items: { id: string; name?: string | null }[], ids: Map<string, string>) =>
    items.map(({ id, name }) => ({ from: id, id: newIdOf(ids, id) ?? id, name: name ?? "" }));
  return {
    flow,
    tools: made(tools, toolIds),
    structuredOutputs: made(structuredOutputs, outputIds),
    requiredSecrets: requiredSecrets.flatMap((secret) => {
      const toolId = newIdOf(toolIds, secret.toolId);
      return toolId === undefined ? [] : [{ toolId, toolName: secret.toolName, header: secret.header }];
    }),
    unresolved: [...lost, ...unresolved],
  };
}

function readDocument(document: FlowDocumentInput): FlowDocumentInput & { flow: FlowInput } {
  if (document.format !== FORMAT) throw fieldError("format", "UNKNOWN_FORMAT", `is not ${FORMAT}.`);
  if (document.formatVersion !== FORMAT_VERSION) {
    throw fieldError("formatVersion", "UNKNOWN_FORMAT", `is not ${FORMAT_VERSION}, which this server reads.`);
  }
  const { flow } = document;
  if (flow === undefined) throw fieldError("flow", "REQUIRED", "is required.");
  return { ...document, flow };
}

function newIdOf(ids: Map<string, string>, id: string): string | undefined {
  return ids.get(id.toLowerCase());
}

async function unpackOutputs(
  tx: Executor,
  workspaceId: string,
  outputs: Static<typeof PortableOutput>[],
): Promise<Map<string, string>> {
  const newIds = new Map<string, string>();
  for (const [i, { id, ...input }] of outputs.entries()) {
    const path = `structuredOutputs.${i}`;
    if (newIds.has(id.toLowerCase())) throw fieldError(`${path}.id`, "DUPLICATE", "is there twice.");
    newIds.set(id.toLowerCase(), (await createOutput(tx, workspaceId, input, path)).id);
  }
  return newIds;
}

/**
 * Returns the flow with the ids of this workspace. Ids that neither the document nor the workspace has are left out and
 * listed.
 */
async function resolve(
  tx: Executor,
  workspaceId: string,
  sent: Partial<FlowFields>,
  outputIds: Map<string, string>,
  toolIds: Map<string, string>,
): Promise<{ fields: Partial<FlowFields>; unresolved: Unresolved[] }> {
  const unresolved: Unresolved[] = [];
  const one = async (path: string, value: string, check: () => Promise<unknown>) => {
    if (await exists(check)) return value;
    unresolved.push({ path, value });
    return null;
  };
  const many = async (path: string, values: string[], ids: Map<string, string>, check: Check) => {
    const kept: string[] = [];
    for (const [i, value] of values.entries()) {
      const known = newIdOf(ids, value) ?? (await one(`${path}.${i}`, value, () => check(tx, workspaceId, [value])));
      if (known !== null) kept.push(known);
    }
    return kept;
  };
  const none = new Map<string, string>();
  const fields = { ...sent };
  if (sent.toolIds) fields.toolIds = await many("flow.toolIds", sent.toolIds, toolIds, assertTools);
  if (sent.structuredOutputIds) {
    fields.structuredOutputIds = await many(
      "flow.structuredOutputIds",
      sent.structuredOutputIds,
      outputIds,
      getOutputsById,
    );
  }
  if (sent.storeKeys) fields.storeKeys = await many("flow.storeKeys", sent.storeKeys, none, assertStores);
  const { agentId, model } = sent;
  if (agentId) fields.agentId = await one("flow.agentId", agentId, () => assertAgent(tx, workspaceId, agentId));
  if (model) {
    const { modelId, fallbackModelIds } = model;
    fields.model = {
      ...model,
      modelId: modelId
        ? await one("flow.model.modelId", modelId, () => assertModels(tx, workspaceId, [modelId]))
        : null,
      fallbackModelIds: await many("flow.model.fallbackModelIds", fallbackModelIds ?? [], none, assertModels),
    };
  }
  if (sent.stages) fields.stages = await resolveStages(sent.stages, toolIds, many);
  return { fields, unresolved };
}

/** Returns stages with the ids of this workspace; `keep` returns those of an id that this workspace has. */
async function resolveStages(
  stages: FlowStage[],
  toolIds: Map<string, string>,
  keep: (path: string, values: string[], ids: Map<string, string>, check: Check) => Promise<string[]>,
): Promise<FlowStage[]> {
  const named = findStageIds(stages);
  const resolved = async (ids: string[], known: Map<string, string>, check: Check): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for (const id of ids) for (const kept of await keep("flow.stages", [id], known, check)) found.set(id, kept);
    return found;
  };
  const tools = await resolved(named.tools, toolIds, assertTools);
  const models = await resolved(named.models, new Map(), assertModels);
  const flows = await resolved(named.flows, new Map(), assertFlowExists);
  return replaceStageIds(stages, {
    tool: (id) => tools.get(id) ?? null,
    model: (id) => models.get(id) ?? null,
    flow: (id) => flows.get(id) ?? null,
  });
}

async function assertFlowExists(tx: Executor, workspaceId: string, [id = ""]: string[]): Promise<void> {
  if (!(await findFlow(tx, workspaceId, id))) throw missing(`Flow ${id}`);
}

type Check = (tx: Executor, workspaceId: string, names: string[]) => Promise<unknown>;

async function exists(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return false;
    throw error;
  }
}
