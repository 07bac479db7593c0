import { applyOutputs, OutputToApply } from "#src/authoring/structured-outputs/apply-outputs.ts";
import { applyTools, ToolToApply } from "#src/authoring/tools/apply-tools.ts";
import type { ToolParts } from "#src/authoring/tools/tools.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { Applied, changedFields } from "#src/platform/http/applied.ts";
import type { BodyWarnings } from "#src/platform/http/body-warnings.ts";
import { assertVersion, ifVersionBody, staleError } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, TimestampInput, Type, Uuid } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { underPath } from "#src/platform/kernel/fault-path.ts";
import type { Editor } from "./editor.ts";
import { ApiId, NewFlow } from "./flow-fields.ts";
import { createFlow, fillFields, pickFields } from "./flows.ts";
import { replaceStageIds } from "./stage-ids.ts";
import { findFlowByApiId, type FlowRow, lockFlow } from "./store.ts";
import { subFlowIdsOf } from "./sub-flows.ts";
import { changeDraft, publishDraft, PublishInput } from "./versions.ts";

/** A flow as a file has it: apiId names it, and fields that are left out are cleared. */
const FlowToApply = Type.Object(
  {
    ...NewFlow.properties,
    apiId: ApiId,
    id: Type.Optional({
      ...Uuid,
      description: "Names it within the body, for stages of other flows; apiId says which flow it is.",
    }),
    ...ifVersionBody,
    ifDraftUpdatedAt: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...TimestampInput,
          description:
            "updatedAt of the draft as the caller read it, null for none: 409 when it is another by now. Unset: any draft.",
        }),
      ),
    ),
  },
  { $id: "FlowToApply" },
);
type FlowToApply = Static<typeof FlowToApply>;

/** Body of an application: definitions as files have them. */
export const FlowsToApply = Type.Object(
  {
    flows: Type.Optional(Type.Array(FlowToApply, { maxItems: 200 })),
    tools: Type.Optional(Type.Array(ToolToApply, { maxItems: 1_000 })),
    structuredOutputs: Type.Optional(Type.Array(OutputToApply, { maxItems: 200 })),
    dryRun: Type.Optional(Type.Boolean({ description: "Answers what would change, and changes nothing." })),
    publish: Type.Optional(
      Type.Boolean({
        description:
          "Publishes what changed; otherwise it becomes the draft of each flow. A new flow is always published.",
      }),
    ),
    note: PublishInput.properties.note,
    acceptUnknownVariables: PublishInput.properties.acceptUnknownVariables,
  },
  { $id: "FlowsToApply" },
);
type FlowsToApply = Static<typeof FlowsToApply>;

const AppliedFlow = Type.Object(
  {
    ...Type.Omit(Applied, ["from", "name"]).properties,
    apiId: Type.String(),
    draftUpdatedAt: nullable(Timestamp),
  },
  { $id: "AppliedFlow" },
);
type AppliedFlow = Static<typeof AppliedFlow>;

/** Result of an application, in the order of the body. */
export const FlowsApplied = Type.Object(
  {
    dryRun: Type.Boolean(),
    flows: Type.Array(AppliedFlow),
    tools: Type.Array(Applied),
    structuredOutputs: Type.Array(Applied),
  },
  { $id: "FlowsApplied" },
);
type FlowsApplied = Static<typeof FlowsApplied>;

/** Transaction and caller of an application. */
export interface ApplyContext {
  workspaceId: string;
  editor: Editor;
  warnings: BodyWarnings;
  /** Throws when the caller may not write these. */
  assertMay(what: "FLOWS" | "TOOLS" | "STRUCTURED_OUTPUTS"): void;
}

/**
 * Makes flows, tools and structured outputs equal to their files, all or none: what is the same already gets no new
 * version. Flows and plans may name tools, outputs and flows of the same body by the ids that these have there. Deletes
 * nothing. A dry run does the same and takes it back.
 */
export async function applyFlows(
  tx: Executor,
  parts: ToolParts,
  body: FlowsToApply,
  context: ApplyContext,
): Promise<FlowsApplied> {
  const { flows = [], tools = [], structuredOutputs = [], dryRun = false } = body;
  if (flows.length > 0) context.assertMay("FLOWS");
  if (tools.length > 0) context.assertMay("TOOLS");
  if (structuredOutputs.length > 0) context.assertMay("STRUCTURED_OUTPUTS");
  if (dryRun) await all(tx, sql`savepoint dry_run`);
  const applied = {
    structuredOutputs: await applyOutputs(tx, context.workspaceId, structuredOutputs),
    tools: await applyTools(tx, parts, context.workspaceId, tools),
  };
  const newIds = new Map([...applied.structuredOutputs, ...applied.tools].map(({ from, id }) => [from, id]));
  const result = { dryRun, flows: await applyEach(tx, flows, newIds, body, context), ...applied };
  if (dryRun) await all(tx, sql`rollback to savepoint dry_run`);
  return result;
}

function withNewIds(flow: FlowToApply, newIds: Map<string, string>): FlowToApply {
  const newId = (id: string) => newIds.get(id.toLowerCase()) ?? id;
  const replace = (ids: string[]) => ids.map(newId);
  const { toolIds, structuredOutputIds, stages } = flow;
  return {
    ...flow,
    ...(toolIds && { toolIds: replace(toolIds) }),
    ...(structuredOutputIds && { structuredOutputIds: replace(structuredOutputIds) }),
    ...(stages && { stages: replaceStageIds(stages, { tool: newId, model: (id) => id, flow: newId }) }),
  };
}

/** A flow of the body, with its place there. */
interface Item {
  flow: FlowToApply;
  path: string;
  apiId: string;
}

async function applyEach(
  tx: Executor,
  flows: FlowToApply[],
  newIds: Map<string, string>,
  body: FlowsToApply,
  context: ApplyContext,
): Promise<AppliedFlow[]> {
  const applied = new Map<string, AppliedFlow>();
  const items = flows.map((flow, i) => ({ flow, path: `flows.${i}`, apiId: flow.apiId }));
  // In the order of their names, so that two callers do not wait for each other.
  const ordered = items.toSorted((a, b) => (a.apiId < b.apiId ? -1 : 1));
  const rows = await lockEach(tx, ordered, newIds, context);
  for (const { flow, path, apiId } of subFlowsFirst(ordered)) {
    const sent = { ...withNewIds(flow, newIds), apiId };
    const one = await underPath(path, () => applyFlow(tx, sent, rows.get(apiId), body, context));
    applied.set(apiId, one);
    if (flow.id) newIds.set(flow.id.toLowerCase(), one.id);
  }
  return items.map(({ apiId }) => applied.get(apiId) as AppliedFlow);
}

/** Locks the flows that are there, notes their ids, and returns them by their names. */
async function lockEach(
  tx: Executor,
  ordered: Item[],
  newIds: Map<string, string>,
  { workspaceId }: ApplyContext,
): Promise<Map<string, FlowRow>> {
  const rows = new Map<string, FlowRow>();
  for (const [i, { flow, path, apiId }] of ordered.entries()) {
    if (ordered[i - 1]?.apiId === apiId) throw fieldError(`${path}.apiId`, "DUPLICATE", "is there twice.");
    const found = await findFlowByApiId(tx, workspaceId, apiId);
    const row = found && (await lockFlow(tx, workspaceId, found.id));
    if (!row) continue;
    rows.set(apiId, row);
    if (flow.id) newIds.set(flow.id.toLowerCase(), row.id);
  }
  return rows;
}

/** Returns the flows so that each comes after those of the body that run in its stages; 422 when one runs in itself. */
function subFlowsFirst(items: Item[]): Item[] {
  const byId = new Map(items.flatMap((item) => (item.flow.id ? [[item.flow.id.toLowerCase(), item] as const] : [])));
  const ordered = new Set<Item>();
  const visit = (item: Item, above: readonly Item[]): void => {
    if (above.includes(item)) throw fieldError(`${item.path}.stages`, "CYCLE", "name a flow that runs in itself.");
    for (const id of subFlowIdsOf(item.flow)) {
      const named = byId.get(id);
      if (named && !ordered.has(named)) visit(named, [...above, item]);
    }
    ordered.add(item);
  };
  for (const item of items) if (!ordered.has(item)) visit(item, []);
  return [...ordered];
}

async function applyFlow(
  tx: Executor,
  sent: FlowToApply,
  row: FlowRow | undefined,
  { publish = false, note, acceptUnknownVariables }: FlowsToApply,
  { workspaceId, editor, warnings }: ApplyContext,
): Promise<AppliedFlow> {
  const { apiId, ifVersion } = sent;
  assertVersion("The flow", row?.version ?? 0, ifVersion);
  const fields = fillFields(pickFields(sent));
  if (!row) {
    const { id, version } = await createFlow(
      tx,
      workspaceId,
      { ...fields, name: sent.name, apiId },
      { editor, warnings },
    );
    return { id, apiId, action: "CREATED", fields: changedFields({}, fields), version, draftUpdatedAt: null };
  }
  assertSameDraft(row, sent.ifDraftUpdatedAt);
  const changed = changedFields(publish ? row.definition : (row.draft ?? row.definition), fields);
  const same = { id: row.id, apiId, fields: changed, version: row.version, draftUpdatedAt: draftTime(row) };
  if (changed.length === 0) return { ...same, action: "UNCHANGED" };
  const { updatedAt } = await changeDraft(tx, workspaceId, row.id, fields, { editor, warnings });
  if (!publish) return { ...same, action: "CHANGED", draftUpdatedAt: updatedAt };
  // The caller's precondition is ifVersion, not the version from which a draft began.
  const publication = { note: note ?? null, acceptUnknownVariables: acceptUnknownVariables ?? null, overwrite: true };
  const { version } = await publishDraft(tx, workspaceId, row.id, publication, { editor, warnings });
  return { ...same, action: "CHANGED", version, draftUpdatedAt: null };
}

function assertSameDraft(row: FlowRow, ifDraftUpdatedAt: string | null | undefined): void {
  if (ifDraftUpdatedAt === undefined) return;
  const read = ifDraftUpdatedAt === null ? null : new Date(ifDraftUpdatedAt).toISOString();
  const now = draftTime(row);
  if (read !== now) throw staleError(now === null ? "The draft is gone." : `The draft was changed at ${now}.`);
}

function draftTime({ draft_updated_at: at }: FlowRow): string | null {
  return at?.toISOString() ?? null;
}
