import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answeredBy } from "#src/interactions/calls/answered.ts";
import { NO_JOB, NO_NUMBER } from "#src/interactions/calls/new-row.ts";
import { isTerminal, type RowStatus } from "#src/interactions/calls/states.ts";
import { readFilters, type ResultsQuery } from "#src/interactions/results/filters.ts";
import { foldResults } from "#src/interactions/results/fold.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { localTimeIn } from "#src/platform/kernel/time-zones.ts";
import { insertCalls } from "../kit/filled-workspace.ts";
import { World } from "../kit/world.ts";

/* Results under any filters are what the calls add up to, also after those were put back, changed and deleted. */

const CALLS = 600;
const ROUNDS = 20;
const QUARTER_MS = 900_000;
const JOB = "01900000-0000-7000-8000-000000000001";
const OTHER = "01900000-0000-7000-8000-000000000002";
const ZONES = [
  "UTC",
  "Asia/Kathmandu",
  "America/New_York",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

/** A call as it is stored, with its dials in their order. */
interface Stored {
  job: string;
  flow: string;
  version: number;
  number: string;
  direction: string;
  status: RowStatus;
  outcome: string;
  wasDialled: boolean;
  endedAt: Date | null;
  dials: { at: string; number: string }[];
}

/** A part of what a call adds under its dimensions: the call itself, or one of its dials. */
interface Part extends Pick<Stored, "job" | "flow" | "version" | "number" | "outcome"> {
  atMs: number;
  channel: string;
  calls: number;
  dialled: number;
  dials: number;
}

let world: World;
let pool: pg.Pool;

/** Picks the calls for which a hash of their place has this remainder; another salt picks others. */
const every = (count: number, salt: string) => `abs(hashtext(context_data::text || '${salt}')) % ${count} = 0`;

beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
  pool = world.database.pool();
  const client = new pg.Client(world.database.url);
  await client.connect();
  await insertCalls(client, world.sample.workspaceId, CALLS);
  await client.end();
  await pool.query(
    `update call_rows set flow_version = case when ${every(3, "v")} then 2 else 1 end,
       phone_number_id = case when ${every(4, "w")} then $1::uuid when ${every(3, "o")} then $2 else phone_number_id end,
       direction = case when ended_at is not null and ${every(3, "d")} then 'INBOUND' else 'OUTBOUND' end`,
    [NO_NUMBER, OTHER],
  );
  await pool.query(
    `insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number, provider,
       submitted_at, ended_at, outcome)
     select workspace_id, gen_random_uuid(), id, 2, 'ENDED', $1, customer_number, 'SANDBOX',
       started_at - make_interval(mins => abs(hashtext(id::text)) % 3000), ended_at, 'BUSY'
       from call_rows where ended_at is not null and ${every(3, "a")}`,
    [OTHER],
  );
  await change("update call_rows set customer_number = customer_number || '0' where started_at is not null");
});
afterAll(() => world[Symbol.asyncDispose]());

/** Changes calls, and adds up those that changed. */
async function change(statement: string): Promise<void> {
  await pool.query(statement);
  await foldResults(pool, createLog("silent"));
  expect((await pool.query("select from result_changes")).rowCount).toBe(0);
}

async function readParts(): Promise<Part[]> {
  const { rows } = await pool.query<Stored>(
    `select job_id as job, coalesce(flow_api_id, '') as flow, coalesce(flow_version, 0) as version,
       phone_number_id as number, direction, status, coalesce(outcome, '') as outcome, attempts_made > 0 as "wasDialled",
       ended_at as "endedAt",
       (select coalesce(json_agg(json_build_object('at', a.submitted_at, 'number', a.phone_number_id)
                  order by a.submitted_at, a.id), '[]')
          from call_attempts a where a.row_id = r.id and a.ended_at is not null) as dials
       from call_rows r where workspace_id = $1 and started_at is not null`,
    [world.sample.workspaceId],
  );
  return rows.flatMap(partsOf);
}

function partsOf({ dials, direction, status, endedAt, wasDialled, ...call }: Stored): Part[] {
  const dialledOut = call.number === NO_NUMBER ? "WEB" : "OUTBOUND";
  const at = (time: Date) => Math.floor(time.getTime() / QUARTER_MS) * QUARTER_MS;
  const part = { ...call, channel: direction === "INBOUND" ? "INBOUND" : dialledOut, calls: 0, dialled: 0, dials: 0 };
  const parts: Part[] = dials.map((dial) => ({ ...part, atMs: at(new Date(dial.at)), number: dial.number, dials: 1 }));
  if (endedAt === null || !isTerminal(status)) return parts;
  const last = dials.at(-1);
  const atMs = at(last ? new Date(last.at) : endedAt);
  return [...parts, { ...part, atMs, calls: 1, dialled: Number(wasDialled) }];
}

/** Returns a number below `most`, the same in each run. */
let seed = 5;
function below(most: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * most);
}
const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
const chance = (percent: number) => below(100) < percent;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

function ask(): ResultsQuery {
  const to = below(30);
  return {
    timeZone: pick(ZONES),
    ...(chance(60) && { from: daysAgo(to + below(20)), to: daysAgo(to) }),
    ...(chance(30) && { jobId: pick([JOB, NO_JOB]) }),
    ...(chance(40) && { flowApiId: pick(["flow-00", "flow-03", "flow-99"]), ...(chance(60) && { flowVersion: 2 }) }),
    ...(chance(25) && { phoneNumberId: pick([OTHER, NO_NUMBER]) }),
    ...(chance(35) && { channel: pick(["OUTBOUND", "INBOUND", "WEB"] as const) }),
  };
}

function sum(parts: Part[], figure: "calls" | "dialled" | "dials"): number {
  return parts.reduce((total, part) => total + part[figure], 0);
}

/** Adds up a figure by a key, without zeros. */
function sumBy(parts: Part[], figure: "calls" | "dials", keyOf: (part: Part) => string | number) {
  const sums = new Map([...Map.groupBy(parts, keyOf)].map(([key, some]) => [String(key), sum(some, figure)]));
  return Object.fromEntries([...sums].filter(([, count]) => count > 0));
}

function expected(all: Part[], query: ResultsQuery) {
  const { from, to, jobId, flowApiId, flowVersion, phoneNumberId, channel, timeZone } = readFilters("", query);
  const isIn = (wanted: string | number | null, value: string | number) => wanted === null || wanted === value;
  const parts = all.filter(
    (part) =>
      part.atMs >= (from?.getTime() ?? 0) &&
      part.atMs < to.getTime() &&
      isIn(jobId, part.job) &&
      isIn(flowApiId, part.flow) &&
      isIn(flowVersion, part.version) &&
      isIn(phoneNumberId, part.number) &&
      isIn(channel, part.channel),
  );
  return {
    funnel: [sum(parts, "calls"), sum(parts, "dialled")],
    persons: sum(
      parts.filter(({ outcome }) => answeredBy(outcome) === "PERSON"),
      "calls",
    ),
    outcomes: sumBy(parts, "calls", ({ outcome }) => outcome),
    versions: sumBy(parts, "calls", ({ flow, version }) => `${flow} ${version}`),
    numbers: sumBy(parts, "dials", ({ number }) => number),
    weekdays: sumBy(parts, "dials", ({ atMs }) => new Date(localTimeIn(timeZone, atMs).date).getUTCDay() || 7),
  };
}

interface Results {
  funnel: { calls: number; dialled: number; answeredByPerson: number };
  outcomes: { outcome: string; count: number }[];
  versions: { flowApiId: string; version: number | null; calls: number }[];
  numbers: { phoneNumberId: string | null; dials: number }[];
  hours: { weekday: number; dials: number }[];
}

async function read(path: string, query: object) {
  const { status, text, body } = await world.request(
    "GET",
    `${path}?${new URLSearchParams(Object.entries(query)).toString()}`,
  );
  expect(status, text).toBe(200);
  return body;
}

async function readResults(query: ResultsQuery) {
  const { funnel, outcomes, versions, numbers, hours } = (await read("/results", query)) as unknown as Results;
  const weekdays = new Map<number, number>();
  for (const { weekday, dials } of hours) weekdays.set(weekday, (weekdays.get(weekday) ?? 0) + dials);
  const dialled = numbers.filter(({ dials }) => dials > 0);
  return {
    funnel: [funnel.calls, funnel.dialled],
    persons: funnel.answeredByPerson,
    outcomes: Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, count])),
    versions: Object.fromEntries(versions.map((one) => [`${one.flowApiId} ${one.version ?? 0}`, one.calls])),
    numbers: Object.fromEntries(dialled.map(({ phoneNumberId, dials }) => [phoneNumberId ?? NO_NUMBER, dials])),
    weekdays: Object.fromEntries(weekdays),
  };
}

async function expectSums(): Promise<void> {
  const all = await readParts();
  for (let round = 0; round < ROUNDS; round++) {
    const query = ask();
    const sums = expected(all, query);
    expect({ query, ...(await readResults(query)) }).toEqual({ query, ...sums });
    const { totalElements, content } = await read("/results/calls", { ...query, step: "CALLS", size: 200 });
    const ids = (content as { id: string }[]).map(({ id }) => id);
    const [calls = 0] = sums.funnel;
    expect([totalElements, new Set(ids).size]).toEqual([calls, Math.min(calls, 200)]);
  }
}

test("results under any filters are what the calls add up to", expectSums, 60_000);

test("they also are after calls were put back, ended anew, were erased and deleted", async () => {
  const PUT_BACK = "status = 'QUEUED', ended_at = null, outcome = null, flow_version = null, attempts_made = 0";
  await change(
    `update call_rows set ${PUT_BACK} where direction = 'OUTBOUND' and ended_at is not null and ${every(5, "put")}`,
  );
  await expectSums();
  const ENDED =
    "status = 'COMPLETED', outcome = 'ANSWERED', flow_api_id = 'flow-03', attempts_made = 1, ended_at = now()";
  await change(`update call_rows set ${ENDED} where started_at is not null and ${every(5, "ended")}`);
  await change(`update call_rows set customer_number = 'ERASED' where ${every(7, "erased")}`);
  await change(`delete from call_rows where ${every(6, "deleted")}`);
  await expectSums();
  await change("delete from call_rows");
  expect(await readParts()).toEqual([]);
  await expectSums();
}, 120_000);
