import { getFlowsByKey } from "#src/authoring/flows/flows.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, codeOf, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import {
  type AgentRow,
  deleteAgent,
  findAgent,
  findAgentIdsOfFlow,
  insertAgent,
  lockAgent,
  updateAgent,
} from "./store.ts";

/** An agent: the name of a speaker, the flow it follows, and the owner of a knowledge base. */
export const Agent = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    description: nullable(Type.String()),
    flowId: nullable(Type.String({ description: "Flow that it follows; null when none, or when that was deleted." })),
    version: Type.Integer({ description: "Counts its changes, from 1." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "Agent" },
);
export type Agent = Static<typeof Agent>;

/** Request body of an agent's creation or change. Server-owned fields are ignored. */
export const AgentInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
    flowId: Type.Optional(nullable(Uuid)),
  },
  { $id: "AgentInput" },
);
export type AgentInput = Static<typeof AgentInput>;

/** Request body of an agent's change: the fields that change. */
export const AgentChange = Type.Partial(AgentInput, { $id: "AgentChange" });
export type AgentChange = Static<typeof AgentChange>;

/** Makes an agent; 404 when its flow does not exist in the workspace. */
export async function createAgent(tx: Executor, workspaceId: string, input: AgentInput): Promise<Agent> {
  const agent = { name: input.name, description: input.description ?? null, flowId: input.flowId ?? null };
  await assertFlow(tx, workspaceId, agent.flowId);
  return toAgent(await catchLostFlow(agent.flowId, insertAgent(tx, workspaceId, uuidv7(), agent)));
}

/** One agent; 404 when there is none. */
export async function getAgent(db: Executor, workspaceId: string, id: string): Promise<Agent> {
  const row = await findAgent(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toAgent(row);
}

/** Merges the fields that are sent into an existing agent; null clears an optional one. */
export async function changeAgent(
  tx: Executor,
  workspaceId: string,
  id: string,
  input: AgentChange,
  ifUpdatedAt?: string,
): Promise<Agent> {
  const row = await lockAgent(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  if (input.flowId) await assertFlow(tx, workspaceId, input.flowId);
  const agent = {
    name: input.name ?? row.name,
    description: input.description === undefined ? row.description : input.description,
    flowId: input.flowId === undefined ? row.flow_id : input.flowId,
  };
  return toAgent(await catchLostFlow(agent.flowId, updateAgent(tx, workspaceId, id, agent)));
}

/** Deletes an agent for good, with its knowledge base; 404 when there is none. */
export async function removeAgent(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteAgent(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
}

/** Returns the agents whose knowledge a flow's sessions search: the agent it names, else all that follow the flow. */
export async function findKnowledgeAgents(
  db: Executor,
  workspaceId: string,
  { flowId, agentId }: { flowId: string | null; agentId: string | null },
): Promise<string[]> {
  if (agentId !== null) return [agentId];
  return flowId === null ? [] : findAgentIdsOfFlow(db, workspaceId, flowId);
}

/** The agent as the API shows it. */
export function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    flowId: row.flow_id,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

async function assertFlow(tx: Executor, workspaceId: string, flowId: string | null): Promise<void> {
  if (flowId === null) return;
  const found = await getFlowsByKey(tx, [{ workspaceId, flowId }]);
  if (found.size === 0) throw missing(`Flow ${flowId}`);
}

const FOREIGN_KEY_VIOLATION = "23503";

/** Answers 404 when the flow was deleted between the check and the write. */
async function catchLostFlow(flowId: string | null, write: Promise<AgentRow>): Promise<AgentRow> {
  try {
    return await write;
  } catch (error) {
    throw codeOf(error) === FOREIGN_KEY_VIOLATION ? missing(`Flow ${flowId}`) : error;
  }
}
