import type { EmbedQuery } from "#src/authoring/language-models/embeddings.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { getAgent } from "./agents.ts";
import { countItems, listItems } from "./item-sql.ts";
import {
  assertItemUrl,
  changeItem,
  createItem,
  getItem,
  ItemRequest,
  NewItem,
  ItemSummary,
  KnowledgeBaseItemDto,
  MAX_ITEM_BODY_BYTES,
  reindexItem,
  removeItem,
  toItemSummary,
} from "./knowledge-items.ts";
import { KnowledgeHit, searchKnowledge } from "./knowledge-search.ts";

const PATH = "/api/external/v1/agents/{agentId}/knowledge-base";
const READ = ["AGENTS_READ"];
const WRITE = ["AGENTS_WRITE"];
const common = { audience: "external", tag: "Agent knowledge base" } as const;
const agentParams = Type.Object({ agentId: Uuid });
const itemParams = Type.Object({ agentId: Uuid, itemId: Uuid });
const DEFAULT_HITS = 5;

/** Items of a knowledge base; creating, listing, reading and searching are extensions. */
export function itemRoutes(database: Database, guard: OutboundGuard, embed: EmbedQuery): Route[] {
  return [
    ...libraryRoutes(database, guard),
    ...oneItemRoutes(database, guard),
    reindexRoute(),
    searchRoute(database, embed),
  ];
}

function libraryRoutes({ db }: Database, guard: OutboundGuard): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/items`,
      access: READ,
      summary: "List knowledge base items, without their content (extension)",
      params: agentParams,
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(ItemSummary, "KnowledgeBaseItemPage") },
      async run({ caller: { workspaceId }, params: { agentId }, query }) {
        await getAgent(db, workspaceId, agentId);
        const page = readPage(query);
        const rows = await listItems(db, workspaceId, agentId, page);
        return toPage(page, rows.map(toItemSummary), () => countItems(db, workspaceId, agentId));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/items`,
      access: WRITE,
      summary: "Create a knowledge base item (extension)",
      description:
        "Required: content for TEXT, url for URL, fileId for FILE. Answers at once with status PENDING; the item is found by searches once its status is READY.",
      params: agentParams,
      body: NewItem,
      bodyLimit: MAX_ITEM_BODY_BYTES,
      idempotent: true,
      replies: { 200: KnowledgeBaseItemDto },
      run({ tx, caller, params: { agentId }, body }) {
        assertItemUrl(guard, body);
        return createItem(tx, caller.workspaceId, agentId, body);
      },
    }),
  ];
}

function oneItemRoutes({ db }: Database, guard: OutboundGuard): Route[] {
  const path = `${PATH}/items/{itemId}`;
  return [
    route({
      ...common,
      method: "GET",
      path,
      access: READ,
      summary: "Read a knowledge base item (extension)",
      params: itemParams,
      replies: { 200: KnowledgeBaseItemDto },
      run: ({ caller, params: { agentId, itemId } }) => getItem(db, caller.workspaceId, agentId, itemId),
    }),
    route({
      ...common,
      method: "PUT",
      path,
      access: WRITE,
      summary: "Change a knowledge base item; sent fields are merged",
      description:
        "Only fields in the body change; null clears an optional one; a new type drops the source of the old one. A changed source is indexed anew; naming the url again reads it again.",
      params: itemParams,
      query: Type.Object(ifUpdatedAtQuery),
      body: ItemRequest,
      bodyLimit: MAX_ITEM_BODY_BYTES,
      idempotent: true,
      replies: { 200: KnowledgeBaseItemDto },
      run({ tx, caller, params: { agentId, itemId }, query: { ifUpdatedAt }, body }) {
        assertItemUrl(guard, body);
        return changeItem(tx, caller.workspaceId, agentId, itemId, body, ifUpdatedAt);
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path,
      access: WRITE,
      summary: "Delete a knowledge base item for good",
      params: itemParams,
      replies: { 204: null },
      run: ({ caller, params: { agentId, itemId } }) =>
        db.transaction().execute((tx) => removeItem(tx, caller.workspaceId, agentId, itemId)),
    }),
  ];
}

function reindexRoute(): Route {
  return route({
    ...common,
    method: "POST",
    path: `${PATH}/items/{itemId}/reindex`,
    access: WRITE,
    summary: "Read a knowledge base item's source anew (extension)",
    description:
      "Answers at once with status PENDING; what was read before is found until then, and stays when reading fails. 409 for a disabled item.",
    params: itemParams,
    idempotent: true,
    replies: { 200: KnowledgeBaseItemDto },
    run: ({ tx, caller, params: { agentId, itemId } }) => reindexItem(tx, caller.workspaceId, agentId, itemId),
  });
}

function searchRoute({ db }: Database, embed: EmbedQuery): Route {
  return route({
    ...common,
    method: "GET",
    path: `${PATH}/search`,
    access: READ,
    summary: "Search a knowledge base (extension)",
    description:
      "By words always; by meaning too where the workspace has configured a model of kind EMBEDDING and the query has no phrase, OR or exclusion.",
    params: agentParams,
    query: Type.Object({
      q: Type.String({
        maxLength: 1_000,
        description: 'Words; "a phrase", OR and -excluded work as in web searches.',
      }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "Most passages. Default 5." })),
    }),
    replies: { 200: Type.Object({ results: Type.Array(KnowledgeHit) }, { $id: "KnowledgeSearchResults" }) },
    async run({ caller: { workspaceId }, params: { agentId }, query: { q, limit = DEFAULT_HITS } }) {
      await getAgent(db, workspaceId, agentId);
      return { results: await searchKnowledge(db, workspaceId, [agentId], q, { limit, embed }) };
    },
  });
}
