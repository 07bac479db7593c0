import { CallRow } from "#src/interactions/calls/call-row.ts";
import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage } from "#src/platform/http/paging.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { bytesOf, oneOf, Type } from "#src/platform/http/schemas.ts";
import { TABLES, writeTable } from "./csv.ts";
import { listDrilled } from "./drill-calls.ts";
import { drillQuery, readDrill } from "./drill.ts";
import { readFilters, resultsQuery } from "./filters.ts";
import { getResults, Results } from "./results.ts";

const PATH = "/api/external/v1/results";
const common = { audience: "external", tag: "Results", access: ["CALL_HISTORY_READ"] } as const;
const description =
  "Calls that are over, counted under the quarter of an hour of their last dial. People and machines are counted apart. A call that ends is added within seconds; `waiting` counts those that are not yet.";

/** Routes of results: as JSON, each table as CSV, and the calls behind a figure; all extensions. */
export function resultRoutes(database: Database, { publicUrl }: { publicUrl: string }): Route[] {
  const { db } = database;
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      summary: "Add up what calls came to (extension)",
      description,
      query: Type.Object(resultsQuery),
      replies: { 200: Results },
      run: ({ caller, query }) => getResults(db, readFilters(caller.workspaceId, query)),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/csv`,
      summary: "Write a table of the results as CSV (extension)",
      description,
      query: Type.Object({ ...resultsQuery, table: oneOf(TABLES, "Part of the results.") }),
      produces: "text/csv",
      replies: { 200: bytesOf("text/csv", "CSV with a header; UTF-8 with a byte order mark.") },
      async run({ caller, query: { table, ...query } }) {
        const text = writeTable(await getResults(db, readFilters(caller.workspaceId, query)), table);
        return new Reply(200, text, {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="results-${table}.csv"`,
        });
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/calls`,
      summary: "List the calls that a figure of the results counts (extension)",
      description:
        "Takes the filters of the results, and one figure: a step of the funnel, an outcome and a reason; or the value of a field; or a weekday and hour. The calls with the latest last dial come first.",
      query: Type.Object({ ...resultsQuery, ...drillQuery, ...pageQuery }),
      replies: { 200: pageOf(CallRow, "ResultCallsPage") },
      run({ caller, query }) {
        const filters = readFilters(caller.workspaceId, query);
        return listDrilled(database, publicUrl, filters, readDrill(query, filters), readPage(query));
      },
    }),
  ];
}
