import { type KnowledgeHit, searchKnowledge } from "#src/authoring/agents/knowledge-search.ts";
import { readContactRecords, writeContactRecord } from "#src/authoring/applications/contact-records.ts";
import type { EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import { createToolRunner, type ToolRunParts } from "#src/authoring/tool-runs/tool-runs.ts";
import type { GrantedPorts } from "#src/engine/conversation/ports.ts";
import { ServiceError, type SessionServices } from "#src/engine/conversation/services.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { costOfSession } from "#src/tenancy/usage/prices.ts";
import type { FlowGrants, SessionContact } from "./sessions.ts";

const MAX_PASSAGES = 4;
/** Limits per session, so that a model that follows any instruction cannot flood the person. */
const MESSAGES = { max: 5, message: "no more messages may be sent" };
const CALLBACKS = { max: 3, message: "no more calls may be arranged" };

/** Actions in other rooms that a session takes for its own contact, in the caller's transaction. */
export interface SessionActions {
  sendMessage(
    tx: Executor,
    sessionContact: SessionContact,
    message: { channel: "SMS" | "WHATSAPP"; text: string },
  ): Promise<string>;
  scheduleCallback(
    tx: Executor,
    sessionContact: SessionContact,
    callback: { at: string; note: string },
  ): Promise<string>;
  /** Wakes those who wait for what an action stored, after its commit. */
  wake(): void;
}

/** An action of a session that must not be repeated. */
export interface SessionAction {
  tool: string;
  /** Highest number of such actions in the session, with the answer beyond it; null for no limit. */
  limit: { max: number; message: string } | null;
  /** True when the answer may be stored: it holds no personal data. */
  keepsAnswer: boolean;
  /** Takes the action and returns the answer for the model. */
  take: (tx: Executor) => Promise<string>;
}

/** Takes an action in a transaction of its own, or returns the answer of one that a repeated turn has taken already. */
export type TakeAction = (action: SessionAction) => Promise<string>;

/** Dependencies for opening the ports of sessions. */
export interface SessionPortParts {
  database: Database;
  toolRuns: ToolRunParts;
  actions: SessionActions;
  /** Turns the agent's search queries into vectors. */
  embed: EmbedQuery;
}

/**
 * Opens the ports of one session, for its own contact and within the grants of its flow. The turns of a call are taken
 * once, so its actions are only counted; a session whose turns may be taken again brings its own `takeAction`.
 */
export function openGrantedPorts(
  parts: SessionPortParts,
  flowGrants: FlowGrants,
  sessionContact: SessionContact,
  takeAction: TakeAction = countActions(parts.database),
): GrantedPorts {
  const { workspaceId, sessionId, flowId, channel, language, contactPhone, contactIdentifier } = sessionContact;
  const contactKey = contactPhone ?? contactIdentifier;
  const session = { workspaceId, sessionId, flowId, contactKey, channel, language };
  const { prices } = flowGrants;
  return {
    ...(flowGrants.tools.length > 0 ? { tools: createToolRunner(parts.toolRuns, session, flowGrants.tools) } : {}),
    services: createServices(parts, flowGrants, sessionContact, takeAction),
    ...(prices ? { costOf: (used) => costOfSession(prices, used) } : {}),
  };
}

function countActions({ db }: Database): TakeAction {
  const taken = new Map<string, number>();
  return async ({ tool, limit, take }) => {
    const count = (taken.get(tool) ?? 0) + 1;
    taken.set(tool, count);
    if (limit && count > limit.max) throw new ServiceError("LIMIT", limit.message);
    return db.transaction().execute(take);
  };
}

function createServices(
  parts: SessionPortParts,
  flowGrants: FlowGrants,
  sessionContact: SessionContact,
  takeAction: TakeAction,
): SessionServices {
  const { database, actions } = parts;
  const { workspaceId } = sessionContact;
  const phoneOf = (): string => {
    if (sessionContact.contactPhone !== null) return sessionContact.contactPhone;
    throw new ServiceError("NO_NUMBER", "no phone number of the person is known");
  };
  const storeOf = (storeKey: string): string => {
    if (flowGrants.storeKeys.includes(storeKey)) return storeKey;
    throw new ServiceError(
      "STORE",
      `there is no such data store. Data stores: ${flowGrants.storeKeys.join(", ") || "none"}.`,
    );
  };
  const takeForContact = async (action: Pick<SessionAction, "tool" | "limit" | "take">): Promise<string> => {
    phoneOf();
    const answer = await explainFaults(takeAction({ ...action, keepsAnswer: true }));
    actions.wake();
    return answer;
  };
  return {
    sendMessage: (message) =>
      takeForContact({
        tool: "send_message",
        limit: MESSAGES,
        take: (tx) => actions.sendMessage(tx, sessionContact, message),
      }),
    scheduleCallback: (callback) =>
      takeForContact({
        tool: "schedule_callback",
        limit: CALLBACKS,
        take: (tx) => actions.scheduleCallback(tx, sessionContact, callback),
      }),
    searchKnowledge: (query) => searchAll(parts, workspaceId, flowGrants.agentIds, query),
    readRecord: async ({ storeKey, recordId }) =>
      explainFaults(readContactRecords(database.db, workspaceId, storeOf(storeKey), phoneOf(), recordId)),
    writeRecord: async ({ storeKey, recordId, fields }) => {
      const record = { storeKey: storeOf(storeKey), recordId, fields };
      const phone = phoneOf();
      const take = (tx: Executor) => writeContactRecord(tx, workspaceId, phone, record);
      // A record that has an id is the same after a repetition.
      if (recordId !== null) return explainFaults(database.db.transaction().execute(take));
      return explainFaults(takeAction({ tool: "write_record", limit: null, keepsAnswer: false, take }));
    },
  };
}

function searchAll(
  { database: { db }, embed }: SessionPortParts,
  workspaceId: string,
  agentIds: string[],
  query: string,
): Promise<KnowledgeHit[]> {
  return searchKnowledge(db, workspaceId, agentIds, query, { limit: MAX_PASSAGES, embed });
}

/** Passes a violated rule to the model in the API's words; other errors stay internal. */
async function explainFaults(work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw new ServiceError(error.code, error.message);
    throw error;
  }
}
