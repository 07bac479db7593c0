import { type FlowImport, importFlow } from "#src/authoring/flows/flow-document.ts";
import { type FlowFields, getFlow, selectFlow } from "#src/authoring/flows/flows.ts";
import { getDraft, getVersion } from "#src/authoring/flows/versions.ts";
import { inlineFlows } from "#src/authoring/session-plans/inline-flows.ts";
import {
  loadOutputs,
  toCallVariables,
  toChatVariables,
  toSpokenFlow,
} from "#src/authoring/session-plans/session-plan.ts";
import { type GrantParts, loadFlowGrants } from "#src/authoring/session-plans/sessions.ts";
import type { ToolParts } from "#src/authoring/tools/tools.ts";
import type { PlannedOutput, SessionGrants, SessionLimits } from "#src/engine/conversation/plan.ts";
import { type Executor, sql } from "#src/platform/db/database.ts";
import { AppError, missing } from "#src/platform/kernel/errors.ts";
import { getBilling } from "#src/tenancy/usage/balance.ts";
import type { UsageKind } from "#src/tenancy/usage/prices.ts";
import { type FlowSource, moveFaults } from "./flow-source.ts";
import type { FlowReference, PlanInput, PreparedFlow } from "./prepared-flow.ts";

/** The most flows that transfers may lead to, because each is read too. */
const MAX_FLOWS = 20;
const SAVEPOINT = sql`savepoint simulated_document`;
const ROLLBACK = sql`rollback to savepoint simulated_document`;

/** Dependencies of preparing flows. */
export type PrepareParts = ToolParts & Pick<GrantParts, "log">;

/** Content of one flow as plain data. It is stored with the run, so that a restarted run is the same run. */
export interface FlowSnapshot {
  ref: FlowReference;
  fields: Partial<FlowFields>;
  outputs: PlannedOutput[];
  grants: Record<"VOICE" | "CHAT", SessionGrants>;
  limits: Partial<SessionLimits>;
}

/** Snapshots of a suite's flow and of the flows that its transfers lead to, by the name used in the transfers. */
export interface FlowSnapshots {
  flow: FlowSnapshot;
  others: Record<string, FlowSnapshot>;
  prices: Record<UsageKind, string>;
  currency: string;
  warnings: string[];
}

/**
 * Reads everything that simulations of a flow need. Throws a 404 when there is no such flow, and a 422 when the content
 * sent is not usable; `path` is its place in the body.
 */
export async function snapshotFlow(
  tx: Executor,
  parts: PrepareParts,
  workspaceId: string,
  source: FlowSource,
  path: string,
): Promise<FlowSnapshots> {
  const { prices, currency } = await getBilling(tx, workspaceId);
  if (source.kind !== "DOCUMENT") {
    const { ref, fields } = await findSource(tx, workspaceId, source);
    const flow = await snapshot(tx, parts, workspaceId, ref, fields);
    return { flow, others: await snapshotOthers(tx, parts, workspaceId, flow), prices, currency, warnings: [] };
  }
  // Imported by the usual rules, then rolled back.
  await SAVEPOINT.execute(tx);
  const made = await importFlow(tx, parts, { workspaceId }, source.document, () => undefined).catch(
    (error: unknown) => {
      throw moveFaults(error, `${path}.document`);
    },
  );
  const fields = made.flow as Partial<FlowFields>;
  const ref = { id: null, apiId: source.document.flow?.apiId ?? null, name: fields.name ?? "", version: null };
  const flow = await snapshot(tx, parts, workspaceId, ref, fields);
  const others = await snapshotOthers(tx, parts, workspaceId, flow);
  await ROLLBACK.execute(tx);
  return { flow, others, prices, currency, warnings: toWarnings(made) };
}

function toWarnings({ unresolved }: FlowImport): string[] {
  return unresolved.map(({ path, value }) => `${path} names ${value}, which this workspace does not have; left out.`);
}

type SavedSource = Exclude<FlowSource, { kind: "DOCUMENT" }>;

async function findSource(
  tx: Executor,
  workspaceId: string,
  source: SavedSource,
): Promise<{ ref: FlowReference; fields: Partial<FlowFields> }> {
  if (source.kind === "INLINE") {
    const { inline } = await selectFlow(tx, workspaceId, { flow: source.fields });
    const fields = inline ?? {};
    return { ref: { id: null, apiId: null, name: fields.name ?? "Inline flow", version: null }, fields };
  }
  const { flowId } = await selectFlow(tx, workspaceId, { flowId: source.flow });
  const flow = await getFlow(tx, workspaceId, flowId as string);
  const fields = await fieldsOf(tx, workspaceId, flow, source);
  const version = source.kind === "DRAFT" ? null : (source.version ?? flow.version);
  return { ref: { id: flow.id, apiId: flow.apiId, name: flow.name ?? "", version }, fields };
}

async function fieldsOf(
  tx: Executor,
  workspaceId: string,
  flow: { id: string },
  source: Exclude<SavedSource, { kind: "INLINE" }>,
): Promise<Partial<FlowFields>> {
  if (source.kind === "DRAFT") {
    const draft = getDraft(tx, workspaceId, flow.id);
    return (await orMissing(draft, `A draft of flow ${source.flow}`)) as Partial<FlowFields>;
  }
  if (source.version === null) return flow as Partial<FlowFields>;
  const found = getVersion(tx, workspaceId, flow.id, source.version);
  return (await orMissing(found, `Version ${source.version} of flow ${source.flow}`)) as Partial<FlowFields>;
}

async function orMissing<T>(found: Promise<T>, what: string): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") throw missing(what);
    throw error;
  }
}

async function snapshot(
  tx: Executor,
  { box, log }: PrepareParts,
  workspaceId: string,
  ref: FlowReference,
  stored: Partial<FlowFields>,
): Promise<FlowSnapshot> {
  const fields = await inlineFlows(tx, workspaceId, stored);
  // No MCP server is asked: the parameters of its tools are those in their definitions.
  const parts: GrantParts = { box, log, mcp: { inputSchema: async () => null } };
  const flowId = ref.id;
  const voice = await loadFlowGrants(tx, parts, workspaceId, { flowId, channel: "VOICE" }, fields);
  const chat = await loadFlowGrants(tx, parts, workspaceId, { flowId, channel: "CHAT" }, fields);
  return {
    ref,
    fields,
    outputs: await loadOutputs(tx, workspaceId, fields),
    grants: { VOICE: voice.grants, CHAT: chat.grants },
    limits: voice.limits,
  };
}

/**
 * Returns the flows that transfers lead to, and those that their transfers lead to. Flows that do not exist are
 * skipped.
 */
async function snapshotOthers(
  tx: Executor,
  parts: PrepareParts,
  workspaceId: string,
  flow: FlowSnapshot,
): Promise<Record<string, FlowSnapshot>> {
  const others: Record<string, FlowSnapshot> = {};
  const queue = destinationsOf(flow);
  for (const name of queue) {
    if (Object.hasOwn(others, name) || Object.keys(others).length >= MAX_FLOWS) continue;
    const found = await findSource(tx, workspaceId, { kind: "SAVED", flow: name, version: null }).catch(
      passOverMissing,
    );
    if (!found) continue;
    const other = await snapshot(tx, parts, workspaceId, found.ref, found.fields);
    others[name] = other;
    queue.push(...destinationsOf(other));
  }
  return others;
}

function destinationsOf({ grants }: FlowSnapshot): string[] {
  const orders = grants.VOICE.transferTargets.map(({ order }) => order);
  return orders.filter((order) => order.destinationType === "FLOW").map(({ destination }) => destination);
}

function passOverMissing(error: unknown): undefined {
  if (error instanceof AppError && error.code === "NOT_FOUND") return undefined;
  throw error;
}

/** Returns the flow in the form that the suite runner takes. */
export function toPreparedFlow(
  snapshots: FlowSnapshots,
  models: Pick<PreparedFlow, "model" | "modelOf">,
): PreparedFlow {
  const { others, prices, currency } = snapshots;
  const prepare = (flow: FlowSnapshot): PreparedFlow => ({
    ref: flow.ref,
    toPlan: (input) => toPlan(flow, input),
    ...models,
    prices,
    currency,
    findFlow: (name) => (Object.hasOwn(others, name) ? prepare(others[name] as FlowSnapshot) : undefined),
  });
  return prepare(snapshots.flow);
}

function toPlan(flow: FlowSnapshot, { sessionId, contact, variables, contextData, channel }: PlanInput) {
  const { fields, outputs, limits, grants } = flow;
  const identifier = contact.email ?? contact.phone;
  const known =
    channel === "VOICE"
      ? toCallVariables(fields, contact, variables)
      : { ...toChatVariables(fields, { ...contact, identifier }), ...variables };
  return {
    sessionId,
    channel,
    // A simulated chat has the same limits as a call.
    flow: toSpokenFlow(fields),
    variables: known,
    memory: contextData,
    outputs,
    grants: grants[channel],
    limits,
    earlier: [],
  };
}
