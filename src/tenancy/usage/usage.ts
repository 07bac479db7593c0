import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { CHARGE_SQL } from "./charge-cte.ts";
import { tokenQuantities, type UsageKind, type UsedTokens } from "./prices.ts";

/** Kinds of records that usage belongs to. */
export const USAGE_SUBJECTS = ["CALL", "CHAT", "TRANSCRIPTION"] as const;
export type UsageSubject = (typeof USAGE_SUBJECTS)[number];

/** One used quantity. */
export interface NewUsageEntry {
  kind: UsageKind;
  /** Amount in the kind's unit; entries of zero are left out. */
  quantity: number;
  subjectType: UsageSubject;
  /** The call row, chat session or transcription row. */
  subjectId: string;
  /** Carried by the sandbox: not billed, shown with the price it would have had. */
  simulated: boolean;
}

/**
 * Writes usage into the workspace's ledger in the caller's transaction, at the current prices. Entries are only ever
 * added: the caller makes sure that each use is recorded once.
 */
export async function recordUsage(tx: Executor, workspaceId: string, entries: NewUsageEntry[]): Promise<void> {
  const fault = entries.find((entry) => !(Number.isFinite(entry.quantity) && entry.quantity >= 0));
  if (fault) throw new Error(`Usage of ${fault.quantity} ${fault.kind} cannot be recorded.`);
  const rows = entries
    .filter((entry) => entry.quantity > 0)
    .map((entry) => ({
      id: uuidv7(),
      kind: entry.kind,
      quantity: entry.quantity,
      simulated: entry.simulated,
      subject_type: entry.subjectType,
      subject_id: entry.subjectId,
    }));
  if (rows.length === 0) return;
  await all(
    tx,
    sql`with used as (
          select ${workspaceId}::uuid as workspace_id, x.* from json_to_recordset(${JSON.stringify(rows)}::json)
            as x(id uuid, kind text, quantity numeric, simulated boolean, subject_type text, subject_id uuid)
        ),${sql.raw(CHARGE_SQL)}
        select count(*) from priced`,
  );
}

/** Records the tokens that models counted for a subject. */
export function recordTokens(
  tx: Executor,
  workspaceId: string,
  subject: Pick<NewUsageEntry, "subjectType" | "subjectId" | "simulated">,
  used: UsedTokens,
): Promise<void> {
  return recordUsage(
    tx,
    workspaceId,
    tokenQuantities(used).map((entry) => ({ ...subject, ...entry })),
  );
}

/** Returns the tokens that were recorded for a subject so far. */
export async function findUsedTokens(db: Executor, workspaceId: string, subjectId: string): Promise<UsedTokens> {
  const rows = await all<{ kind: UsageKind; quantity: number }>(
    db,
    sql`select kind, sum(quantity)::float8 as quantity from usage_entries
        where workspace_id = ${workspaceId} and subject_id = ${subjectId} group by kind`,
  );
  const quantityOf = (kind: UsageKind) => rows.find((row) => row.kind === kind)?.quantity ?? 0;
  const cachedTokens = quantityOf("MODEL_CACHED_INPUT_TOKEN");
  const inputTokens = quantityOf("MODEL_INPUT_TOKEN") + cachedTokens;
  return { inputTokens, cachedTokens, outputTokens: quantityOf("MODEL_OUTPUT_TOKEN") };
}
