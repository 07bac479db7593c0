import type pg from "pg";

/** Sums of a quarter of an hour that one step adds, beside those of the last dimensions: a day has 96 times as many. */
const SUMS = 500;

/** A day (UTC) of a workspace whose totals are added, and the dimensions that were added last. */
interface Place {
  workspace_id: string;
  day: string;
  after: unknown[];
}

const DIMENSIONS = ["job_id", "flow_api_id", "flow_version", "phone_number_id", "channel"];
const TYPES = ["uuid", "text", "int", "uuid", "text"];
/** Stands before all dimensions of a sum. */
const START = `'["00000000-0000-0000-0000-000000000000", "", -1, "00000000-0000-0000-0000-000000000000", ""]'`;

const dimensionsOf = (name: string) => DIMENSIONS.map((column) => `${name}.${column}`).join(", ");
const compared = (name: string, by: ">" | "<=", parameter: string) =>
  `(${dimensionsOf(name)}) ${by} (${TYPES.map((type, i) => `(${parameter}::jsonb ->> ${i})::${type}`).join(", ")})`;

const PLACE = `
select s.workspace_id, s.day::text as day,
       case when f.reached ->> 'workspace' = s.workspace_id::text and (f.reached ->> 'day')::timestamptz = s.day
         then f.reached -> 'dimensions' else ${START} end as after
  from result_filling f cross join lateral (
    select s.workspace_id, date_trunc('day', s.bucket_at, 'UTC') as day from result_sums s
     where (s.workspace_id, s.bucket_at) >= (f.workspace_id, f.day + interval '24 hours')
     order by s.workspace_id, s.bucket_at limit 1) s
 where not f.is_done`;

const QUARTERS = `generate_series($2::timestamptz, $2::timestamptz + interval '1425 minutes', interval '15 minutes') q(at)`;

/** The last dimensions of a step; none where all that are left are few. */
const END = `
select jsonb_build_array(${dimensionsOf("b")}) as reached from ${QUARTERS} cross join lateral (
  select ${dimensionsOf("s")} from result_sums s
   where s.workspace_id = $1 and s.bucket_at = q.at and ${compared("s", ">", "$3")}
   order by ${dimensionsOf("s")} offset ${SUMS} limit 1) b
 order by ${dimensionsOf("b")} limit 1`;

/**
 * Adds the next totals of sums of earlier versions anew, in the order of their dimensions; false when all are added.
 * The caller holds the lock of the sums. Between two steps sums may change: triggers keep the totals that were added, and
 * what they make of the others is replaced.
 */
export async function fillTotals(client: pg.ClientBase): Promise<boolean> {
  const place = (await client.query<Place>(PLACE)).rows[0];
  if (!place) {
    await client.query("update result_filling set is_done = true where not is_done");
    return false;
  }
  const { workspace_id: workspaceId, day, after } = place;
  const from = [workspaceId, day, JSON.stringify(after)];
  const reached = (await client.query<{ reached: unknown[] }>(END, from)).rows[0]?.reached;
  await addAnew(client, reached ? [...from, JSON.stringify(reached)] : from);
  if (reached) {
    const note = JSON.stringify({ workspace: workspaceId, day, dimensions: reached });
    await client.query("update result_filling set reached = $1", [note]);
  } else {
    await client.query("update result_filling set workspace_id = $1, day = $2, reached = '{}'", [workspaceId, day]);
  }
  return true;
}

/** Replaces the totals whose dimensions are behind `$3` and, where there is one, up to `$4`. */
async function addAnew(client: pg.ClientBase, values: string[]): Promise<void> {
  const within = (name: string) =>
    compared(name, ">", "$3") + (values.length > 3 ? ` and ${compared(name, "<=", "$4")}` : "");
  await client.query(
    `delete from result_totals where ctid = any (array(
       select d.place from (select 'DAY' as grain, $2::timestamptz as at union all select 'QUARTER', q.at from ${QUARTERS}) q
        cross join lateral (
          select t.ctid as place from result_totals t
           where t.workspace_id = $1 and t.grain = q.grain and t.bucket_at = q.at and ${within("t")} offset 0) d))`,
    values,
  );
  await client.query(
    `select add_result_totals((select array_agg(a.sum) from ${QUARTERS} cross join lateral (
       select s as sum from result_sums s
        where s.workspace_id = $1 and s.bucket_at = q.at and ${within("s")} offset 0) a), null)`,
    values,
  );
}
