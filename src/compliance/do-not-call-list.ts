import { all, type Executor, first, sql } from "#src/db/database.ts";
import { nullable, oneOf, type Static, Timestamp, Type } from "#src/http/schemas.ts";
import { AppError } from "#src/kernel/errors.ts";

const SOURCES = ["STOP_KEYWORD", "SPOKEN_REFUSAL", "OPERATOR", "SANDBOX"] as const;
/** What people said themselves, only they take back. */
const OWN_WORDS = new Set<string>(["STOP_KEYWORD", "SPOKEN_REFUSAL"]);

/** A number that is neither called nor written to. */
export const DoNotCallEntry = Type.Object(
  { number: Type.String(), source: oneOf(SOURCES), note: nullable(Type.String()), createdAt: Timestamp },
  { $id: "DoNotCallEntry" },
);
export type DoNotCallEntry = Static<typeof DoNotCallEntry>;

interface EntryRow {
  number: string;
  source: DoNotCallEntry["source"];
  note: string | null;
  created_at: Date;
}

/** Which part of the ledger is asked for. */
export interface EntryQuery {
  page: number;
  size: number;
  /** Numbers that begin so. */
  startsWith: string;
}

/** A page of the ledger by number, and how many entries fit. */
export async function getDoNotCall(
  db: Executor,
  workspaceId: string,
  { page, size, startsWith }: EntryQuery,
): Promise<{ content: DoNotCallEntry[]; totalElements: number }> {
  const fits = sql`workspace_id = ${workspaceId} and starts_with(number, ${startsWith})`;
  const [rows, counted] = await Promise.all([
    all<EntryRow>(db, sql`select * from do_not_call where ${fits} order by number limit ${size} offset ${page * size}`),
    first<{ count: number }>(db, sql`select count(*) as count from do_not_call where ${fits}`),
  ]);
  const content = rows.map(({ created_at: at, ...row }) => ({
    number: row.number,
    source: row.source,
    note: row.note,
    createdAt: at.toISOString(),
  }));
  return { content, totalElements: counted?.count ?? 0 };
}

/** Takes a number out of the ledger; 409 where the person asked to be in it. */
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
