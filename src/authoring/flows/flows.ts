import { type Executor, isDuplicate } from "#src/platform/db/database.ts";
import type { BodyWarnings } from "#src/platform/http/body-warnings.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { isUuid, randomText, uuidv7 } from "#src/platform/kernel/id.ts";
import { type Editor, NOBODY } from "./editor.ts";
import { type FlowFields, FlowInput, flowFields, InlineFlow, type NewFlow } from "./flow-fields.ts";
import { assertFlow } from "./flow-rules.ts";
import { missingFlow } from "./missing-flow.ts";
import { findStageSmells } from "./stage-warnings.ts";
import {
  deleteFlow,
  type FlowKey,
  type FlowRow,
  findDefaultFlow,
  findFlow,
  findFlowByApiId,
  findFlowsByKey,
  findVersionFor,
  insertFlow,
  lockFlow,
  publishVersion,
} from "./store.ts";
import { findUnknownVariables, mayLoseVariables } from "./unknown-variables.ts";

export { type FlowFields, FlowInput };

/** Copies of the field schemas without the mark of optional properties: a flow is read with every field. */
export const readableFields = Object.fromEntries(
  Object.entries(flowFields).map(([name, schema]) => [name, { ...schema }]),
);

/** A flow as it is read: every field, null when unset. */
export const Flow = Type.Object(
  {
    id: Uuid,
    apiId: Type.String(),
    ...readableFields,
    userId: nullable(Type.String()),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "Flow" },
);

type FilledFields = Required<{ [Name in keyof FlowFields]: FlowFields[Name] | null }>;

export type FlowRecord = FilledFields & {
  id: string;
  apiId: string;
  userId: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
};

const FIELD_NAMES = Object.keys(flowFields) as (keyof FlowFields)[];

const NO_FIELDS = Object.fromEntries(FIELD_NAMES.map((name) => [name, null])) as FilledFields;

/** Every field of a flow, null where `fields` has none. */
export function fillFields(fields: Partial<FlowFields>): FilledFields {
  const filled: Record<string, unknown> = { ...NO_FIELDS };
  for (const [name, value] of Object.entries(fields)) if (Object.hasOwn(NO_FIELDS, name)) filled[name] = value ?? null;
  return filled as FilledFields;
}

/** The flow as the API shows it. */
export function toFlow(row: FlowRow): FlowRecord {
  return {
    id: row.id,
    apiId: row.api_id,
    ...fillFields(row.definition),
    userId: row.user_id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Keeps the known fields of a body and ignores the rest. */
export function pickFields(body: object): Partial<FlowFields> {
  const picked: Partial<FlowFields> = {};
  for (const name of FIELD_NAMES) {
    if (Object.hasOwn(body, name)) Object.assign(picked, { [name]: (body as FlowFields)[name] });
  }
  return picked;
}

/** Author of a flow's change, the `updatedAt` it is based on, and the warnings about undeclared variables. */
export interface FlowWriting {
  editor: Editor;
  ifUpdatedAt?: string | undefined;
  warnings?: BodyWarnings | undefined;
}

/** Makes a flow in the library. `path` is the place of the flow in the body. */
export async function createFlow(
  tx: Executor,
  workspaceId: string,
  body: NewFlow,
  { path = "", editor = NOBODY, warnings }: Partial<FlowWriting> & { path?: string } = {},
): Promise<FlowRecord> {
  const definition = pickFields(body);
  await assertFlow(tx, workspaceId, definition, { path });
  const unknown = warnings
    ? [...(await findUnknownVariables(tx, workspaceId, definition)), ...findStageSmells(definition)]
    : [];
  warnings?.add(unknown.map((one) => (path === "" ? one : { ...one, path: `/${path}${one.path}` })));
  const apiId = body.apiId ?? `${slug(body.name)}-${randomText(6).toLowerCase()}`;
  const row = await insertFlow(tx, workspaceId, uuidv7(), apiId, definition, editor);
  if (!row) throw takenApiId(apiId);
  return toFlow(row);
}

/** One flow; 404 when there is none. */
export async function getFlow(tx: Executor, workspaceId: string, id: string): Promise<FlowRecord> {
  const row = await findFlow(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toFlow(row);
}

/**
 * Changes a flow by the four update rules of the contract: sent fields replace whole, null clears, the rest stays. The
 * result is published at once and every new session takes it, since a caller without knowledge of drafts and splits
 * must get the effect of the change. A body without any known field makes no version.
 */
export async function changeFlow(
  tx: Executor,
  workspaceId: string,
  id: string,
  body: FlowInput,
  { editor, ifUpdatedAt, warnings }: FlowWriting,
): Promise<FlowRecord> {
  const row = await lockFlow(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  const sent = pickFields(body);
  if (Object.keys(sent).length === 0 && !Object.hasOwn(body, "apiId")) return toFlow(row);
  await assertFlow(tx, workspaceId, sent, { known: row.definition, flowId: row.id });
  const apiId = body.apiId ?? row.api_id;
  if (apiId !== row.api_id && (await findFlowByApiId(tx, workspaceId, apiId))) {
    throw takenApiId(apiId);
  }
  const definition = { ...row.definition, ...sent };
  if (mayLoseVariables(sent)) {
    warnings?.add(await findUnknownVariables(tx, workspaceId, definition, row.definition));
  }
  warnings?.add(findStageSmells(definition, row.definition));
  const next = { apiId, definition, note: null, splits: null, endsDraft: false, editor };
  try {
    return toFlow(await publishVersion(tx, workspaceId, id, next));
  } catch (error) {
    // Another change gave it to its flow since the look above.
    throw isDuplicate(error) ? takenApiId(apiId) : error;
  }
}

function takenApiId(apiId: string): AppError {
  return new AppError("CONFLICT", `apiId ${apiId} is taken by another flow.`);
}

/** Deletes a flow for good; 404 when there is none. */
export async function removeFlow(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteFlow(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
}

/** Key of a flow's version among those of several workspaces. */
export function flowKey({ workspaceId, flowId, version }: FlowKey): string {
  return `${workspaceId}|${flowId}|${version ?? ""}`;
}

/**
 * Returns the definitions of several workspaces' flows, each in the requested version, by `flowKey`. For the
 * dispatcher.
 */
export async function getFlowsByKey(tx: Executor, keys: FlowKey[]): Promise<Map<string, Partial<FlowFields>>> {
  if (keys.length === 0) return new Map();
  const rows = await findFlowsByKey(tx, keys);
  return new Map(
    rows.map((row) => [
      flowKey({ workspaceId: row.workspace_id, flowId: row.flow_id, version: row.version }),
      row.definition,
    ]),
  );
}

function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 60) || "flow"
  );
}

/** The three ways a body may select its flow. */
export const flowSelection = {
  flowApiId: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 200, description: "apiId of a saved flow." })),
  ),
  flowId: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 200, description: "uuid or apiId of a saved flow." })),
  ),
  flow: Type.Optional(nullable(InlineFlow)),
};

export interface SelectedFlow {
  flowId: string | null;
  flowApiId: string | null;
  /** Set for an inline flow, which is not saved to the library. */
  inline: Partial<FlowFields> | null;
}

/**
 * Finds the flow that a body selects: a saved one by id or apiId, an inline one, or the workspace's default. 400 when
 * both kinds are named, 404 when a named one does not exist, 422 when there is no default.
 */
export async function selectFlow(
  tx: Executor,
  workspaceId: string,
  body: { flowId?: string | null; flowApiId?: string | null; flow?: FlowFields | null },
): Promise<SelectedFlow> {
  const names = [body.flowId, body.flowApiId].filter((name): name is string => typeof name === "string");
  if (body.flow && names.length > 0) throw selectionFault();
  if (body.flow) {
    const inline = pickFields(body.flow);
    await assertFlow(tx, workspaceId, inline, { path: "flow" });
    return { flowId: null, flowApiId: null, inline };
  }
  if (names.length === 0) return selectDefault(tx, workspaceId);
  const byApiId = body.flowApiId ? await findFlowByApiId(tx, workspaceId, body.flowApiId) : undefined;
  if (body.flowApiId && !byApiId) throw await missingFlow(tx, workspaceId, body.flowApiId);
  const byId = body.flowId ? await findByEither(tx, workspaceId, body.flowId) : undefined;
  if (body.flowId && !byId) throw await missingFlow(tx, workspaceId, body.flowId);
  if (byApiId && byId && byApiId.id !== byId.id) throw selectionFault();
  const row = (byApiId ?? byId) as FlowRow;
  return { flowId: row.id, flowApiId: row.api_id, inline: null };
}

/**
 * Returns the definition for a session that begins now; of a saved flow, the version drawn by the session's id. Calls
 * draw theirs in the claim of their first dial.
 */
export async function chooseVersion(
  tx: Executor,
  workspaceId: string,
  { flowId, inline }: SelectedFlow,
  sessionId: string,
): Promise<{ version: number | null; fields: Partial<FlowFields> }> {
  if (flowId === null) return { version: null, fields: inline ?? {} };
  const found = await findVersionFor(tx, workspaceId, flowId, sessionId);
  if (!found) throw missing(`Flow ${flowId}`);
  return { version: found.version, fields: found.definition };
}

async function findByEither(tx: Executor, workspaceId: string, name: string): Promise<FlowRow | undefined> {
  const byUuid = isUuid(name) ? await findFlow(tx, workspaceId, name) : undefined;
  return byUuid ?? findFlowByApiId(tx, workspaceId, name);
}

async function selectDefault(tx: Executor, workspaceId: string): Promise<SelectedFlow> {
  const row = await findDefaultFlow(tx, workspaceId);
  if (row) return { flowId: row.id, flowApiId: row.api_id, inline: null };
  throw fieldError("flowId", "NO_DEFAULT_FLOW", "name a flow, or set the workspace's default flow first.");
}

function selectionFault(): AppError {
  const message = "Select the flow in one way: flowId/flowApiId of the same flow, or flow.";
  return new AppError("FLOW_SELECTION", message, [
    { path: "flow", code: "FLOW_SELECTION", message },
    { path: "flowId", code: "FLOW_SELECTION", message },
  ]);
}
