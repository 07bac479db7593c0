import type { Database } from "#src/platform/db/database.ts";
import { MOST_COUNTED } from "#src/platform/db/paged-lists.ts";
import { readPage, toPage } from "#src/platform/http/paging.ts";
import { oneOf, TimestampInput, Type } from "#src/platform/http/schemas.ts";
import { toCallRow } from "./call-row.ts";
import { countRows, listRows, MOST_FOUND, type RowFilter } from "./list-sql.ts";
import { DIRECTIONS, ROW_OUTCOMES, ROW_STATUSES } from "./states.ts";

/** Text without NUL, which the database cannot compare. */
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength, pattern: "^[^\\u0000]*$" }));

/** Query parameters that filter every list of rows. `status` and `outcome` may be repeated. */
export const rowFilterQuery = {
  status: Type.Optional(Type.Array(oneOf(ROW_STATUSES))),
  outcome: Type.Optional(Type.Array(oneOf(ROW_OUTCOMES))),
  direction: Type.Optional(oneOf(DIRECTIONS)),
  customerNumber: text(20),
  customerNumberPrefix: Type.Optional(
    Type.String({ pattern: "^\\+[0-9]{1,15}$", description: "How the number starts, as in +4930. (extension)" }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: "^[^\\u0000]*$",
      description: "Words that the contact's name has, by how they begin, or a part of the number. (extension)",
    }),
  ),
  flowApiId: text(200),
  externalId: text(200),
  humanRequested: Type.Optional(
    Type.Boolean({
      description: "True: calls whose person asked for a human and was not handed over; false: the others. (extension)",
    }),
  ),
  createdAfter: Type.Optional(TimestampInput),
  createdBefore: Type.Optional(TimestampInput),
};

type FilterQuery = {
  status?: string[];
  outcome?: string[];
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
  const { status, outcome, ...plain } = query;
  const filter: RowFilter = { ...plain, statuses: status, outcomes: outcome, jobId };
  const page = readPage(query);
  const rows = await listRows(db, workspaceId, filter, page);
  const most = filter.search ? MOST_FOUND : MOST_COUNTED;
  const isWhole = page.page === 0 && page.after === undefined && rows.length <= page.size;
  return toPage(
    page,
    rows.map((row) => toCallRow(row, publicUrl)),
    isWhole ? rows.length : await countRows(db, workspaceId, filter, most),
    most,
  );
}
