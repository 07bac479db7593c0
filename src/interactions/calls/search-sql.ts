import type { RawBuilder } from "kysely";
import { sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import type { SearchPart } from "./search.ts";

/** Upper end of the range of texts with a given prefix, in byte order. */
const LAST_CHARACTER = "\u{10ffff}";

/** Returns the condition that a number starts so. */
export function numberBounds(column: RawBuilder<unknown>, start: string): RawBuilder<unknown> {
  // A colon sorts right after the digits. A plan that is kept for any bounds goes through all calls of the workspace.
  return sql`${column} ~>=~ ${start} and ${column} ~<~ ${`${start}:`} ${sql.raw(PLANNED_ANEW)}`;
}

/** Returns the ids of the rows with a word that begins so. */
function namedSql(workspaceId: string, word: string): RawBuilder<unknown> {
  return sql`select n.row_id as id from call_names n where n.workspace_id = ${workspaceId} and ${begins(word)}`;
}

/** Returns the ids of at most `most` rows with a word that begins so; in the order of the index, which serves it then. */
export function someNamedSql(workspaceId: string, word: string, more: RawBuilder<unknown>, most: number) {
  return sql`(${namedSql(workspaceId, word)} ${more} order by n.word, n.row_id limit ${most})`;
}

const begins = (word: string) =>
  sql`n.word >= search_word(${word}) and n.word < search_word(${word}) || ${LAST_CHARACTER}::text`;

/**
 * Returns the numbers that have these digits. They are found among those of all workspaces: the planner would read all
 * numbers of the workspace besides.
 */
export const numbersSql = (workspaceId: string, digits: string) =>
  sql`select d.number from (select * from call_numbers where number like ${`%${digits}%`} offset 0) d
    where d.workspace_id = ${workspaceId}`;

/** Begins a statement with at most one more than `most` of the numbers that have these digits. */
export const withNumbers = (workspaceId: string, digits: string, most: number) =>
  sql`with numbers as materialized (${numbersSql(workspaceId, digits)} limit ${most + 1})`;

/** Returns the ids of the calls of these numbers that meet conditions on `call_rows r`; none where there are more. */
export function callsOfNumbers(conditions: RawBuilder<unknown>[], most: number): RawBuilder<unknown> {
  // The offset has each number looked up: the planner would read the workspace's calls instead.
  return sql`select r.id from numbers n cross join lateral (
      select r.id from call_rows r where r.customer_number = n.number and ${sql.join(conditions, sql` and `)} offset 0) r
    where (select count(*) from numbers) <= ${most}`;
}

/** Returns the ids of the rows that match a part of a search that has a word. */
export function wordedSql(workspaceId: string, { word = "", digits }: SearchPart): RawBuilder<unknown> {
  const named = namedSql(workspaceId, word);
  if (digits === undefined) return named;
  return sql`${named} union select c.id from call_rows c
    where c.workspace_id = ${workspaceId} and c.customer_number in (${numbersSql(workspaceId, digits)})`;
}

/**
 * Returns conditions that a row matches the parts of a search, to be evaluated for each row that is looked at: first
 * those that are cheap and let all of these rows pass, because a name without accents has a word as it is.
 */
export function checksOfSearch(parts: SearchPart[]): RawBuilder<unknown>[] {
  return [
    ...parts.map((part) => checkOf(part, holds)),
    ...parts.filter(({ word }) => word !== undefined).map((part) => checkOf(part, has)),
  ];
}

function checkOf(part: SearchPart, named: (word: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  if (part.word === undefined) return numbered(part);
  return part.digits === undefined ? named(part.word) : sql`(${numbered(part)} or ${named(part.word)})`;
}

const numbered = ({ start, digits }: SearchPart) =>
  start === undefined ? sql`r.customer_number like ${`%${digits}%`}` : numberBounds(sql`r.customer_number`, start);
const holds = (word: string) => sql`(octet_length(r.contact_name) <> length(r.contact_name)
  or strpos(lower(r.contact_name), search_word(${word})) > 0)`;
// A word at the beginning or after a space is seen without cutting the name into its words, which takes eight times as long.
const has = (word: string) =>
  sql`(strpos(' ' || lower(r.contact_name), ' ' || search_word(${word})) > 0
  or exists (select from words_of_name(r.contact_name) w where starts_with(w, search_word(${word}))))`;

/**
 * Selects the rows that match one part of a search. Names are matched by their words, parts of numbers in the table of
 * numbers, which has each of them once.
 */
export function fitting(workspaceId: string, part: SearchPart): RawBuilder<unknown> {
  if (part.word !== undefined) return sql`r.id in (${wordedSql(workspaceId, part)})`;
  if (part.digits === undefined) return numbered(part);
  // The number is compared as well: of rows that are looked at one by one, only those that match are looked up.
  return sql`${numbered(part)} and r.customer_number in (${numbersSql(workspaceId, part.digits)})`;
}
