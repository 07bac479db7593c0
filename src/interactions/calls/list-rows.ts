import type { Database } from "#src/platform/db/database.ts";
import { MOST_COUNTED } from "#src/platform/db/paged-lists.ts";
import { readPage, toPage } from "#src/platform/http/paging.ts";
import { oneOf, TimestampInput, Type } from "#src/platform/http/schemas.ts";
import { readSort, sortQuery } from "#src/platform/http/sorting.ts";
import { E164_PATTERN } from "#src/platform/kernel/e164.ts";
import { toCallRow } from "./call-row.ts";
import { findByStart, findFew } from "./few-sql.ts";
import { countRows, listRows, MOST_FOUND, type RowFilter } from "./list-sql.ts";
import { findByNumbers } from "./numbers-sql.ts";
import { listRowsById } from "./rows-by-id.ts";
import { listSortedRows, MEASURES } from "./sorted-sql.ts";
import { DIRECTIONS, ROW_OUTCOMES, ROW_STATUSES } from "./states.ts";
import type { CallRowRecord } from "./store.ts";
import { findNear } from "./walk-sql.ts";
import { findByWords } from "./words-sql.ts";

/** Text without NUL, which the database cannot compare. */
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, pattern: "^[^\\u0000]*$", description }));

const SORTED_BY = ["createdAt", ...MEASURES] as const;

/** Query parameters that filter and sort every list of rows. `status` and `outcome` may be repeated. */
export const rowFilterQuery = {
  status: Type.Optional(Type.Array(oneOf(ROW_STATUSES), { description: "Any of these; repeat it for several." })),
  outcome: Type.Optional(Type.Array(oneOf(ROW_OUTCOMES), { description: "Any of these; repeat it for several." })),
  direction: Type.Optional(oneOf(DIRECTIONS, "Who called: the service or the person.")),
  customerNumber: Type.Optional(
    Type.String({
      pattern: `${E164_PATTERN}|^web:`,
      maxLength: 60,
      description: "The person's number, whole, such as +12025550100; of a call over the web, as its row shows it.",
    }),
  ),
  customerNumberPrefix: Type.Optional(
    Type.String({ pattern: "^\\+[0-9]{1,15}$", description: "How the number starts, as in +4930. (extension)" }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: "^[^\\u0000]*$",
      description:
        "Words that the contact's name has, by how they begin, or a part of the number; 400 when more than 200000 calls or 20000 numbers have each word, and too few of the first 50000 calls have all. (extension)",
    }),
  ),
  flowApiId: text(200, "apiId of the flow that holds the calls."),
  externalId: text(200, "Your own id of the row, as it was sent."),
  humanRequested: Type.Optional(
    Type.Boolean({
      description: "True: calls whose person asked for a human and was not handed over; false: the others. (extension)",
    }),
  ),
  createdAfter: Type.Optional(TimestampInput),
  createdBefore: Type.Optional(TimestampInput),
  sort: sortQuery(
    SORTED_BY,
    "Default: a job's rows by createdAt, the history by -createdAt. By durationSeconds, latency (its p50Ms) and cost, only calls that have ended with one are listed, some seconds after their end; 400 when more than 10000 calls match and are too far apart in this order.",
  ),
};

type FilterQuery = {
  status?: string[];
  outcome?: string[];
  sort?: (typeof SORTED_BY)[number] | `-${(typeof SORTED_BY)[number]}`;
} & Pick<
  RowFilter,
  | "direction"
  | "customerNumber"
  | "customerNumberPrefix"
  | "search"
  | "flowApiId"
  | "externalId"
  | "humanRequested"
  | "createdAfter"
  | "createdBefore"
>;

/** Returns a page of the rows that match a filter, in their API form. */
export async function readRows(
  { db }: Database,
  publicUrl: string,
  workspaceId: string,
  query: FilterQuery & { page?: number; size?: number; cursor?: string },
  jobId?: string,
) {
  const { status, outcome, sort: sortedBy, page: _page, size: _size, cursor: _cursor, ...plain } = query;
  const filter: RowFilter = { ...plain, statuses: status, outcomes: outcome, jobId };
  const sort = readSort(sortedBy, jobId === undefined ? "-createdAt" : "createdAt");
  const page = readPage(query);
  const toRows = (rows: CallRowRecord[]) => rows.map((row) => toCallRow(row, publicUrl));
  const { by, isDescending } = sort;
  if (by !== "createdAt") {
    const { rows, counted, most } = await listSortedRows(db, workspaceId, filter, { by, isDescending }, page);
    return toPage(page, toRows(rows), counted, most);
  }
  const list = { workspaceId, filter, isDescending, page };
  const found =
    (await findFew(db, list)) ??
    (await findByWords(db, list)) ??
    (await findNear(db, list)) ??
    (await findByStart(db, list)) ??
    (await findByNumbers(db, list));
  if (found) return toPage(page, toRows(await listRowsById(db, workspaceId, found.ids)), found.counted, found.most);
  const rows = await listRows(db, list);
  const most = filter.search ? MOST_FOUND : MOST_COUNTED;
  return toPage(page, toRows(rows), () => countRows(db, workspaceId, filter, most), most);
}
