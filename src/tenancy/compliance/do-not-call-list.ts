import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf } from "#src/platform/db/paged-lists.ts";
import { toTotals } from "#src/platform/http/paging.ts";
import { nullable, oneOf, type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type Actor, recordAudit } from "#src/tenancy/audit/audit.ts";

/** Sources of an entry in the ledger. */
export const SOURCES = ["STOP_KEYWORD", "SPOKEN_REFUSAL", "OPERATOR", "SANDBOX"] as const;
/** Sources of a person's own words, which nobody else removes without the person's consent. */
const OWN_WORDS = new Set<string>(["STOP_KEYWORD", "SPOKEN_REFUSAL"]);

/** A number that is neither called nor messaged. */
export const DoNotCallEntry = Type.Object(
  { number: Type.String(), source: oneOf(SOURCES), note: nullable(Type.String()), createdAt: Timestamp },
  { $id: "DoNotCallEntry" },
);
export type DoNotCallEntry = Static<typeof DoNotCallEntry>;

/** The most digits of a number (ITU-T E.164). */
const MOST_DIGITS = 15;

interface EntryRow {
  number: string;
  source: DoNotCallEntry["source"];
  note: string | null;
  created_at: Date;
}

/** Page and filter of the ledger. */
export interface EntryQuery {
  page: number;
  size: number;
  /** Prefix of the numbers. */
  startsWith: string;
}

/** Returns a page of the ledger by number, and how many entries match. */
export async function getDoNotCall(
  db: Executor,
  workspaceId: string,
  { page, size, startsWith }: EntryQuery,
): Promise<{ content: DoNotCallEntry[]; totalElements: number; totalIsExact: boolean }> {
  const fitting = entriesFrom(workspaceId, startsWith);
  const [rows, counted] = await Promise.all([
    all<EntryRow>(db, sql`select d.* from ${fitting} order by d.number limit ${size + 1} offset ${page * size}`),
    countOf(db, fitting),
  ]);
  const content = rows.slice(0, size).map(toEntry);
  return { content, ...toTotals(counted, rows.length === 0 ? 0 : page * size + rows.length) };
}

/** Removes a number from the ledger; 409 when the person asked to be in it. */
export async function removeFromDoNotCall(tx: Executor, workspaceId: string, number: string): Promise<void> {
  const row = await first<EntryRow>(
    tx,
    sql`select * from do_not_call where workspace_id = ${workspaceId} and number = ${number} for update`,
  );
  if (!row) throw new AppError("NOT_FOUND", "This number is not in the do-not-call ledger.");
  if (OWN_WORDS.has(row.source))
    throw new AppError("CONFLICT", "The person asked for this, so only the person takes it back, by writing START.");
  await all(tx, sql`delete from do_not_call where workspace_id = ${workspaceId} and number = ${number}`);
}

/**
 * Entries d whose numbers begin so, read in the order of the numbers: the offset keeps the planner, which takes those that
 * fit for a few, from reading and sorting all of the ledger for each page.
 */
function entriesFrom(workspaceId: string, startsWith: string, source?: DoNotCallEntry["source"]) {
  const ofSource = source === undefined ? sql`true` : sql`d.source = ${source}`;
  // In every collation, numbers with a prefix follow it and come before its continuation by more nines than they have digits.
  const inRange = startsWith
    ? sql`d.number >= ${startsWith} and d.number <= ${startsWith + "9".repeat(MOST_DIGITS)}`
    : sql`true`;
  return sql`do_not_call d
    cross join lateral (select where starts_with(d.number, ${startsWith}) offset 0) fits
    where d.workspace_id = ${workspaceId} and ${ofSource} and ${inRange}`;
}

function toEntry({ number, source, note, created_at: at }: EntryRow): DoNotCallEntry {
  return { number, source, note, createdAt: at.toISOString() };
}

/** Lists entries by number, beginning after `after`; "" is the start. */
export async function listEntries(
  db: Executor,
  workspaceId: string,
  wanted: { size: number; after: string; source: DoNotCallEntry["source"] | undefined; startsWith: string },
): Promise<DoNotCallEntry[]> {
  const { size, after, source, startsWith } = wanted;
  const rows = await all<EntryRow>(
    db,
    sql`select d.* from ${entriesFrom(workspaceId, startsWith, source)} and d.number > ${after} order by d.number limit ${size}`,
  );
  return rows.map(toEntry);
}

/** Reads one entry; 404 when there is none. */
export async function readEntry(db: Executor, workspaceId: string, number: string): Promise<DoNotCallEntry> {
  const row = await first<EntryRow>(
    db,
    sql`select * from do_not_call where workspace_id = ${workspaceId} and number = ${number}`,
  );
  if (!row) throw notListed();
  return toEntry(row);
}

/**
 * Adds entries of an operator. A person's own words stay: a stop word becomes a refusal, which START does not take back
 * and an operator removes only with consent. Sorted, so that two imports at once do not deadlock. Returns the number of
 * new entries.
 */
export async function addEntries(
  tx: Executor,
  workspaceId: string,
  entries: { number: string; note: string | null }[],
): Promise<{ added: number; alreadyListed: number }> {
  const noteOf = new Map(entries.map(({ number, note }) => [number, note]));
  const numbers = [...noteOf.keys()].sort();
  const notes = numbers.map((number) => noteOf.get(number) ?? null);
  const rows = await all<{ is_new: boolean }>(
    tx,
    sql`insert into do_not_call as d (workspace_id, number, source, note)
        select ${workspaceId}, number, 'OPERATOR', note
          from unnest(${numbers}::text[], ${notes}::text[]) as e (number, note)
        on conflict (workspace_id, number) do update set source = 'SPOKEN_REFUSAL' where d.source = 'STOP_KEYWORD'
        returning xmax = 0 as is_new`,
  );
  const added = rows.filter(({ is_new: isNew }) => isNew).length;
  return { added, alreadyListed: numbers.length - added };
}

/** Reason and author of an entry's removal. */
export interface Removal {
  reason: string;
  /** The person's consent to be contacted again; without it, an entry that the person asked for stays (409). */
  consent?: string | undefined;
  actor: Actor;
}

/** Removes a number from the ledger and audits the reason and the actor, in one transaction. */
export async function removeEntry(
  tx: Executor,
  workspaceId: string,
  number: string,
  { reason, consent, actor }: Removal,
): Promise<void> {
  const row = await first<EntryRow>(
    tx,
    sql`select * from do_not_call where workspace_id = ${workspaceId} and number = ${number} for update`,
  );
  if (!row) throw notListed();
  if (OWN_WORDS.has(row.source) && consent === undefined) {
    throw new AppError(
      "CONFLICT",
      "The person asked for this entry. Send `consent` with how and when they agreed to be contacted again.",
    );
  }
  await all(tx, sql`delete from do_not_call where workspace_id = ${workspaceId} and number = ${number}`);
  const details = { source: row.source, reason, consent: consent ?? null };
  await recordAudit(tx, { workspaceId, actor, action: "do_not_call.removed", target: number, details });
}

function notListed(): AppError {
  return new AppError("NOT_FOUND", "This number is not in the do-not-call ledger.");
}
