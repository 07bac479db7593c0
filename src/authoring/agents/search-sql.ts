import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** One passage with its rank. */
export interface HitRow {
  itemId: string;
  title: string;
  headings: string[];
  page: number | null;
  position: number;
  text: string;
  score: number;
}

/** Returns the agents' ids as lexemes; every passage of theirs holds one of them. */
function ownLexemes(agentIds: string[]) {
  const lexemes = agentIds.map((id) => `'${id.toLowerCase().replaceAll(/[^0-9a-f-]/g, "")}'`);
  return sql`${lexemes.join(" | ")}::tsquery`;
}

/** 'simple', and the configurations of the languages that the agents' items name. */
function configs(workspaceId: string, agentIds: string[]) {
  return sql`configs as (
    select 'simple' as config
    union
    select config from knowledge_items
    where workspace_id = ${workspaceId} and agent_id = any(${agentIds}::uuid[]) and enabled)`;
}

/** Returns the passages that match a query in web search syntax, best first. */
export function findAll(
  db: Executor,
  workspaceId: string,
  agentIds: string[],
  text: string,
  limit: number,
): Promise<HitRow[]> {
  return all(
    db,
    sql`with ${configs(workspaceId, agentIds)},
        asked as (
          select string_agg(nullif(websearch_to_tsquery(('pg_catalog.' || config)::regconfig, ${text})::text, ''),
                            ' | ')::tsquery as query from configs
        )
        select c.item_id as "itemId", c.title, c.headings, c.page, c.position, c.text,
          ts_rank(c.tsv, (select query from asked), 1)::float8 as score
        from knowledge_chunks c join knowledge_items i on i.workspace_id = c.workspace_id and i.id = c.item_id
        where c.tsv @@ (select ${ownLexemes(agentIds)} && query from asked)
          and c.workspace_id = ${workspaceId} and c.agent_id = any(${agentIds}::uuid[]) and i.enabled
        order by score desc, c.item_id, c.position limit ${limit}`,
  );
}

/**
 * Returns the passages that hold some of the words, best first. Weights each word by its rarity among the agents'
 * passages, since otherwise "the" and "is" would decide.
 */
export function findSome(
  db: Executor,
  workspaceId: string,
  agentIds: string[],
  words: string[],
  limit: number,
): Promise<HitRow[]> {
  return all(
    db,
    sql`with ${configs(workspaceId, agentIds)},
        terms as (
          select word, string_agg(nullif(plainto_tsquery(('pg_catalog.' || config)::regconfig, word)::text, ''),
                                  ' | ')::tsquery as query
          from unnest(${words}::text[]) as word cross join configs group by word
        ),
        total as (
          select coalesce(sum(chunk_count), 0) as chunks from knowledge_items
          where workspace_id = ${workspaceId} and agent_id = any(${agentIds}::uuid[]) and enabled
        ),
        found as (
          select c.item_id, c.task_id, c.position, ts_rank(c.tsv, t.query, 1) as rank,
            count(*) over (partition by t.word) as holders
          from terms t join knowledge_chunks c on c.tsv @@ (${ownLexemes(agentIds)} && t.query)
            join knowledge_items i on i.workspace_id = c.workspace_id and i.id = c.item_id
          where t.query is not null and c.workspace_id = ${workspaceId} and c.agent_id = any(${agentIds}::uuid[])
            and i.enabled
        ),
        best as (
          select item_id, task_id, position,
            sum(ln(1 + greatest((select chunks from total), holders)::float8 / holders) * (0.5 + rank)) as score
          from found group by item_id, task_id, position order by score desc, item_id, position limit ${limit}
        )
        select c.item_id as "itemId", c.title, c.headings, c.page, c.position, c.text, best.score
        from best join knowledge_chunks c using (item_id, task_id, position)
        where c.workspace_id = ${workspaceId} order by best.score desc, c.item_id, c.position`,
  );
}
