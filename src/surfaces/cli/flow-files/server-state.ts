import type { Parley } from "@parley/sdk";
import type { Content, Kind } from "./folder.ts";
import type { Revision } from "./lock.ts";

/** Fields that the server owns, and files do not have. */
const OWNED = new Set(
  "id userId version createdAt updatedAt isSystem createdByAi creatorAgentId creatorFlowId flowId baseVersion updatedBy".split(
    " ",
  ),
);

/** A definition of the workspace. `content` has ids, and masks in place of secrets. */
export interface ServerItem {
  kind: Kind;
  id: string;
  /** apiId of a flow, name of another. */
  title: string;
  content: Content;
  revision: Revision;
}

/** Definitions of a workspace, and the ids of the system tools by name. */
export interface ServerState {
  items: ServerItem[];
  systemTools: Map<string, string>;
}

/**
 * Reads the definitions of a workspace. Of a flow with a draft that is the draft, which the next push changes, unless
 * `published` is set.
 */
export async function readServer(client: Parley, kinds: readonly Kind[], published: boolean): Promise<ServerState> {
  const tools = await client.tools.list();
  const items: ServerItem[] = [];
  if (kinds.includes("flows")) items.push(...(await readFlows(client, published)));
  for (const tool of tools) if (!tool.isSystem && kinds.includes("tools")) items.push(toItem("tools", tool));
  if (kinds.includes("structuredOutputs")) {
    for (const output of await client.structuredOutputs.list()) items.push(toItem("structuredOutputs", output));
  }
  const systemTools = new Map(tools.flatMap(({ isSystem, name, id }) => (isSystem ? [[name, id] as const] : [])));
  return { items, systemTools };
}

async function readFlows(client: Parley, published: boolean): Promise<ServerItem[]> {
  const drafts = new Map<string, { updatedAt: string }>();
  for await (const { id, draft } of client.flows.changes({ size: 200 })) if (draft) drafts.set(id, draft);
  const items: ServerItem[] = [];
  for await (const flow of client.flows.list({ size: 200 })) {
    const draft = drafts.get(flow.id);
    const { apiId } = flow;
    const said = draft && !published ? draft : flow;
    items.push({
      kind: "flows",
      id: flow.id,
      title: apiId,
      content: { apiId, ...withoutOwned(said) },
      revision: { version: flow.version, draft: draft?.updatedAt ?? null },
    });
  }
  return items;
}

function toItem(kind: Kind, item: { id: string; name: string; version: number }): ServerItem {
  const revision = { version: item.version, draft: null };
  return { kind, id: item.id, title: item.name, content: withoutOwned(item), revision };
}

/** Returns the fields that a file has: those that are set. */
function withoutOwned(item: object): Content {
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => value !== null && !OWNED.has(name)));
}
