import type { Executor } from "#src/platform/db/database.ts";
import { type Page, readPage, toPage } from "#src/platform/http/paging.ts";
import { oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { toMoney } from "./money.ts";
import { USAGE_KINDS } from "./prices.ts";
import { countEntries, type EntryFilter, type EntryRow, listEntries, readAccount, sumDays } from "./store.ts";
import { USAGE_SUBJECTS } from "./usage.ts";

/** One entry of the ledger. */
export const UsageEntry = Type.Object(
  {
    id: Uuid,
    kind: oneOf(USAGE_KINDS),
    quantity: Type.Number({ description: "In the kind's unit." }),
    unitPrice: Type.String({ description: "Decimal, as it was when this was used." }),
    amount: Type.String({ description: "Quantity times unit price, not rounded." }),
    simulated: Type.Boolean({ description: "True: what it would have cost; not billed." }),
    subjectType: oneOf(USAGE_SUBJECTS),
    subjectId: Type.String({ description: "Call row, chat session or transcription row." }),
    createdAt: Timestamp,
  },
  { $id: "UsageEntry" },
);
export type UsageEntry = Static<typeof UsageEntry>;

/** A page of the ledger, newest first. */
export async function getEntries(
  tx: Executor,
  workspaceId: string,
  query: EntryFilter & { page?: number; size?: number; cursor?: string },
): Promise<Page<UsageEntry>> {
  const page = readPage(query);
  const rows = await listEntries(tx, workspaceId, query, page);
  return toPage(page, rows.map(toEntry), () => countEntries(tx, workspaceId, query));
}

function toEntry(row: EntryRow): UsageEntry {
  return {
    id: row.id,
    kind: row.kind,
    quantity: Number(row.quantity),
    unitPrice: toMoney(row.unit_price),
    amount: toMoney(row.amount),
    simulated: row.simulated,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    createdAt: row.created_at.toISOString(),
  };
}

/** Usage by UTC day and kind. */
export const UsageSummary = Type.Object(
  {
    from: Type.String({ description: "First day, UTC." }),
    to: Type.String({ description: "Last day, UTC." }),
    currency: Type.String(),
    billed: Type.String({ description: "All that was billed in these days." }),
    simulated: Type.String({ description: "What the sandbox would have cost." }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: "Such as 2026-12-01." }),
        kind: oneOf(USAGE_KINDS),
        simulated: Type.Boolean(),
        entries: Type.Integer(),
        quantity: Type.Number(),
        amount: Type.String(),
      }),
    ),
  },
  { $id: "UsageSummary" },
);
export type UsageSummary = Static<typeof UsageSummary>;

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Sums of the days from `from` to `to`, both included; by default the last 30 days. */
export async function getSummary(
  tx: Executor,
  workspaceId: string,
  query: { from?: string; to?: string },
): Promise<UsageSummary> {
  const to = readDay("to", query.to) ?? Math.floor(nowMs() / DAY_MS) * DAY_MS;
  const from = readDay("from", query.from) ?? to - (DEFAULT_DAYS - 1) * DAY_MS;
  if (from > to) throw dayFault("from", "must not be after to.");
  if (to - from >= MAX_DAYS * DAY_MS) throw dayFault("from", `must be at most ${MAX_DAYS} days before to.`);
  const days = await sumDays(tx, workspaceId, toDay(from), toDay(to));
  const { currency } = await readAccount(tx, workspaceId);
  return {
    from: toDay(from),
    to: toDay(to),
    currency,
    billed: toMoney(days[0]?.total_billed ?? "0"),
    simulated: toMoney(days[0]?.total_simulated ?? "0"),
    days: days.map(({ day, kind, simulated, entries, quantity, amount }) => ({
      day,
      kind,
      simulated,
      entries,
      quantity: Number(quantity),
      amount: toMoney(amount),
    })),
  };
}

function readDay(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || toDay(ms) !== text) throw dayFault(name, "is not a day that exists.");
  return ms;
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function dayFault(name: string, rest: string): AppError {
  return new AppError("INVALID_QUERY", `${name} ${rest}`, [{ path: name, code: "RANGE", message: `${name} ${rest}` }]);
}
