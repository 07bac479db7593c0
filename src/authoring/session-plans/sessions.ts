import { findKnowledgeAgents } from "#src/authoring/agents/agents.ts";
import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { type GrantParts, grantTools, type LoadedTool } from "#src/authoring/tool-runs/tool-runs.ts";
import { toInputSchema } from "#src/authoring/tools/parameters.ts";
import { SYSTEM_TOOLS } from "#src/authoring/tools/system-tools.ts";
import type { EarlierConversation, SessionGrants, SessionLimits, SessionZone } from "#src/engine/conversation/plan.ts";
import { SYSTEM_TOOL_SPECS } from "#src/engine/conversation/system-tool-list.ts";
import type { ToolOffer } from "#src/engine/models/models.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { getBilling } from "#src/tenancy/usage/balance.ts";
import type { UsageKind } from "#src/tenancy/usage/prices.ts";
import { toStagePlan } from "./stage-plan.ts";
import { toTransferTarget } from "./transfer-targets.ts";

export type { GrantParts };

/** Fields of a flow that decide the grants of its sessions. */
export type GrantFields = Pick<
  Partial<FlowFields>,
  "toolIds" | "agentId" | "storeKeys" | "transferTargets" | "limits" | "memory" | "language" | "stages"
>;

/** Grants shared by all sessions of a flow; made once for a batch of them. */
export interface FlowGrants {
  grants: SessionGrants;
  limits: Partial<SessionLimits>;
  /** The workspace's own tools, with their secrets. */
  tools: LoadedTool[];
  /** Agents whose knowledge is searched. */
  agentIds: string[];
  storeKeys: string[];
  /** Number of earlier sessions that the agent is shown. */
  earlierSessions: number;
  /** Unit prices by kind, where the session's cost is limited. */
  prices: Record<UsageKind, string> | null;
}

/** Contact of a session, and its origin. */
export interface SessionContact {
  workspaceId: string;
  sessionId: string;
  channel: "VOICE" | "CHAT";
  flowId: string | null;
  /** The flow of a session that was sent inline with its request. */
  inline: Partial<FlowFields> | null;
  contactPhone: string | null;
  contactIdentifier: string | null;
  contactName: string | null;
  contactEmail: string | null;
  /** IANA name, as sent with the call. */
  timeZone: string | null;
  /** Zone of the person's clock. */
  zone: SessionZone;
  /** The number that the person is shown. */
  ourNumber: string | null;
  /** Exact JSON text. */
  contextData: string | null;
  /** BCP 47. */
  language: string;
  /** Earlier conversations with the contact, newest first. */
  earlier: EarlierConversation[];
}

/** Loads the grants of a flow's sessions. Ids of deleted things are skipped. */
export async function loadFlowGrants(
  db: Executor,
  parts: GrantParts,
  workspaceId: string,
  { flowId, channel }: { flowId: string | null; channel: "VOICE" | "CHAT" },
  fields: GrantFields,
): Promise<FlowGrants> {
  const toolIds = fields.toolIds ?? [];
  const language = fields.language ?? "en-US";
  const tools = toolIds.length > 0 ? await grantTools(db, parts, workspaceId, toolIds, { language }) : [];
  const agentIds = await findKnowledgeAgents(db, workspaceId, { flowId, agentId: fields.agentId ?? null });
  // A chat has no line: it goes on with another flow, or a human takes it over.
  const transferTargets = (fields.transferTargets ?? [])
    .map(toTransferTarget)
    .filter(({ order }) => channel === "VOICE" || order.destinationType === "FLOW");
  const storeKeys = fields.storeKeys ?? [];
  const limits = readLimits(fields);
  const named = new Set(SYSTEM_TOOLS.filter(({ id }) => toolIds.some((one) => one.toLowerCase() === id)).map(nameOf));
  if (agentIds.length > 0) named.add("search_knowledge");
  const needs: Record<string, boolean> = {
    transfer_call: transferTargets.length > 0,
    search_knowledge: agentIds.length > 0,
    read_record: storeKeys.length > 0,
    write_record: storeKeys.length > 0,
  };
  return {
    grants: {
      tools: tools.filter(({ isOffered }) => isOffered).map(({ grant }) => grant),
      systemTools: offerSystemTools(channel, (name) => named.has(name) && needs[name] !== false, storeKeys),
      transferTargets,
      ...(fields.stages?.length
        ? {
            stages: toStagePlan(
              fields.stages,
              tools.map(({ grant }) => grant),
            ),
          }
        : {}),
    },
    limits,
    tools,
    agentIds,
    storeKeys,
    earlierSessions: fields.memory?.earlierSessions ?? 0,
    prices: limits.maxCost === undefined ? null : (await getBilling(db, workspaceId)).prices,
  };
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function offerSystemTools(
  channel: "VOICE" | "CHAT",
  isWanted: (name: string) => boolean,
  storeKeys: string[],
): ToolOffer[] {
  return SYSTEM_TOOL_SPECS.filter((spec) => !spec.always && (channel === "VOICE" || !spec.voiceOnly))
    .filter(({ name }) => isWanted(name))
    .map(({ name, description, parameters }) => ({
      name,
      description: name.endsWith("_record") ? `${description} Data stores: ${storeKeys.join(", ")}.` : description,
      inputSchema: toInputSchema(parameters),
    }));
}

function readLimits({ limits }: GrantFields): Partial<SessionLimits> {
  const { maxCost, ...counts } = limits ?? {};
  const set = Object.entries(counts).filter(([, value]) => value !== null && value !== undefined);
  return { ...Object.fromEntries(set), ...(maxCost ? { maxCost: Number(maxCost) } : {}) };
}
