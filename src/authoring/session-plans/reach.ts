import { type KnowledgeHit, searchKnowledge } from "#src/authoring/agents/knowledge-search.ts";
import { readContactRecords, writeContactRecord } from "#src/authoring/applications/contact-records.ts";
import type { EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import { createToolRunner, type ToolRunParts } from "#src/authoring/tool-runs/tool-runs.ts";
import type { ReachPorts } from "#src/engine/conversation/ports.ts";
import { ServiceError, type SessionServices } from "#src/engine/conversation/services.ts";
import type { Database } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { UsageKind } from "#src/tenancy/usage/prices.ts";
import type { FlowReach, SessionWho } from "./sessions.ts";

const MAX_PASSAGES = 4;
/** A model that does whatever it is told must not flood the person. */
const MAX_MESSAGES = 5;
const MAX_CALLBACKS = 3;

/** What a session has other rooms do for its own contact. */
export interface SessionActs {
  sendMessage(who: SessionWho, message: { channel: "SMS" | "WHATSAPP"; text: string }): Promise<string>;
  scheduleCallback(who: SessionWho, callback: { at: string; note: string }): Promise<string>;
}

/** What opening the ports of sessions takes of the process. */
export interface ReachParts {
  database: Database;
  toolRuns: ToolRunParts;
  acts: SessionActs;
  /** Turns what the agent looks up into vectors. */
  embed: EmbedQuery;
}

/** The ports of one session: what it may reach, for its own contact, within what its flow grants. */
export function openReach(parts: ReachParts, reach: FlowReach, who: SessionWho): ReachPorts {
  const { workspaceId, sessionId, flowId, channel, language, contactPhone, contactIdentifier } = who;
  const contactKey = contactPhone ?? contactIdentifier;
  const session = { workspaceId, sessionId, flowId, contactKey, channel, language };
  const { prices } = reach;
  return {
    ...(reach.tools.length > 0 ? { tools: createToolRunner(parts.toolRuns, session, reach.tools) } : {}),
    services: createServices(parts, reach, who),
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

function createServices(parts: ReachParts, reach: FlowReach, who: SessionWho): SessionServices {
  const { database, acts } = parts;
  const { workspaceId } = who;
  let messages = 0;
  let callbacks = 0;
  const phoneOf = (): string => {
    if (who.contactPhone !== null) return who.contactPhone;
    throw new ServiceError("NO_NUMBER", "no phone number of the person is known");
  };
  const storeOf = (storeKey: string): string => {
    if (reach.storeKeys.includes(storeKey)) return storeKey;
    throw new ServiceError(
      "STORE",
      `there is no such data store. Data stores: ${reach.storeKeys.join(", ") || "none"}.`,
    );
  };
  return {
    async sendMessage(message) {
      phoneOf();
      if (++messages > MAX_MESSAGES) throw new ServiceError("LIMIT", "no more messages may be sent");
      return tell(acts.sendMessage(who, message));
    },
    async scheduleCallback(callback) {
      phoneOf();
      if (++callbacks > MAX_CALLBACKS) throw new ServiceError("LIMIT", "no more calls may be arranged");
      return tell(acts.scheduleCallback(who, callback));
    },
    searchKnowledge: (query) => searchAll(parts, workspaceId, reach.agentIds, query),
    readRecord: async ({ storeKey, recordId }) =>
      tell(readContactRecords(database.db, workspaceId, storeOf(storeKey), phoneOf(), recordId)),
    writeRecord: async ({ storeKey, recordId, fields }) => {
      const record = { storeKey: storeOf(storeKey), recordId, fields };
      const phone = phoneOf();
      return tell(database.db.transaction().execute((tx) => writeContactRecord(tx, workspaceId, phone, record)));
    },
  };
}

function searchAll(
  { database: { db }, embed }: ReachParts,
  workspaceId: string,
  agentIds: string[],
  query: string,
): Promise<KnowledgeHit[]> {
  return searchKnowledge(db, workspaceId, agentIds, query, { limit: MAX_PASSAGES, embed });
}

/** A rule that is broken is told to the model in the words of the API; anything else stays inside. */
async function tell(work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw new ServiceError(error.code, error.message);
    throw error;
  }
}
