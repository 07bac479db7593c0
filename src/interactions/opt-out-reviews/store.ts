import type { RawBuilder } from "kysely";
import type { OptOutDoubt } from "#src/engine/opt-out/doubt.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import type { OptOutReviewState } from "#src/tenancy/compliance/opt-out-hold.ts";

/** A stored review. The names are the columns of `opt_out_reviews`. */
export interface ReviewRow {
  id: string;
  subject_type: "CALL" | "CHAT";
  subject_id: string;
  session_id: string;
  number: string | null;
  contact_id: string | null;
  reason: OptOutDoubt["reason"];
  language: string | null;
  quotes: OptOutDoubt["quotes"];
  state: OptOutReviewState;
  note: string | null;
  decided_by: string | null;
  decided_at: Date | null;
  created_at: Date;
}

/** Filters of a list of reviews. */
export interface ReviewFilter {
  state?: OptOutReviewState | undefined;
  number?: string | undefined;
}

function conditions(workspaceId: string, { state, number }: ReviewFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`workspace_id = ${workspaceId}`];
  if (state !== undefined) parts.push(sql`state = ${state}`);
  if (number !== undefined) parts.push(sql`number = ${number}`);
  return sql.join(parts, sql` and `);
}

/** A page of reviews, newest first, with one more than asked for. */
export function listReviews(
  db: Executor,
  workspaceId: string,
  filter: ReviewFilter,
  page: PageRequest,
): Promise<ReviewRow[]> {
  return all(
    db,
    sql`select * from opt_out_reviews where ${conditions(workspaceId, filter)} and ${isBefore(page)}
        order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of reviews that match a filter. */
export function countReviews(db: Executor, workspaceId: string, filter: ReviewFilter): Promise<number> {
  return countOf(db, sql`opt_out_reviews where ${conditions(workspaceId, filter)}`);
}

/** One review. */
export function findReview(db: Executor, workspaceId: string, id: string): Promise<ReviewRow | undefined> {
  return first(db, sql`select * from opt_out_reviews where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Stores the review of a chat; false when the person has already opted out. */
export async function insertChatReview(
  tx: Executor,
  workspaceId: string,
  review: { id: string; chatId: string; phone: string | null; contactId: string | null; doubt: OptOutDoubt },
): Promise<boolean> {
  const { id, chatId, phone, contactId, doubt } = review;
  const rows = await all(
    tx,
    sql`insert into opt_out_reviews (workspace_id, id, subject_type, subject_id, session_id, number, contact_id, reason,
          language, quotes)
        select ${workspaceId}::uuid, ${id}::uuid, 'CHAT', ${chatId}::uuid, ${chatId}::uuid, who.number, ${contactId}::uuid,
          ${doubt.reason}, ${doubt.language}::text, ${toStorableJson(doubt.quotes)}::json
          from (select 1) one
          left join contacts c on c.workspace_id = ${workspaceId} and c.id = ${contactId}::uuid
         cross join lateral (select coalesce(${phone}::text, c.phone) as number) who
         where c.opted_out_at is null
           and not exists (select 1 from do_not_call d where d.workspace_id = ${workspaceId} and d.number = who.number)
        returning id`,
  );
  return rows.length > 0;
}

/**
 * Locks the open reviews of the same person and returns their ids. They are locked in the order of ids, so that two
 * decisions cannot deadlock.
 */
export async function lockOpenReviews(
  tx: Executor,
  workspaceId: string,
  { number, contact_id: contactId }: Pick<ReviewRow, "number" | "contact_id">,
): Promise<string[]> {
  const rows = await all<{ id: string }>(
    tx,
    sql`select id from opt_out_reviews
         where workspace_id = ${workspaceId} and state = 'OPEN' and (number = ${number} or contact_id = ${contactId})
         order by id for update`,
  );
  return rows.map(({ id }) => id);
}

/** Stores the decision on reviews. */
export async function setDecided(
  tx: Executor,
  workspaceId: string,
  ids: string[],
  { state, note, decidedBy }: { state: OptOutReviewState; note: string | null; decidedBy: string },
): Promise<void> {
  await all(
    tx,
    sql`update opt_out_reviews set state = ${state}, note = ${note}, decided_by = ${decidedBy}, decided_at = now()
         where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`,
  );
}
