import { hasApplication } from "#src/authoring/applications/applications.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { assertVersion } from "#src/platform/http/precondition.ts";
import { nullable, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type SecretBox, SecretBoxError } from "#src/platform/kernel/secret-box.ts";
import type { AiOrigin } from "./ai-origin.ts";
import { maskBody, restoreBody } from "./api-body.ts";
import { maskHeaders, restoreHeaders } from "./api-headers.ts";
import { assertConnection } from "./connection-rules.ts";
import { openFields, type SealedFields, sealFields } from "./sealed-fields.ts";
import { isElsewhere } from "./secret-target.ts";
import {
  type ClearBody,
  deleteTool,
  findTool,
  findToolIds,
  findTools,
  insertTool,
  listTools,
  lockClearBodies,
  lockTool,
  rewriteTool,
  type ToolRow,
  updateTool,
} from "./store.ts";
import { SYSTEM_TOOLS, SYSTEM_TOOLS_SINCE, type SystemTool } from "./system-tools.ts";
import { fillToolFields, pickToolFields, type ToolFields, toolFields } from "./tool-fields.ts";
import { assertTool } from "./tool-rules.ts";

/** Copies of the field schemas without the mark of optional properties: a tool is read with every field. */
const readable = Object.fromEntries(Object.entries(toolFields).map(([name, schema]) => [name, { ...schema }]));

/** A tool as it is read: every field, null when unset. */
export const ToolDefinition = Type.Object(
  {
    id: Uuid,
    ...readable,
    name: Type.String(),
    description: Type.String(),
    isSystem: Type.Boolean(),
    userId: nullable({ ...Uuid, description: "Who made it in the dashboard; null for the API." }),
    version: Type.Integer({ description: "Grows with every change." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    createdByAi: Type.Boolean(),
    creatorAgentId: nullable(Uuid),
    creatorFlowId: nullable(Uuid),
  },
  { $id: "ToolDefinition" },
);

export interface ToolRecord extends Required<ToolFields> {
  id: string;
  isSystem: boolean;
  userId: string | null;
  version: number;
  createdAt: string;
  updatedAt: string;
  createdByAi: boolean;
  creatorAgentId: string | null;
  creatorFlowId: string | null;
}

/** Dependencies of the rules of tools besides the database. */
export interface ToolParts {
  guard: OutboundGuard;
  box: SecretBox;
}

/** A workspace's own tools, oldest first, and the system tools. */
export async function getTools(db: Executor, { box }: ToolParts, workspaceId: string): Promise<ToolRecord[]> {
  const rows = await listTools(db, workspaceId);
  return [...rows.map((row) => toTool(box, workspaceId, row)), ...SYSTEM_TOOLS.map(toSystemRecord)];
}

/** One tool, also a system tool; 404 when there is none. */
export async function getTool(db: Executor, { box }: ToolParts, workspaceId: string, id: string): Promise<ToolRecord> {
  const system = findSystemTool(id);
  if (system) return toSystemRecord(system);
  const row = await findTool(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toTool(box, workspaceId, row);
}

/** Makes a tool; 422 with the path of each fault when it breaks a rule. */
export async function createTool(
  tx: Executor,
  { guard, box }: ToolParts,
  workspaceId: string,
  body: ToolFields,
  origin: AiOrigin | null,
): Promise<ToolRecord> {
  const fields = pickToolFields(body);
  assertTool(guard, fields);
  const id = uuidv7();
  await assertPlanTools(tx, workspaceId, id, fields, []);
  await assertApplication(tx, workspaceId, fields.applicationId, null);
  await assertConnection(tx, workspaceId, fields, null);
  const stored = sealFields(box, workspaceId, id, fields);
  return toTool(box, workspaceId, await insertTool(tx, workspaceId, id, { ...stored, origin }));
}

/** A change of a tool. `ifVersion`: applies only while the tool has this version. */
export interface ToolChange {
  body: ToolFields;
  origin: AiOrigin | null;
  ifVersion?: number | null;
}

/**
 * Merges the sent fields into a tool; the rules apply to the merged tool. When its requests would go elsewhere, the
 * stored secrets stay masked, which the rules refuse: whoever changes the tool may be unable to read them.
 */
export async function changeTool(
  tx: Executor,
  { guard, box }: ToolParts,
  workspaceId: string,
  id: string,
  { body, origin, ifVersion = null }: ToolChange,
): Promise<ToolRecord> {
  refuseSystemTool(id, "changed");
  const row = await lockTool(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertVersion("The tool", row.version, ifVersion);
  const sent = pickToolFields(body);
  const opened = openFields(box, workspaceId, row);
  const stored = isElsewhere(row.definition, { ...row.definition, ...sent }) ? maskFields(opened) : opened;
  if (sent.apiHeaders) sent.apiHeaders = restoreHeaders(sent.apiHeaders, stored.apiHeaders ?? {});
  if (sent.apiBody) sent.apiBody = restoreBody(sent.apiBody, stored.apiBody ?? {});
  const merged = { ...row.definition, ...stored, ...sent };
  assertTool(guard, merged);
  await assertPlanTools(tx, workspaceId, row.id, sent, toolIdsOf(row.definition));
  await assertApplication(tx, workspaceId, sent.applicationId, row.definition.applicationId);
  await assertConnection(tx, workspaceId, merged, row.definition);
  const changed = sealFields(box, workspaceId, row.id, merged);
  return toTool(box, workspaceId, await updateTool(tx, workspaceId, row.id, { ...changed, origin }));
}

/** Returns the id of the oldest tool of a name that was made from a tool pack's; undefined when there is none. */
export async function findPackTool(
  tx: Executor,
  workspaceId: string,
  name: string,
  sourceKey: string,
): Promise<string | undefined> {
  const named = (await listTools(tx, workspaceId)).filter(({ definition }) => definition.name === name);
  return named.find(({ definition }) => definition.sourceBuiltinToolKey === sourceKey)?.id;
}

/** Deletes a tool for good; 404 when there is none. */
export async function removeTool(db: Executor, workspaceId: string, id: string): Promise<void> {
  refuseSystemTool(id, "deleted");
  if (!(await deleteTool(db, workspaceId, id))) throw new AppError("NOT_FOUND");
}

/** Tools sealed in one transaction, and transactions in one run. */
const BITE = 100;
const MOST_BITES = 20;

/**
 * Seals the bodies that an earlier version stored in clear. Each run does a bounded part. A tool whose sealed fields
 * cannot be opened holds up no other; its fault is thrown at the end.
 */
export async function sealClearBodies({ db }: Database, box: SecretBox, signal?: AbortSignal): Promise<void> {
  const faults: SecretBoxError[] = [];
  let after: ClearBody | undefined;
  for (let bites = 0; bites < MOST_BITES && !signal?.aborted; bites++) {
    const rows: ClearBody[] = await db.transaction().execute(async (tx) => {
      const locked = await lockClearBodies(tx, BITE, after);
      for (const row of locked) await sealOne(tx, box, row, faults);
      return locked;
    });
    after = rows.at(-1);
    if (rows.length < BITE) break;
  }
  if (faults[0]) throw faults[0];
}

async function sealOne(tx: Executor, box: SecretBox, row: ClearBody, faults: SecretBoxError[]): Promise<void> {
  try {
    const fields = { ...row.definition, ...openFields(box, row.workspace_id, row) };
    await rewriteTool(tx, row.workspace_id, row.id, sealFields(box, row.workspace_id, row.id, fields));
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    faults.push(error);
  }
}

/** Answers 404 when one of these is neither a tool of the workspace nor a system tool. */
export async function assertTools(db: Executor, workspaceId: string, ids: string[]): Promise<void> {
  const wanted = ids.map((id) => id.toLowerCase()).filter((id) => !findSystemTool(id));
  if (wanted.length === 0) return;
  const found = await findToolIds(db, workspaceId, wanted);
  const lost = wanted.find((id) => !found.has(id));
  if (lost !== undefined) throw missing(`Tool ${lost}`);
}

/** Returns the session variables to which these tools save their return values. */
export async function findSavedVariables(db: Executor, workspaceId: string, ids: string[]): Promise<string[]> {
  const wanted = ids.filter((id) => !findSystemTool(id));
  const tools = wanted.length === 0 ? [] : await findTools(db, workspaceId, wanted);
  return tools.flatMap(({ definition }) => definition.returnValue?.saveToVariable ?? []);
}

function findSystemTool(id: string): SystemTool | undefined {
  return SYSTEM_TOOLS.find((tool) => tool.id === id.toLowerCase());
}

function refuseSystemTool(id: string, what: string): void {
  const system = findSystemTool(id);
  if (system) throw new AppError("FORBIDDEN", `${system.name} is a system tool and cannot be ${what}.`);
}

/** Returns the ids of the tools that a tool's plan calls, in lower case. */
export function toolIdsOf({ executionPlan }: ToolFields): string[] {
  return (executionPlan ?? []).flatMap(({ toolId }) => (toolId ? [toolId.toLowerCase()] : []));
}

/**
 * Checks that the tools a plan calls exist and are not the tool itself. Those that it named before are not checked:
 * they may have been deleted, and a tool can always be sent back as it was read.
 */
async function assertPlanTools(
  tx: Executor,
  workspaceId: string,
  id: string,
  sent: ToolFields,
  known: string[],
): Promise<void> {
  const wanted = toolIdsOf(sent).filter((toolId) => !known.includes(toolId));
  if (wanted.includes(id)) throw fieldError("executionPlan", "SELF", "a tool cannot call itself.");
  await assertTools(tx, workspaceId, wanted);
}

/** Checks that a newly named application exists; the one that the tool named before may have been deleted. */
export async function assertApplication(
  tx: Executor,
  workspaceId: string,
  sent: string | null | undefined,
  known: string | null | undefined,
): Promise<void> {
  if (!sent || sent.toLowerCase() === known?.toLowerCase()) return;
  if (!(await hasApplication(tx, workspaceId, sent))) throw missing(`Application ${sent}`);
}

function maskFields({ apiHeaders, apiBody }: SealedFields): SealedFields {
  return { apiHeaders: apiHeaders && maskHeaders(apiHeaders), apiBody: apiBody && maskBody(apiBody) };
}

function toTool(box: SecretBox, workspaceId: string, row: ToolRow): ToolRecord {
  return {
    id: row.id,
    ...fillToolFields({ ...row.definition, ...maskFields(openFields(box, workspaceId, row)) }),
    isSystem: false,
    userId: row.user_id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    createdByAi: row.created_by_ai,
    creatorAgentId: row.creator_agent_id,
    creatorFlowId: row.creator_flow_id,
  };
}

function toSystemRecord({ id, name, description, parameters }: SystemTool): ToolRecord {
  return {
    id,
    ...fillToolFields({ name, description, parameters, toolType: "SYSTEM", sourceBuiltinToolKey: name }),
    isSystem: true,
    userId: null,
    version: 1,
    createdAt: SYSTEM_TOOLS_SINCE,
    updatedAt: SYSTEM_TOOLS_SINCE,
    createdByAi: false,
    creatorAgentId: null,
    creatorFlowId: null,
  };
}
