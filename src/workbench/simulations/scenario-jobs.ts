import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import { offeredAlways } from "#src/engine/conversation/session-state.ts";
import { askNearest } from "#src/platform/http/nearest-name.ts";
import type { ScenarioJob } from "./hold-conversation.ts";
import { isMapping } from "./mapping.ts";
import type { PlanInput, PreparedFlow } from "./prepared-flow.ts";
import type { Scenario, Suite } from "./suite.ts";
import { namesOfTools } from "./tool-mocks.ts";

const MAX_OTHER_FLOWS = 20;

/** Prepares the scenarios of a suite with their plans, so that any thread can hold them. */
export function prepareJobs(suite: Suite, flow: PreparedFlow, stallMs: number): ScenarioJob[] {
  const { now, mode } = suite;
  return suite.scenarios.map((scenario, i) => {
    const { contact, variables, contextData, channel } = scenario;
    const input: PlanInput = { sessionId: `simulation-${i + 1}`, contact, variables, contextData, channel };
    const plan = flow.toPlan(input);
    // Audio passes in real time: a person who talks for minutes is not a stall.
    const patienceMs = mode === "AUDIO" ? stallMs + scenario.limits.seconds * 1_000 : stallMs;
    const otherPlans = planTransfers(plan, flow, input);
    return { scenario, plan, otherPlans, prices: flow.prices, now, mode, stallMs: patienceMs };
  });
}

/** Returns the plans of all flows that a conversation may be transferred to, directly or through other transfers. */
function planTransfers(plan: SessionPlan, flow: PreparedFlow, input: PlanInput): Record<string, SessionPlan> {
  const plans = new Map<string, SessionPlan>();
  const pending = [plan];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    for (const { order } of next.grants?.transferTargets ?? []) {
      if (order.destinationType !== "FLOW" || plans.has(order.destination) || plans.size >= MAX_OTHER_FLOWS) continue;
      const other = flow.findFlow?.(order.destination)?.toPlan(input);
      if (!other) continue;
      plans.set(order.destination, other);
      pending.push(other);
    }
  }
  return Object.fromEntries(plans);
}

/**
 * Returns warnings for parts of a suite that can have no effect: mocks of tools that nothing can call, fields that
 * nothing fills.
 */
export function findWarnings(jobs: ScenarioJob[]): string[] {
  return [...new Set(jobs.flatMap(warnAbout))];
}

function warnAbout({ scenario, plan, otherPlans }: ScenarioJob): string[] {
  const plans = [plan, ...Object.values(otherPlans)];
  const own = plans.flatMap(({ grants }) => grants?.tools.map(({ offer }) => offer.name) ?? []);
  const callable = plans.flatMap(({ channel, grants }) => [
    ...namesOfTools(grants),
    ...offeredAlways(channel, grants).map(({ name }) => name),
  ]);
  const outputs = plans.flatMap((one) => one.outputs);
  const fields = outputs.flatMap(({ schema }) => (isMapping(schema.properties) ? Object.keys(schema.properties) : []));
  const { expect, tools } = scenario;
  return [
    ...unknownOf(Object.keys(tools), own, (name) => `tools: no scenario can call ${name}`),
    ...unknownOf(callsOf(scenario), callable, (name) => `expect: the flow has no tool ${name}`),
    ...unknownOf(
      Object.keys(expect.outputs),
      outputs.map(({ name }) => name),
      (name) => `expect: the flow has no output ${name}`,
    ),
    // A schema may be composed of others, so fields are only reported missing where all schemas are plain.
    ...(outputs.every(({ schema }) => isMapping(schema.properties))
      ? unknownOf(Object.keys(expect.fields), fields, (name) => `expect: no output of the flow has a field ${name}`)
      : []),
  ];
}

function callsOf({ expect }: Scenario): string[] {
  return [...expect.tools.map(({ call }) => call), ...expect.neverCalls];
}

function unknownOf(names: string[], known: string[], say: (name: string) => string): string[] {
  return names.filter((name) => !known.includes(name)).map((name) => `${say(name)}.${askNearest(name, known)}`);
}
