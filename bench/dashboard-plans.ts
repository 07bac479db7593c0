import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { RARE_FLOW, RARE_NUMBER } from "#kit/filled-workspace.ts";
import { countRows, listRows, type RowFilter } from "#src/interactions/calls/list-sql.ts";

const FIRST = { page: 0, size: 50, after: undefined };
const DAYS_AGO = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const listsOf = (calls: number): Record<string, { filter: RowFilter; page?: typeof FIRST }> => ({
  "first page": { filter: {} },
  "last page": { filter: {}, page: { ...FIRST, page: Math.floor((calls * 0.98) / 50) } },
  "status of most": { filter: { statuses: ["COMPLETED"] } },
  "status of few": { filter: { statuses: ["UNCONFIRMED"] } },
  "status on the line": { filter: { statuses: ["IN_PROGRESS"] } },
  "outcome of some": { filter: { outcomes: ["VOICEMAIL"] } },
  "flow of few": { filter: { flowApiId: RARE_FLOW } },
  "one number": { filter: { customerNumber: RARE_NUMBER } },
  "a number's start": { filter: { customerNumberPrefix: "+353" } },
  "a part of the number": { filter: { search: "5550042" } },
  "a part of many numbers": { filter: { search: "930" } },
  "a name": { filter: { search: "contact 7914" } },
  "a word of most names": { filter: { search: "con" } },
  inbound: { filter: { direction: "INBOUND" } },
  outbound: { filter: { direction: "OUTBOUND" } },
  "one day": { filter: { createdAfter: DAYS_AGO(15), createdBefore: DAYS_AGO(14) } },
  "until a day": { filter: { createdBefore: DAYS_AGO(14) } },
});

interface Node {
  "Node Type": string;
  "Index Name"?: string;
  "Relation Name"?: string;
  "Rows Removed by Filter"?: number;
  "Actual Rows"?: number;
  Plans?: Node[];
}

/** Prints how the database finds each list of calls: its time, and how it reads call_rows. */
export async function explainLists(
  connection: pg.PoolConfig,
  workspaceId: string,
  calls: number,
  print: (line: string) => void,
): Promise<void> {
  print("  how the database finds them (explain analyze):");
  const pool = new pg.Pool({ ...connection, max: 1 });
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push({ sql: query.sql, parameters: query.parameters }),
  });
  for (const [name, { filter, page = FIRST }] of Object.entries(listsOf(calls))) {
    statements.length = 0;
    await listRows(db, { workspaceId, filter, isDescending: filter.jobId === undefined, page });
    await countRows(db, workspaceId, filter);
    const [rows, count] = statements.splice(0);
    for (const [what, statement] of [["rows", rows] as const, ["count", count] as const]) {
      if (statement) print(`    ${`${name}, ${what}`.padEnd(28)} ${await explain(pool, statement)}`);
    }
  }
  await db.destroy();
}

async function explain(pool: pg.Pool, { sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
  const { rows } = await pool.query<{ "QUERY PLAN": [{ Plan: Node; "Execution Time": number }] }>(
    `explain (analyze, format json) ${sql}`,
    [...parameters],
  );
  const [plan] = rows[0]?.["QUERY PLAN"] ?? [];
  if (!plan) return "no plan";
  return `${plan["Execution Time"].toFixed(1).padStart(7)} ms   ${[...scansOf(plan.Plan)].join("; ")}`;
}

function* scansOf(node: Node): Generator<string> {
  if (
    /Scan/.test(node["Node Type"]) &&
    (node["Relation Name"] === "call_rows" || node["Index Name"]?.startsWith("call_rows"))
  ) {
    const removed = node["Rows Removed by Filter"] ? `, ${node["Rows Removed by Filter"]} thrown away` : "";
    yield `${node["Node Type"]} ${node["Index Name"] ?? ""} ${node["Actual Rows"] ?? 0} rows${removed}`;
  }
  for (const inner of node.Plans ?? []) yield* scansOf(inner);
}
