import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import { DEFAULT_PRICES } from "#src/tenancy/usage/prices.ts";
import type { PreparedFlow } from "./prepared-flow.ts";
import { readSuite } from "./read-suite.ts";
import type { ConversationReport, SuiteReport } from "./report.ts";
import { type RunOptions, runSuite } from "./run-suite.ts";

/** Output of the trial flow: whether the person comes, and how many people. */
export const VISIT = {
  type: "object",
  properties: {
    coming: { type: "boolean", description: "Will you come?" },
    people: { type: "integer", minimum: 1, description: "How many people will come?" },
  },
};

/** A flow of a clinic with one output, ready to be simulated; for tests. */
export function trialFlow(
  more: Partial<SessionPlan["flow"]> = {},
  plan: Partial<SessionPlan> = {},
  flow: Partial<PreparedFlow> = {},
): PreparedFlow {
  return {
    ref: { id: "flow-1", apiId: "reminder", name: "Reminder", version: 2 },
    toPlan: ({ sessionId, contact, variables, contextData, channel }) => ({
      sessionId,
      channel,
      flow: {
        name: "Reminder",
        masterPrompt: "You are the assistant of {{ company }}.",
        firstMessage: "Hello {{ contactName }}, this is {{ company }}.",
        language: "en-US",
        maxDurationSeconds: 600,
        silenceTimeoutSeconds: 10,
        voicemail: { action: "LEAVE_MESSAGE", message: "Please call {{ company }} back." },
        ...more,
      },
      variables: {
        customerNumber: contact.phone ?? "",
        contactName: contact.name ?? "",
        contactEmail: contact.email ?? "",
        ...variables,
      },
      memory: contextData,
      outputs: [{ name: "visit", description: "", schema: VISIT }],
      ...plan,
    }),
    model: null,
    prices: DEFAULT_PRICES,
    currency: "USD",
    ...flow,
  };
}

/** Returns a suite of the trial flow as plain data, for tests. */
export function trialSuite(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    suite: "Trial",
    flow: "reminder",
    variables: { company: "Green Street Clinic" },
    scenarios: [{ name: "agrees", persona: "agrees" }],
    ...more,
  };
}

/** Runs a suite of the trial flow; for tests. */
export async function runTrialSuite(suite: object, flow = trialFlow(), options: RunOptions = {}): Promise<SuiteReport> {
  return runSuite(readSuite(suite, "suite.yaml"), { flow, personaModel: null }, options);
}

/** Returns the first conversation of a suite of the trial flow; for tests. */
export async function runTrialConversation(
  suite: object,
  flow?: PreparedFlow,
  options?: RunOptions,
): Promise<ConversationReport> {
  const report = await runTrialSuite(suite, flow, options);
  return report.scenarios[0]?.conversations[0] as ConversationReport;
}
