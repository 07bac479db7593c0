import { chooseVersion, selectFlow } from "#src/authoring/flows/flows.ts";
import type { OpenModel } from "#src/authoring/language-models/open-model.ts";
import { openGrantedPorts, type SessionPortParts } from "#src/authoring/session-plans/granted-ports.ts";
import { loadFlowGrants, type SessionContact } from "#src/authoring/session-plans/sessions.ts";
import { openStageModels } from "#src/authoring/session-plans/stage-models.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import type { ChatPorts } from "#src/engine/conversation/chat-turn.ts";
import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import { loadEarlier, noteRefusal } from "#src/interactions/contacts/contacts.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { TaskHandler } from "#src/platform/queue/queue.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import { findPersonZones, type PersonZone } from "#src/tenancy/compliance/person-zones.ts";
import { findUsedTokens } from "#src/tenancy/usage/usage.ts";
import type { ChatRow, StoredPlan } from "./chat-row.ts";
import { buildPlan, toSessionPlan } from "./plan.ts";
import { type ActingTurn, openTurnActions } from "./turn-actions.ts";

/** Dependencies of the chat tasks. */
export interface ChatParts {
  database: Database;
  openModel: OpenModel;
  findMessenger: FindMessenger;
  sessionPortParts: SessionPortParts;
}

/** The engine's view of one chat: its plan with its grants, and its ports. */
export interface OpenChat {
  plan: SessionPlan;
  ports: ChatPorts;
  /** The plan to be stored of the flow that took over last; null when none did. */
  openedFlow: () => StoredPlan | null;
}

type Turn = ActingTurn & { chat: ChatRow };

/** Opens a chat for a turn of its agent. */
export async function openChat(parts: ChatParts, turn: Turn): Promise<OpenChat> {
  let opened: StoredPlan | null = null;
  const { plan, ports } = await openPlan(parts, turn);
  const openFlow = async (name: string) => {
    const stored = await loadOtherFlow(parts, turn.chat, name);
    const other = await openPlan(parts, { ...turn, chat: { ...turn.chat, plan: stored, stage_state: null } });
    opened = stored;
    return other;
  };
  return { plan, ports: { ...ports, openFlow }, openedFlow: () => opened };
}

/** Loads the plan of another flow for the person of a chat. */
async function loadOtherFlow({ database: { db } }: ChatParts, chat: ChatRow, name: string): Promise<StoredPlan> {
  const selected = await selectFlow(db, chat.workspace_id, { flowId: name });
  const { fields } = await chooseVersion(db, chat.workspace_id, selected, chat.id);
  const stored = await buildPlan(db, chat.workspace_id, fields, {
    contactPhone: chat.contact_phone,
    contactName: chat.contact_name,
    contactEmail: chat.contact_email,
    contactIdentifier: chat.contact_identifier,
  });
  return { ...stored, openedFlowId: selected.flowId ?? name };
}

async function openPlan(parts: ChatParts, turn: Turn): Promise<Pick<OpenChat, "plan" | "ports">> {
  const { chat } = turn;
  const { database, sessionPortParts } = parts;
  const { workspace_id: workspaceId, plan } = chat;
  const where = { flowId: flowOf(chat), channel: "CHAT" as const };
  const flowGrants = await loadFlowGrants(
    database.db,
    sessionPortParts.toolRuns,
    workspaceId,
    where,
    plan.flowGrants ?? {},
  );
  const ports = await portsOf(parts, chat);
  const { stages } = plan.flowGrants ?? {};
  const modelOf = await openStageModels(parts.openModel, database.db, workspaceId, {
    stages: stages ?? null,
    model: plan.model,
  });
  const { contact_phone: phone, contact_identifier: identifier } = chat;
  const [earlier = []] = await loadEarlier(
    database.db,
    [{ workspaceId, phone, identifier, before: chat.id }],
    flowGrants.earlierSessions,
  );
  const zone = await zoneOfChat(database.db, chat);
  const sessionContact = { ...toSessionContact(chat), earlier, zone };
  const own = openGrantedPorts(sessionPortParts, flowGrants, sessionContact, openTurnActions(database, turn));
  return {
    plan: {
      ...toSessionPlan(chat),
      grants: flowGrants.grants,
      limits: flowGrants.limits,
      used: await findUsedTokens(database.db, workspaceId, chat.id),
      earlier,
      timeZone: zone,
    },
    ports: { ...ports, ...own, modelOf },
  };
}

/** Returns the flow that answers now: a chat keeps the flow it began with in its record. */
function flowOf({ plan, flow_id: flowId }: ChatRow): string | null {
  return plan.openedFlowId ?? flowId;
}

const UTC: PersonZone = { name: "UTC", isAssumed: true };

/** Returns the zone of the clock of a chat's person. */
export async function zoneOfChat(
  db: Executor,
  chat: Pick<ChatRow, "workspace_id" | "contact_phone">,
): Promise<PersonZone> {
  const person = { workspaceId: chat.workspace_id, timeZone: null, phone: chat.contact_phone };
  return (await findPersonZones(db, [person]))[0] ?? UTC;
}

function toSessionContact(chat: ChatRow): SessionContact {
  return {
    workspaceId: chat.workspace_id,
    sessionId: chat.id,
    channel: "CHAT",
    flowId: flowOf(chat),
    inline: null,
    contactPhone: chat.contact_phone,
    contactIdentifier: chat.contact_identifier,
    contactName: chat.contact_name,
    contactEmail: chat.contact_email,
    timeZone: null,
    zone: UTC,
    ourNumber: chat.assistant_phone_number,
    contextData: chat.context_data,
    language: chat.plan.flow.language,
    earlier: [],
  };
}

/** Returns the engine's ports for one chat. */
export async function portsOf({ database, openModel }: ChatParts, chat: ChatRow): Promise<ChatPorts> {
  return {
    model: await openModel(database.db, chat.workspace_id, chat.plan.model),
    now,
    validate: validateAgainst,
    async addToDoNotCall() {
      const sessionContact = { phone: chat.contact_phone, contactId: chat.contact_id };
      await database.db.transaction().execute((tx) => noteRefusal(tx, chat.workspace_id, sessionContact));
    },
  };
}

const LONGEST_PAUSE_MS = 60_000;

/**
 * Wraps a task so that an error puts it back, however often it has run. The queue gives up a failing task after a few
 * runs, and these run again and again by design.
 */
export function keepTrying(handler: TaskHandler): TaskHandler {
  return async (task, signal) => {
    try {
      return await handler(task, signal);
    } catch (thrown) {
      const afterMs = signal.aborted ? 0 : Math.min(LONGEST_PAUSE_MS, 250 * 2 ** Math.min(task.attempt, 10));
      return { kind: "RETRY", afterMs, error: toError(thrown).message };
    }
  };
}
