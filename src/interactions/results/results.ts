import { sayConditions } from "#src/authoring/flows/success-condition.ts";
import { NO_NUMBER } from "#src/interactions/calls/new-row.ts";
import { ROW_OUTCOMES } from "#src/interactions/calls/states.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { offsetMsAt } from "#src/platform/kernel/time-zones.ts";
import { wilsonInterval } from "#src/platform/kernel/wilson.ts";
import { DEFAULT_CURRENCY } from "#src/tenancy/usage/prices.ts";
import { FieldResult, summarizeFields } from "./fields.ts";
import type { ResultFilters } from "./filters.ts";
import { isMark } from "./marks.ts";
import {
  addUp,
  addUpDials,
  countGoals,
  countValues,
  countWaiting,
  type DialGroup,
  findCurrency,
  type GoalGroup,
  listSuccess,
  nameNumbers,
  type SumGroup,
  type ValueGroup,
} from "./store.ts";
import { compareVersions, VERDICTS } from "./versions.ts";

const HOUR_MS = 3_600_000;
const MOST_GROUPS = 100;
const count = Type.Integer();
const share = nullable(Type.Number({ description: "From 0 to 1; null where nothing was counted." }));

const funnel = {
  calls: Type.Integer({ description: "Calls that are over." }),
  dialled: Type.Integer({ description: "Of them, those that were dialled or that came in." }),
  answeredByPerson: count,
  answeredByMachine: Type.Integer({
    description: "Voicemail, call screening, IVR or fax. Not part of the steps that follow.",
  }),
  talked: Type.Integer({ description: "Calls in which a person spoke." }),
  succeeded: Type.Integer({ description: "Calls that came to the goal." }),
};
const cost = {
  cost: Type.String({ description: "Billed, as an exact decimal. Calls of the sandbox bill nothing." }),
  simulatedCost: Type.String({ description: "Cost that the calls of the sandbox would have had." }),
  costPerSuccess: nullable(Type.Number({ description: "cost and simulatedCost by success; null without a success." })),
};
const successRate = nullable(
  Type.Object(
    { value: Type.Number(), low: Type.Number(), high: Type.Number() },
    { description: "Successes by calls that a person answered, with the 95 % interval by Wilson." },
  ),
);

/** Results of calls. */
export const Results = Type.Object(
  {
    asOf: Timestamp,
    from: nullable(Type.String({ description: "First day; null: the job's first." })),
    to: Type.String({ description: "Last day." }),
    timeZone: Type.String(),
    waiting: Type.Integer({
      description: "Calls that ended or changed and are added within seconds; counted to 10,000.",
    }),
    isFilling: Type.Boolean({
      description:
        "True while calls of an earlier version of the service are still being added, or calls are counted anew after a flow's success condition changed.",
    }),
    currency: Type.String(),
    goal: nullable(Type.Object({ field: Type.String(), value: Type.String() })),
    successConditions: Type.Array(Type.Object({ flowApiId: Type.String(), words: Type.String() }), {
      description: "What counts as a success of those flows that say so, where no goal is asked for.",
    }),
    funnel: Type.Object({
      ...funnel,
      talkSeconds: Type.Integer({ description: "Length of all calls." }),
      ...cost,
      successRate,
    }),
    hours: Type.Array(
      Type.Object({
        weekday: Type.Integer({ description: "1 is Monday, 7 is Sunday." }),
        hour: Type.Integer({ description: "0 to 23." }),
        dials: count,
        answeredByPerson: count,
        answeredByMachine: count,
        answerRate: share,
      }),
      { description: "Dials by when they began in `timeZone`, retries as well; hours without a dial are left out." },
    ),
    fields: Type.Array(FieldResult),
    versions: Type.Array(
      Type.Object({
        flowApiId: nullable(Type.String({ description: "Null: a flow that came with its call." })),
        version: nullable(count),
        ...funnel,
        ...cost,
        successRate,
      }),
      { description: `The ${MOST_GROUPS} with most calls.` },
    ),
    verdicts: Type.Array(
      Type.Object({
        flowApiId: Type.String(),
        verdict: oneOf(VERDICTS),
        version: Type.Integer({ description: "The version with the higher rate." }),
        comparedWith: count,
        difference: Type.Object({ value: Type.Number(), low: Type.Number(), high: Type.Number() }),
        words: Type.String(),
      }),
      { description: "For each flow, the two versions that most people answered, compared by their success rates." },
    ),
    numbers: Type.Array(
      Type.Object({
        phoneNumberId: nullable(Uuid),
        phoneNumber: nullable(Type.String({ description: "Null: over the web, or a number that was removed." })),
        ...funnel,
        dials: count,
        answerRate: share,
        ...cost,
        successRate,
      }),
      { description: `The ${MOST_GROUPS} with most dials.` },
    ),
    outcomes: Type.Array(Type.Object({ outcome: oneOf(ROW_OUTCOMES), count })),
    askedForHuman: Type.Integer({
      description:
        "Calls in which the person asked for a human and no tool could transfer them. Transferred ones have the outcome TRANSFERRED.",
    }),
    tools: Type.Array(
      Type.Object({
        tool: Type.String(),
        calls: Type.Integer({ description: "Calls that used it." }),
        failed: Type.Integer({ description: "Of them, those in which it failed at least once." }),
      }),
      {
        description: `Tools of the workspace by their failures, then by their calls, ${MOST_GROUPS} at most; without hidden ones.`,
      },
    ),
    reasons: Type.Array(Type.Object({ code: Type.String(), count }), {
      description:
        "Codes of the errors with which calls ended, and of limits that cut them off, such as LIMIT_DURATION.",
    }),
  },
  { $id: "Results" },
);
export type Results = Static<typeof Results>;

/** Reads the results of the calls that pass the filters. Adds up kept sums; reads no call. */
export async function getResults(db: Executor, filters: ResultFilters): Promise<Results> {
  const { workspaceId } = filters;
  // First: a call that is added in between is told as waiting, and never missing from both.
  const state = await countWaiting(db, workspaceId);
  const [groups, dials, values, goals, currency] = await Promise.all([
    addUp(db, filters),
    addUpDials(db, filters),
    countValues(db, filters),
    countGoals(db, filters),
    findCurrency(db, workspaceId),
  ]);
  const of = (level: SumGroup["level"]) => groups.filter((group) => group.level === level);
  const versions = listVersions(of("VERSION"), goals);
  const flows = [...new Set(versions.flatMap(({ flowApiId }) => flowApiId ?? []))].slice(0, MOST_GROUPS);
  const conditions = filters.goal === null ? await listSuccess(db, workspaceId, flows) : [];
  return {
    asOf: now().toISOString(),
    ...filters.days,
    timeZone: filters.timeZone,
    waiting: state.waiting,
    isFilling: state.filling,
    currency: currency ?? DEFAULT_CURRENCY,
    goal: filters.goal,
    successConditions: conditions.map(({ api_id: flowApiId, success }) => ({
      flowApiId,
      words: sayConditions(success),
    })),
    funnel: readTotal(of("ALL")[0] as SumGroup, goals),
    hours: listHours(dials, filters.timeZone),
    fields: summarizeFields(values.filter((value) => !isMark(value))),
    versions: versions.slice(0, MOST_GROUPS),
    verdicts: listVerdicts(versions),
    numbers: await listNumbers(db, workspaceId, of("NUMBER"), goals),
    outcomes: countBy(of("OUTCOME"), (group) => group.outcome).map(([outcome, calls]) => ({ outcome, count: calls })),
    askedForHuman: sumCalls(values.filter(({ kind }) => kind === "WISH")),
    tools: listTools(values.filter(({ kind }) => kind === "TOOL")),
    reasons: countBy(of("REASON"), (group) => group.reason).map(([code, calls]) => ({ code, count: calls })),
  } as Results;
}

/** Returns the successes of a group: kept ones, or those of the field that counts as the goal. */
function goalsOf(group: SumGroup, goals: GoalGroup[] | null, fits: (goal: GoalGroup) => boolean): number {
  if (goals === null) return group.goals;
  return goals.filter(fits).reduce((sum, { calls }) => sum + calls, 0);
}

function readFigures(group: SumGroup, succeeded: number) {
  const spent = Number(group.billed) + Number(group.simulated);
  return {
    calls: group.calls,
    dialled: group.dialled,
    answeredByPerson: group.persons,
    answeredByMachine: group.machines,
    talked: group.talked,
    succeeded,
    cost: String(group.billed),
    simulatedCost: String(group.simulated),
    costPerSuccess: succeeded === 0 ? null : Number((spent / succeeded).toPrecision(6)),
    successRate: rateOf(succeeded, group.persons),
  };
}

function rateOf(succeeded: number, persons: number) {
  if (persons === 0) return null;
  return { value: round(succeeded / persons), ...wilsonInterval(succeeded, persons) };
}

function readTotal(total: SumGroup, goals: GoalGroup[] | null): Results["funnel"] {
  const figures = readFigures(
    total,
    goalsOf(total, goals, () => true),
  );
  return { ...figures, talkSeconds: Math.round(total.call_ms / 1_000) };
}

/** Adds quarters of an hour up by weekday and hour of a zone. */
function listHours(groups: DialGroup[], timeZone: string): Results["hours"] {
  const offsets = new Map<number, number>();
  const cells = new Map<number, Results["hours"][number]>();
  for (const { bucket_at: bucket, dials, dial_persons: persons, dial_machines: machines } of groups) {
    const atMs = bucket.getTime();
    // An offset changes at a full quarter, and hardly ever: it is looked up once for each hour.
    const hourOfTime = Math.floor(atMs / HOUR_MS);
    const offset = offsets.get(hourOfTime) ?? offsetMsAt(timeZone, atMs);
    offsets.set(hourOfTime, offset);
    const local = new Date(atMs + offset);
    const [weekday, hour] = [((local.getUTCDay() + 6) % 7) + 1, local.getUTCHours()];
    const none = { weekday, hour, dials: 0, answeredByPerson: 0, answeredByMachine: 0, answerRate: null };
    const cell = cells.get(weekday * 24 + hour) ?? none;
    cell.dials += dials;
    cell.answeredByPerson += persons;
    cell.answeredByMachine += machines;
    cell.answerRate = round(cell.answeredByPerson / cell.dials);
    cells.set(weekday * 24 + hour, cell);
  }
  return [...cells].toSorted(([a], [b]) => a - b).map(([, cell]) => cell);
}

function listVersions(groups: SumGroup[], goals: GoalGroup[] | null): Results["versions"] {
  return groups
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.calls - a.calls)
    .map((group) => {
      const { flow_api_id: flow, flow_version: version } = group;
      const succeeded = goalsOf(group, goals, (goal) => goal.flow_api_id === flow && goal.flow_version === version);
      return { flowApiId: flow || null, version: version || null, ...readFigures(group, succeeded) };
    });
}

function listVerdicts(versions: Results["versions"]): Results["verdicts"] {
  const flows = [...new Set(versions.map(({ flowApiId }) => flowApiId))].filter((flow) => flow !== null);
  return flows.slice(0, MOST_GROUPS).flatMap((flowApiId) => {
    const counts = versions.flatMap(({ flowApiId: flow, version, answeredByPerson: persons, succeeded }) =>
      flow === flowApiId && version !== null ? [{ version, persons, goals: succeeded }] : [],
    );
    const found = compareVersions(counts);
    return found ? [{ flowApiId, ...found }] : [];
  });
}

async function listNumbers(
  db: Executor,
  workspaceId: string,
  groups: SumGroup[],
  goals: GoalGroup[] | null,
): Promise<Results["numbers"]> {
  const shown = groups.toSorted((a, b) => b.dials - a.dials || b.calls - a.calls).slice(0, MOST_GROUPS);
  const ids = shown.map(({ phone_number_id: id }) => id as string);
  const names = await nameNumbers(db, workspaceId, ids);
  return shown.map((group) => {
    const id = group.phone_number_id as string;
    return {
      phoneNumberId: id === NO_NUMBER ? null : id,
      phoneNumber: names.get(id) ?? null,
      ...readFigures(
        group,
        goalsOf(group, goals, (goal) => goal.phone_number_id === id),
      ),
      dials: group.dials,
      answerRate: group.dials === 0 ? null : round(group.dial_persons / group.dials),
    };
  });
}

function listTools(values: ValueGroup[]): Results["tools"] {
  return [...Map.groupBy(values, ({ field }) => field)]
    .map(([tool, own]) => ({
      tool,
      calls: sumCalls(own),
      failed: sumCalls(own.filter(({ value }) => value === "FAILED")),
    }))
    .toSorted((a, b) => b.failed - a.failed || b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
    .slice(0, MOST_GROUPS);
}

function sumCalls(values: ValueGroup[]): number {
  return values.reduce((sum, { calls }) => sum + calls, 0);
}

function countBy(groups: SumGroup[], nameOf: (group: SumGroup) => string | null): [string, number][] {
  return groups
    .map((group): [string, number] => [nameOf(group) ?? "", group.calls])
    .filter(([name, calls]) => name !== "" && calls > 0)
    .toSorted(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .slice(0, MOST_GROUPS);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
