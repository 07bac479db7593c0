import { type FlowFields, flowKey, getFlow, getFlowsByKey, selectFlow } from "#src/authoring/flows/flows.ts";
import type { OpenModel } from "#src/authoring/language-models/open-model.ts";
import { openGrantedPorts, type SessionPortParts } from "#src/authoring/session-plans/granted-ports.ts";
import { inlineFlows } from "#src/authoring/session-plans/inline-flows.ts";
import {
  loadOutputs,
  type PlanContact,
  toCallVariables,
  toSpokenFlow,
} from "#src/authoring/session-plans/session-plan.ts";
import { type FlowGrants, loadFlowGrants, type SessionContact } from "#src/authoring/session-plans/sessions.ts";
import { openStageModels } from "#src/authoring/session-plans/stage-models.ts";
import type { EarlierConversation, PlannedOutput, SessionOutcome, SessionPlan } from "#src/engine/conversation/plan.ts";
import type { GrantedPorts } from "#src/engine/conversation/ports.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { phoneOf, WEB } from "#src/interactions/calls/new-row.ts";
import type { FillPayload } from "#src/interactions/calls/output-fill.ts";
import { loadEarlier, noteCalls } from "#src/interactions/contacts/contacts.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { readExactText } from "#src/platform/http/json.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { findPersonZones, type PersonZone, type ZonedPerson } from "#src/tenancy/compliance/person-zones.ts";
import { type ClaimedRow, isSimulated } from "./claim.ts";

/** A loaded flow: its fields and the outputs it fills. */
export interface LoadedFlow {
  fields: Partial<FlowFields>;
  /** Language model of the agent. */
  model: LanguageModel;
  outputs: PlannedOutput[];
  /** Grants of its sessions. */
  flowGrants: FlowGrants;
  /** Returns the model of a stage that has its own. */
  modelOf: (modelId: string) => LanguageModel | undefined;
  /** Earlier conversations with the person of this call, newest first. */
  earlier: EarlierConversation[];
  /** Zone of the clock of this call's person. */
  zone: PersonZone;
}

/** A loaded flow before it is known whom it speaks to. */
type FlowOfAnyone = Omit<LoadedFlow, "earlier" | "zone">;

/** Dependencies for loading flows. */
export interface PlanParts {
  openModel: OpenModel;
  sessionPortParts: SessionPortParts;
}

/**
 * Loads the flows of a batch of claimed rows, by row id, in the version that the claim of the first dial chose. A
 * change of a flow applies to every call that has not begun, but not to retries. A row whose flow was deleted gets
 * none.
 */
export async function loadFlows(db: Executor, rows: ClaimedRow[], parts: PlanParts): Promise<Map<string, LoadedFlow>> {
  const saved = rows.filter((row) => row.flow_id !== null && row.inline === null);
  const keys = new Map(saved.map((row) => [flowKey(keyOf(row)), keyOf(row)]));
  const flows = await getFlowsByKey(db, [...keys.values()]);
  const loaded = new Map<string, LoadedFlow>();
  const byFlow = new Map<string, FlowOfAnyone>();
  for (const [key, flow] of flows) {
    const [workspaceId, flowId] = key.split("|") as [string, string];
    byFlow.set(key, await loadFlow(db, workspaceId, flowId, flow, parts));
  }
  const zones = await findPersonZones(db, rows.map(toZoned));
  for (const [i, row] of rows.entries()) {
    const flow = row.inline
      ? await loadFlow(db, row.workspace_id, null, row.inline, parts)
      : byFlow.get(flowKey(keyOf(row)));
    if (flow) loaded.set(row.id, { ...flow, earlier: [], zone: zones[i] as PersonZone });
  }
  await rememberEarlier(db, rows, loaded);
  return loaded;
}

/** Loads earlier conversations for the calls whose flows ask for them; one query for the batch. */
async function rememberEarlier(db: Executor, rows: ClaimedRow[], loaded: Map<string, LoadedFlow>): Promise<void> {
  const asking = rows.flatMap((row) => {
    const flow = loaded.get(row.id);
    return flow && flow.flowGrants.earlierSessions > 0 && row.attempt_id !== null ? [{ row, flow }] : [];
  });
  if (asking.length === 0) return;
  const limit = Math.max(...asking.map(({ flow }) => flow.flowGrants.earlierSessions));
  const found = await loadEarlier(
    db,
    asking.map(({ row }) => keyOfPerson(row)),
    limit,
  );
  for (const [i, { row, flow }] of asking.entries()) {
    loaded.set(row.id, { ...flow, earlier: (found[i] ?? []).slice(0, flow.flowGrants.earlierSessions) });
  }
}

function keyOfPerson(row: ClaimedRow) {
  return {
    workspaceId: row.workspace_id,
    phone: phoneOf(row.customer_number),
    identifier: null,
    before: row.session_id,
  };
}

/** Stores contacts for the people being dialled. */
export function noteContacts(db: Executor, rows: ClaimedRow[]): Promise<void> {
  const people = rows.flatMap((row) => {
    const phone = row.attempt_id === null ? null : phoneOf(row.customer_number);
    if (phone === null) return [];
    return [{ workspaceId: row.workspace_id, phone, name: row.contact_name, email: row.contact_email }];
  });
  return noteCalls(db, people);
}

function toZoned(row: ClaimedRow): ZonedPerson {
  return { workspaceId: row.workspace_id, timeZone: row.time_zone, phone: phoneOf(row.customer_number) };
}

function keyOf(row: ClaimedRow) {
  return { workspaceId: row.workspace_id, flowId: row.flow_id as string, version: row.flow_version };
}

async function loadFlow(
  db: Executor,
  workspaceId: string,
  flowId: string | null,
  stored: Partial<FlowFields>,
  parts: PlanParts,
): Promise<FlowOfAnyone> {
  const fields = await inlineFlows(db, workspaceId, stored);
  return {
    fields,
    outputs: await loadOutputs(db, workspaceId, fields),
    model: await parts.openModel(db, workspaceId, fields.model),
    modelOf: await openStageModels(parts.openModel, db, workspaceId, fields),
    flowGrants: await loadFlowGrants(
      db,
      parts.sessionPortParts.toolRuns,
      workspaceId,
      { flowId, channel: "VOICE" },
      fields,
    ),
  };
}

/** Builds the engine's plan of one call. */
export function toPlan(row: ClaimedRow, flow: LoadedFlow): SessionPlan {
  const { fields } = flow;
  return {
    sessionId: row.session_id,
    channel: "VOICE",
    flow: toSpokenFlow(fields),
    variables: toCallVariables(fields, contactOf(row), row.row_data),
    memory: row.context_data === null ? {} : (readExactText(row.context_data) as Record<string, unknown>),
    outputs: flow.outputs,
    grants: flow.flowGrants.grants,
    limits: flow.flowGrants.limits,
    earlier: flow.earlier,
    timeZone: flow.zone,
  };
}

/** Returns the payload for the task that fills the outputs left by an unavailable model; null when none is pending. */
export function toFillPayload(
  row: ClaimedRow,
  { fields, zone }: LoadedFlow,
  { pendingOutputs }: SessionOutcome,
): FillPayload | null {
  if (pendingOutputs.length === 0) return null;
  const outputs = pendingOutputs.map(({ name, description, schema }) => ({ name, description, schema }));
  const { language } = toSpokenFlow(fields);
  const clock = { endedAt: now().toISOString(), zone };
  const maxHistoryTokens = fields.limits?.maxHistoryTokens ?? undefined;
  return { outputs, language, clock, maxHistoryTokens, model: fields.model ?? null, simulated: isSimulated(row) };
}

/** Opens another flow of the workspace for a call to continue with; rejects when there is none. */
export async function openNamedFlow(
  db: Executor,
  parts: PlanParts,
  row: ClaimedRow,
  name: string,
): Promise<{ plan: SessionPlan; ports: GrantedPorts }> {
  const { flowId } = await selectFlow(db, row.workspace_id, { flowId: name });
  const fields = await getFlow(db, row.workspace_id, flowId as string);
  const loaded = await loadFlow(db, row.workspace_id, flowId, fields as Partial<FlowFields>, parts);
  const [earlier = []] = await loadEarlier(db, [keyOfPerson(row)], loaded.flowGrants.earlierSessions);
  const [zone] = await findPersonZones(db, [toZoned(row)]);
  const flow = { ...loaded, earlier, zone: zone as PersonZone };
  const ports = openGrantedPorts(parts.sessionPortParts, flow.flowGrants, { ...toSessionContact(row, flow), flowId });
  return { plan: toPlan(row, flow), ports: { ...ports, modelOf: flow.modelOf } };
}

/** Returns the contact of a call for its session. */
export function toSessionContact(row: ClaimedRow, flow: LoadedFlow): SessionContact {
  return {
    workspaceId: row.workspace_id,
    sessionId: row.session_id,
    channel: "VOICE",
    flowId: row.flow_id,
    inline: row.inline,
    contactPhone: phoneOf(row.customer_number),
    contactIdentifier: null,
    contactName: row.contact_name,
    contactEmail: row.contact_email,
    timeZone: row.time_zone,
    zone: flow.zone,
    ourNumber: row.provider === WEB ? null : row.from_number,
    contextData: row.context_data,
    language: flow.fields.language ?? "en-US",
    earlier: flow.earlier,
  };
}

function contactOf(row: ClaimedRow): PlanContact {
  return { phone: phoneOf(row.customer_number), name: row.contact_name, email: row.contact_email };
}
