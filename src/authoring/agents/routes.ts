import type { EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import type { SpoolRoom } from "#src/platform/http/spool-room.ts";
import { Agent, AgentChange, AgentInput, changeAgent, createAgent, getAgent, removeAgent, toAgent } from "./agents.ts";
import { fileRoutes } from "./file-routes.ts";
import { itemRoutes } from "./item-routes.ts";
import { countAgents, listAgents } from "./store.ts";

const PATH = "/api/external/v1/agents";
const READ = ["AGENTS_READ"];
const WRITE = ["AGENTS_WRITE"];
const common = { audience: "external", tag: "Agents" } as const;
const params = Type.Object({ agentId: Uuid });

/** Dependencies of the agents' routes besides the database. */
export interface AgentContext {
  guard: OutboundGuard;
  spool: SpoolRoom;
  /** Turns queries of searches into vectors. */
  embed: EmbedQuery;
}

/** Agents (extensions) and their knowledge base. */
export function agentRoutes(database: Database, { guard, spool, embed }: AgentContext): Route[] {
  return [
    ...libraryRoutes(database),
    ...oneAgentRoutes(database),
    ...itemRoutes(database, guard, embed),
    ...fileRoutes(database, spool),
  ];
}

function libraryRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List agents (extension)",
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(Agent, "AgentPage") },
      async run({ caller, query }) {
        const page = readPage(query);
        const rows = await listAgents(db, caller.workspaceId, page);
        return toPage(page, rows.map(toAgent), () => countAgents(db, caller.workspaceId));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create an agent (extension)",
      idempotent: true,
      body: AgentInput,
      replies: { 200: Agent },
      run: ({ tx, caller, body }) => createAgent(tx, caller.workspaceId, body),
    }),
  ];
}

function oneAgentRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{agentId}`,
      access: READ,
      summary: "Read an agent (extension)",
      params,
      replies: { 200: Agent },
      run: ({ caller, params: { agentId } }) => getAgent(db, caller.workspaceId, agentId),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{agentId}`,
      access: WRITE,
      summary: "Change an agent; sent fields are merged (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: AgentChange,
      replies: { 200: Agent },
      run: ({ caller, params: { agentId }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeAgent(tx, caller.workspaceId, agentId, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{agentId}`,
      access: WRITE,
      summary: "Delete an agent and its knowledge base for good (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { agentId } }) =>
        db.transaction().execute((tx) => removeAgent(tx, caller.workspaceId, agentId)),
    }),
  ];
}
