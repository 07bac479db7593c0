import { type KnowledgeHit, searchKnowledge } from "#src/authoring/agents/knowledge-search.ts";
import { readContactRecords, writeContactRecord } from "#src/authoring/applications/contact-records.ts";
import type { EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import { createToolRunner, type ToolRunParts } from "#src/authoring/tool-runs/tool-runs.ts";
import type { GrantedPorts } from "#src/engine/conversation/ports.ts";
import { ServiceError, type SessionServices } from "#src/engine/conversation/services.ts";
import type { Database } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { UsageKind } from "#src/tenancy/usage/prices.ts";
import type { FlowGrants, SessionContact } from "./sessions.ts";

const MAX_PASSAGES = 4;
/** Limit per session, so that a model that follows any instruction cannot flood the person. */
const MAX_MESSAGES = 5;
const MAX_CALLBACKS = 3;

/** Actions in other rooms that a session takes for its own contact. */
export interface SessionActions {
  sendMessage(sessionContact: SessionContact, message: { channel: "SMS" | "WHATSAPP"; text: string }): Promise<string>;
  scheduleCallback(sessionContact: SessionContact, callback: { at: string; note: string }): Promise<string>;
}

/** Dependencies for opening the ports of sessions. */
export interface SessionPortParts {
  database: Database;
  toolRuns: ToolRunParts;
  actions: SessionActions;
  /** Turns the agent's search queries into vectors. */
  embed: EmbedQuery;
}

/** Opens the ports of one session, for its own contact and within the grants of its flow. */
export function openGrantedPorts(
  parts: SessionPortParts,
  flowGrants: FlowGrants,
  sessionContact: SessionContact,
): GrantedPorts {
  const { workspaceId, sessionId, flowId, channel, language, contactPhone, contactIdentifier } = sessionContact;
  const contactKey = contactPhone ?? contactIdentifier;
  const session = { workspaceId, sessionId, flowId, contactKey, channel, language };
  const { prices } = flowGrants;
  return {
    ...(flowGrants.tools.length > 0 ? { tools: createToolRunner(parts.toolRuns, session, flowGrants.tools) } : {}),
    services: createServices(parts, flowGrants, sessionContact),
    ...(prices ? { costOf: (used) => costOf(prices, used) } : {}),
  };
}

function costOf(
  prices: Record<UsageKind, string>,
  used: { inputTokens: number; outputTokens: number; elapsedMs: number },
): number {
  return (
    Number(prices.MODEL_INPUT_TOKEN) * used.inputTokens +
    Number(prices.MODEL_OUTPUT_TOKEN) * used.outputTokens +
    Number(prices.TELEPHONY_SECOND) * (used.elapsedMs / 1_000)
  );
}

function createServices(
  parts: SessionPortParts,
  flowGrants: FlowGrants,
  sessionContact: SessionContact,
): SessionServices {
  const { database, actions } = parts;
  const { workspaceId } = sessionContact;
  let messages = 0;
  let callbacks = 0;
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
  return {
    async sendMessage(message) {
      phoneOf();
      if (++messages > MAX_MESSAGES) throw new ServiceError("LIMIT", "no more messages may be sent");
      return explainFaults(actions.sendMessage(sessionContact, message));
    },
    async scheduleCallback(callback) {
      phoneOf();
      if (++callbacks > MAX_CALLBACKS) throw new ServiceError("LIMIT", "no more calls may be arranged");
      return explainFaults(actions.scheduleCallback(sessionContact, callback));
    },
    searchKnowledge: (query) => searchAll(parts, workspaceId, flowGrants.agentIds, query),
    readRecord: async ({ storeKey, recordId }) =>
      explainFaults(readContactRecords(database.db, workspaceId, storeOf(storeKey), phoneOf(), recordId)),
    writeRecord: async ({ storeKey, recordId, fields }) => {
      const record = { storeKey: storeOf(storeKey), recordId, fields };
      const phone = phoneOf();
      return explainFaults(
        database.db.transaction().execute((tx) => writeContactRecord(tx, workspaceId, phone, record)),
      );
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
