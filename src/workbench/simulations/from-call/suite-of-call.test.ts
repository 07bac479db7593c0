import { expect, it } from "vitest";
import type { FilledOutput } from "#src/engine/conversation/plan.ts";
import { BUILT_IN_NAMES } from "#src/engine/personas/built-in.ts";
import type { PreparedFlow } from "#src/workbench/simulations/prepared-flow.ts";
import { readSuite } from "#src/workbench/simulations/read-suite.ts";
import type { ConversationReport } from "#src/workbench/simulations/report.ts";
import { runSuite } from "#src/workbench/simulations/run-suite.ts";
import { trialFlow } from "#src/workbench/simulations/trial-flow.ts";
import { cleanCall } from "./clean-call.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { makeSuite } from "./suite-of-call.ts";

const QUESTIONS = {
  type: "object",
  properties: {
    coming: { type: "boolean", description: "Will you come?" },
    people: { type: "integer", minimum: 1, description: "How many people will come?" },
    fullName: { type: "string", description: "What is your name?" },
    email: { type: "string", format: "email", description: "What is your e-mail address?" },
    phone: { type: "string", description: "Which telephone number can we reach you at?" },
  },
};
/** The same fields, asked in other words and in another order. */
const REWORDED = {
  type: "object",
  properties: {
    fullName: { type: "string", description: "May I have your full name, please?" },
    coming: { type: "boolean", description: "Is it still true that you are coming?" },
    email: { type: "string", format: "email", description: "Please tell me your e-mail." },
    phone: { type: "string", description: "And what is your phone number?" },
    people: { type: "integer", minimum: 1, description: "How many of you should we expect?" },
  },
};
const ROW_DATA = { company: "Green Street Clinic", order: "ORD-77812" };
const CONTACT = { name: "Wilhelmina Quist", phone: "+12125550147", email: "wilhelmina@quist.example.net" };

function flowOf(language: string, schema = QUESTIONS as object): PreparedFlow {
  return trialFlow(
    { language, firstMessage: "Hello {{ contactName }}, this is {{ company }} about {{ order }}." },
    { outputs: [{ name: "visit", description: "", schema: schema as typeof QUESTIONS }] },
  );
}

/** Holds a simulated call and returns its record. */
async function record(flow: PreparedFlow, persona: string): Promise<RecordedCall> {
  const scenario = { name: persona, persona, contact: CONTACT, variables: ROW_DATA };
  const held = await run(flow, { suite: "Recording", flow: "reminder", scenarios: [scenario] });
  return {
    transcript: held.transcript,
    outcome: held.callOutcome,
    endReason: held.endReason,
    answeredBy: held.answeredBy,
    fields: held.fields,
    outputs: held.outputs as Record<string, FilledOutput>,
    contact: CONTACT,
    rowData: ROW_DATA,
    contextData: {},
    at: "2026-01-05T09:00:00.000Z",
  };
}

async function run(flow: PreparedFlow, suite: Record<string, unknown>): Promise<ConversationReport> {
  const report = await runSuite(readSuite(suite, "test"), { flow, personaModel: null });
  return report.scenarios[0]?.conversations[0] as ConversationReport;
}

it.each(BUILT_IN_NAMES)("makes a suite of a call with %s that passes, without the contact's data", async (name) => {
  const flow = flowOf("en-US");
  const call = await record(flow, name);
  const { call: cleaned } = cleanCall(call, "Green Street Clinic");
  const { suite } = makeSuite(cleaned, { flow: "reminder", name: "Reminder", ownTools: [] });
  const again = await run(flow, suite);
  expect(again.failures).toEqual([]);
  expect(again.outcome).toBe(call.outcome === "INTERRUPTED" ? "FAILED" : again.outcome);
  const text = JSON.stringify(suite).toLowerCase();
  for (const lost of ["wilhelmina", "quist", "2125550147", "77812"]) expect(text).not.toContain(lost);
});

it.each(["agrees", "declines", "chatty", "foreign"])("holds against a prompt that asks otherwise: %s", async (name) => {
  const call = await record(flowOf("en-US"), name);
  const { call: cleaned } = cleanCall(call, "Green Street Clinic");
  const { suite } = makeSuite(cleaned, { flow: "reminder", name: "Reminder", ownTools: [] });
  const { failures, fields } = await run(flowOf("en-US", REWORDED), suite);
  expect(failures.filter(({ path }) => path.startsWith("fields."))).toEqual([]);
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(call.fields)));
});
