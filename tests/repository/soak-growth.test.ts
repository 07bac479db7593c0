import { expect, test } from "vitest";
import type { DaySample, StatementUse, TableSize } from "../../soak/month/day-sample.ts";
import { judgeGrowth } from "../../soak/month/judge-growth.ts";

const DAYS = 30;
const KEPT_DAYS = new Map([
  ["tasks", 7],
  ["idempotency_keys", 1],
  ["events", 30],
]);

const LOOK: StatementUse = { text: "select  1\nfrom calls", calls: 100, ms: 500, maxMs: 30, blocks: 40_000 };

/** A month in which each day is as the one before, but for what is given. */
function makeMonth(change: (day: number) => Partial<DaySample> = () => ({})): DaySample[] {
  return Array.from({ length: DAYS }, (_, i) => ({
    day: i + 1,
    nodeMb: 250,
    postgresMb: 200,
    nodeSeconds: 10,
    postgresSeconds: 10,
    otherSeconds: 1,
    p50: 2,
    p99: 9,
    connections: 20,
    unused: [],
    files: 40,
    statements: new Map([["1", LOOK]]),
    tables: new Map(),
    ...change(i + 1),
  }));
}

const withTable = (name: string, rowsOn: (day: number) => number) =>
  makeMonth((day) => ({ tables: new Map<string, TableSize>([[name, { rows: rowsOn(day), bytes: 0 }]]) }));
const withStatement = (of: (day: number) => Partial<StatementUse>) =>
  makeMonth((day) => ({ statements: new Map([["1", { ...LOOK, ...of(day) }]]) }));

test.each([
  ["nothing changes", makeMonth()],
  ["memory is higher on the first day", makeMonth((day) => ({ nodeMb: day === 1 ? 600 : 250 }))],
  ["a business makes calls", withTable("call_rows", (day) => day * 5_000)],
  ["tasks go after a week", withTable("tasks", (day) => Math.min(day, 8) * 2_000)],
  [
    "tasks of before go as well",
    withTable("tasks", (day) => Math.max(0, 200_000 - day * 28_000) + Math.min(day, 8) * 2_000),
  ],
  ["calls of before are deleted", withTable("call_rows", (day) => 1_000_000 - day * 30_000)],
  [
    "pools have opened few connections when one day ends, and many at another's end",
    makeMonth((day) => ({ connections: day < 4 ? 14 : 25 })),
  ],
  [
    "a table is emptied once a minute, on some days just before they end",
    withTable("usage_deltas", (day) => (day > 2 && day % 2 === 0 ? 700 : 3)),
  ],
  ["events are not yet due", withTable("events", (day) => day * 2_000)],
  ["one execution does the work of many", withStatement((day) => ({ calls: 1_000 / day }))],
  ["a statement takes longer on a busy machine", withStatement((day) => ({ ms: 500 + day * 100 }))],
])("no fault where %s", (_, month) => {
  expect(judgeGrowth(month, KEPT_DAYS)).toEqual([]);
});

test.each([
  ["memory", makeMonth((day) => ({ nodeMb: 250 + day * 3 })), /memory of the server/],
  ["connections", makeMonth((day) => ({ connections: 20 + day })), /There are 50 connections, of at most 30/],
  [
    "connections that nobody gives back",
    makeMonth((day) => (day < 20 ? {} : { unused: ["select  1\nfrom calls"] })),
    /Nobody used a connection for more than a day, after: select 1 from calls/,
  ],
  ["files", makeMonth((day) => ({ files: day * 10 })), /files/],
  ["tasks that stay", withTable("tasks", (day) => day * 2_000), /tasks had 30000 rows by day 16, and has 58000/],
  [
    "tasks that stay beside those of before, which go",
    withTable("tasks", (day) => Math.max(0, 200_000 - day * 28_000) + day * 2_000),
    /tasks had 30000 rows by day 16, and has 58000/,
  ],
  ["a table that nobody keeps", withTable("lanes", (day) => day * 100), /lanes had 100 rows by day 2, and has 2900/],
  ["rows that breed", withTable("call_rows", (day) => day * day * 100), /call_rows grew/],
  [
    "pages and time of a statement",
    withStatement((day) => ({ blocks: 4_000 * day, ms: 50 * day })),
    /from 18000 to 110000 pages and from 225 to 1375 ms a day: select 1 from calls/,
  ],
  [
    "executions of a statement",
    withStatement((day) => ({ calls: 10 * day, blocks: 4_000 * day, ms: 50 * day })),
    /grew/,
  ],
  [
    "a statement of a second",
    withStatement((day) => ({ maxMs: day === 17 ? 1_200 : 3 })),
    /On day 17 a statement took 1200 ms: select 1 from calls/,
  ],
])("growth of %s", (_, month, fault) => {
  const faults = judgeGrowth(month, KEPT_DAYS);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(fault);
});

const deletion = (table: string) => withText(`delete from ${table} where ctid = any (array(\n select ctid …))`);
const withText = (text: string) =>
  withStatement((day) => ({ text, ...(day < 7 ? {} : { blocks: 900_000, ms: 9_000 }) }));

test("what is deleted after a week may begin to be in a run of a week, and nothing else", () => {
  const week = (month: DaySample[]) => judgeGrowth(month.slice(0, 7), KEPT_DAYS);
  expect(week(deletion("tasks"))).toEqual([]);
  expect(week(withText("with gone as (delete from events where ctid = any (…)) insert …"))).toEqual([]);
  expect(week(deletion("idempotency_keys"))).toEqual([expect.stringContaining("A statement grew")]);
  expect(week(withText("delete from tasks where workspace_id = $1"))).toEqual([
    expect.stringContaining("A statement grew"),
  ]);
  expect(judgeGrowth(deletion("tasks"), KEPT_DAYS)).toEqual([expect.stringContaining("A statement grew")]);
});

test("a month of two days tells nothing", () => {
  expect(judgeGrowth(makeMonth().slice(0, 2), KEPT_DAYS)).toEqual(["There are too few days to compare."]);
});
