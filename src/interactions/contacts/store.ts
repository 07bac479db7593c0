import type { RawBuilder } from "kysely";
import { all, type Executor, first, lockName, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { countOf, limitTo, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { readAnchor, type Sort } from "#src/platform/http/sorting.ts";

/** Source of the opt-out of a contact without a number. */
export type OptedOutSource = "OPERATOR" | "SPOKEN_REFUSAL";

/** A stored contact. */
export interface ContactRow {
  id: string;
  phone: string | null;
  identifier: string | null;
  email: string | null;
  name: string | null;
  opted_out_at: Date | null;
  /** Null for an opt-out from before sources were stored, which counts as SPOKEN_REFUSAL. */
  opted_out_source: OptedOutSource | null;
  created_at: Date;
  updated_at: Date;
}

/** A contact with its opt-out source and its counts. */
export interface ContactRecord extends Omit<ContactRow, "opted_out_source"> {
  opt_out_source: string | null;
  call_count: number;
  chat_count: number;
  last_seen_at: Date | null;
}

/** Filters of a list of contacts. */
export interface ContactFilter {
  phone?: string | undefined;
  email?: string | undefined;
  identifier?: string | undefined;
  name?: string | undefined;
}

/** A called person, by the fields of a call row. */
export interface CalledPerson {
  id: string;
  workspace_id: string;
  phone: string;
  name: string | null;
  email: string | null;
}

/** Update of a known contact: new values replace the old ones, and without a new value nothing is written. */
const LEARN = `set name = coalesce(excluded.name, c.name), email = coalesce(excluded.email, c.email), updated_at = now()`;
const IS_CONVERSATION_EVENT = `(excluded.name is not null and excluded.name is distinct from c.name)
                 or (excluded.email is not null and excluded.email is distinct from c.email)`;

/** Stores contacts for the people being called, in one statement and one order, so that nodes cannot deadlock. */
export async function upsertCalled(db: Executor, people: CalledPerson[]): Promise<void> {
  await all(
    db,
    sql`insert into contacts as c (workspace_id, id, phone, name, email)
        select distinct on (workspace_id, phone) workspace_id, id, phone, nullif(name, ''), nullif(email, '')
          from json_to_recordset(${JSON.stringify(people)}::json)
            as x(workspace_id uuid, id uuid, phone text, name text, email text)
         order by workspace_id, phone
        on conflict (workspace_id, phone) do update ${sql.raw(LEARN)} where ${sql.raw(IS_CONVERSATION_EVENT)}`,
  );
}

/** Finds or creates the contact of a number or of a chat identifier; locked until the transaction ends. */
export async function upsertOne(
  tx: Executor,
  workspaceId: string,
  key: "phone" | "identifier",
  who: { id: string; value: string; name: string | null; email: string | null },
): Promise<ContactRow> {
  const column = sql.raw(key);
  const rows = await all<ContactRow>(
    tx,
    sql`insert into contacts as c (workspace_id, id, ${column}, name, email)
        values (${workspaceId}, ${who.id}, ${who.value}, nullif(${who.name}::text, ''), nullif(${who.email}::text, ''))
        on conflict (workspace_id, ${column}) do update ${sql.raw(LEARN)} returning *`,
  );
  return rows[0] as ContactRow;
}

/** Locks an identifier until the transaction ends, so that nobody else assigns it to a contact. */
export async function lockIdentifier(tx: Executor, workspaceId: string, identifier: string): Promise<void> {
  await lockName(tx, workspaceId, "contact", identifier);
}

/** The contact with this chat identifier, locked. */
export function lockByIdentifier(
  tx: Executor,
  workspaceId: string,
  identifier: string,
): Promise<ContactRow | undefined> {
  return first(
    tx,
    sql`select * from contacts where workspace_id = ${workspaceId} and identifier = ${identifier} for update`,
  );
}

/** Lists the contacts with this e-mail address, two at most. */
export function findByEmail(tx: Executor, workspaceId: string, email: string): Promise<ContactRow[]> {
  return all(
    tx,
    sql`select * from contacts where workspace_id = ${workspaceId} and lower(email) = lower(${email})
        order by id limit 2`,
  );
}

/** Returns one contact, locked for the change that follows. */
export function lockContact(tx: Executor, workspaceId: string, id: string): Promise<ContactRow | undefined> {
  return first(tx, sql`select * from contacts where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Sets the chat identifier of a contact. */
export async function setIdentifier(tx: Executor, workspaceId: string, id: string, identifier: string): Promise<void> {
  await all(
    tx,
    sql`update contacts set identifier = ${identifier}, updated_at = now() where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Merges a contact into another that proved to be the same person. */
export async function absorbContact(tx: Executor, workspaceId: string, from: ContactRow, into: string): Promise<void> {
  await all(
    tx,
    sql`update chat_sessions set contact_id = ${into} where workspace_id = ${workspaceId} and contact_id = ${from.id}`,
  );
  await all(
    tx,
    sql`update opt_out_reviews v set contact_id = ${into}, number = coalesce(v.number, c.phone) from contacts c
         where v.workspace_id = ${workspaceId} and v.contact_id = ${from.id} and c.workspace_id = v.workspace_id and c.id = ${into}`,
  );
  await deleteContact(tx, workspaceId, from.id);
  await all(
    tx,
    sql`update contacts set identifier = ${from.identifier}, name = coalesce(name, ${from.name}),
          email = coalesce(email, ${from.email}), updated_at = now()
        where workspace_id = ${workspaceId} and id = ${into}`,
  );
}

/** Deletes a contact. */
export async function deleteContact(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(tx, sql`delete from contacts where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Records the opt-out of a contact without a number. A refusal replaces an operator's entry. */
export async function setOptedOut(
  tx: Executor,
  workspaceId: string,
  id: string,
  source: OptedOutSource,
): Promise<void> {
  await all(
    tx,
    sql`update contacts set opted_out_at = coalesce(opted_out_at, now()), updated_at = now(),
          opted_out_source = case when opted_out_at is null or ${source} = 'SPOKEN_REFUSAL' then ${source}
                                  else opted_out_source end
        where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Removes an operator's entry on a contact without a number, and none of the person's own. */
export async function clearOperatorOptOut(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(
    tx,
    sql`update contacts set opted_out_at = null, opted_out_source = null, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and opted_out_source = 'OPERATOR'`,
  );
}

/** Source of the opt-out in the row of a contact `c`. */
export const OPTED_OUT_SOURCE_SQL = "coalesce(c.opted_out_source, 'SPOKEN_REFUSAL')";

/** Creates the contact of a called number that has none, because its calls are older than the table of contacts. */
export async function ensureCalled(db: Executor, workspaceId: string, id: string, phone: string): Promise<void> {
  await all(
    db,
    sql`insert into contacts (workspace_id, id, phone, name, email)
        select r.workspace_id, ${id}, r.customer_number, r.contact_name, r.contact_email from call_rows r
         where r.workspace_id = ${workspaceId} and r.customer_number = ${phone} and r.ended_at is not null
         order by r.ended_at desc limit 1
        on conflict (workspace_id, phone) do nothing`,
  );
}

/** Columns of a contact `c` with its ledger entry and its counts. */
const RECORD = sql`
  c.id, c.phone, c.identifier, c.email, c.name, c.created_at, c.updated_at,
  coalesce(d.created_at, c.opted_out_at) as opted_out_at,
  coalesce(d.source, case when c.opted_out_at is not null then ${sql.raw(OPTED_OUT_SOURCE_SQL)} end) as opt_out_source,
  calls.n as call_count, chats.n as chat_count, greatest(calls.last_at, chats.last_at) as last_seen_at`;

/** Calls of a contact that are counted, and chats: a page has 200 contacts, each of which may have very many. */
const MOST_CONVERSATIONS = 1_000;

const COUNTS = sql`
  left join do_not_call d on d.workspace_id = c.workspace_id and d.number = c.phone
  cross join lateral (
    select count(*)::int as n, max(ended_at) as last_at from (
      select r.ended_at from call_rows r
       where r.workspace_id = c.workspace_id and r.customer_number = c.phone and r.ended_at is not null
       order by r.ended_at desc limit ${sql.lit(MOST_CONVERSATIONS)}) r) calls
  cross join lateral (
    select count(*)::int as n, max(coalesce(last_message_at, created_at)) as last_at from (
      select h.last_message_at, h.created_at from chat_sessions h
       where h.workspace_id = c.workspace_id and h.contact_id = c.id
       order by h.id desc limit ${sql.lit(MOST_CONVERSATIONS)}) h) chats`;

/** One contact. */
export function findContact(db: Executor, workspaceId: string, id: string): Promise<ContactRecord | undefined> {
  return first(
    db,
    sql`select ${RECORD} from contacts c ${COUNTS} where c.workspace_id = ${workspaceId} and c.id = ${id}`,
  );
}

function matching(workspaceId: string, { phone, email, identifier, name }: ContactFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`workspace_id = ${workspaceId}`];
  if (phone !== undefined) parts.push(sql`phone = ${phone}`);
  if (email !== undefined) parts.push(sql`lower(email) = lower(${email})`);
  if (identifier !== undefined) parts.push(sql`identifier = ${identifier}`);
  if (name !== undefined) {
    const beginning = `${name.replaceAll(/[\\%_]/g, "\\$&")}%`;
    parts.push(sql`lower(name) like lower(${beginning}) ${sql.raw(PLANNED_ANEW)}`);
  }
  return sql.join(parts, sql` and `);
}

/** Columns by which contacts are sorted. */
export const CONTACTS_SORTED_BY = ["createdAt", "name"] as const;

/** A page of contacts in an order, with one row more than asked for. Those without a name are in no order of names. */
export async function listContacts(
  db: Executor,
  workspaceId: string,
  filter: ContactFilter,
  { by, isDescending }: Sort<(typeof CONTACTS_SORTED_BY)[number]>,
  page: PageRequest,
): Promise<ContactRecord[]> {
  const { after, order } =
    by === "name" ? await inOrderOfNames(db, workspaceId, isDescending, page) : orderById(page, "c.id", isDescending);
  const isNamed = by === "createdAt" && filter.name !== undefined;
  const found = isNamed ? await inOrderOfIds(db, workspaceId, filter) : contactsWith(matching(workspaceId, filter));
  return all(
    db,
    // The ids are found first, so that the index alone is read of contacts that a far page skips.
    sql`select ${RECORD} from (
          select id from ${found} and ${after} order by ${order} ${limitTo(page)}) found
        join contacts c on c.workspace_id = ${workspaceId} and c.id = found.id ${COUNTS}
        order by ${order}`,
  );
}

const contactsWith = (condition: RawBuilder<unknown>) => sql`contacts c where ${condition}`;

/** Contacts that a filter by name finds, in the order of their ids: the few ones are found before, many among all. */
async function inOrderOfIds(db: Executor, workspaceId: string, filter: ContactFilter): Promise<RawBuilder<unknown>> {
  const ofWorkspace = sql`workspace_id = ${workspaceId}`;
  const ids = await fewNamed(db, workspaceId, filter);
  if (ids) return contactsWith(sql`${ofWorkspace} and id = any(${ids}::uuid[])`);
  // The offset keeps the planner, which takes them for a few, from reading all of them by their name and sorting them.
  return sql`contacts c cross join lateral (select where ${matching(workspaceId, filter)} offset 0) named
      where ${ofWorkspace}`;
}

/** Names that are read in the order of the index contacts_by_name, so that it serves them. */
const BY_NAME = sql`name is not null order by lower(name) using ~<~`;
/** Contacts with a name that are sorted by their ids. More of them are found soon among all. */
const FEW_NAMED = 1_000;

/** Returns the ids of the contacts that a filter by name finds; undefined when they are not few. */
async function fewNamed(db: Executor, workspaceId: string, filter: ContactFilter): Promise<string[] | undefined> {
  const found = await all<{ id: string }>(
    db,
    sql`select id from contacts where ${matching(workspaceId, filter)} and ${BY_NAME} limit ${FEW_NAMED + 1}`,
  );
  return found.length > FEW_NAMED ? undefined : found.map(({ id }) => id);
}

/** The order of the index contacts_by_name, by bytes. */
async function inOrderOfNames(db: Executor, workspaceId: string, isDescending: boolean, page: PageRequest) {
  const anchor = await readAnchor(page, (id) =>
    first<{ name: string }>(
      db,
      sql`select lower(name) as name from contacts where workspace_id = ${workspaceId} and id = ${id} and name is not null`,
    ),
  );
  const order = isDescending ? sql`lower(c.name) using ~>~, c.id desc` : sql`lower(c.name) using ~<~, c.id`;
  const after = anchor && afterName(anchor.name, page, isDescending);
  return { after: sql`c.name is not null and ${after ?? sql`true`}`, order };
}

function afterName(name: string, { after }: PageRequest, isDescending: boolean): RawBuilder<unknown> {
  return isDescending
    ? sql`lower(c.name) ~<=~ ${name} and (lower(c.name) ~<~ ${name} or c.id < ${after})`
    : sql`lower(c.name) ~>=~ ${name} and (lower(c.name) ~>~ ${name} or c.id > ${after})`;
}

/** Returns the number of contacts that match a filter. */
export function countContacts(
  db: Executor,
  workspaceId: string,
  filter: ContactFilter,
  { by }: Sort<(typeof CONTACTS_SORTED_BY)[number]>,
): Promise<number> {
  const everybody = sql`contacts where ${matching(workspaceId, filter)}`;
  // Without an order, those with a name are counted by reading the table from its beginning.
  return countOf(db, by === "name" || filter.name !== undefined ? sql`${everybody} and ${BY_NAME}` : everybody);
}
