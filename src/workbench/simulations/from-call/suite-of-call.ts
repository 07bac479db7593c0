import { readExchanges } from "./exchanges.ts";
import { makeExpectations } from "./expectations-of-call.ts";
import { makeKnowledge, makeMocks } from "./mocks-of-call.ts";
import { makePersona, type RecordedPersona } from "./persona-of-call.ts";
import { readToolCalls, type RecordedCall } from "./recorded-call.ts";

/** Facts of the call's flow that a suite made from the call needs. */
export interface SuiteFlow {
  /** The flow as a suite names it. */
  flow: unknown;
  name: string;
  /** Names of the tools that its sessions may call, without the system tools. */
  ownTools: string[];
}

/** A suite with one scenario, as plain data. */
export interface ProposedSuite {
  suite: Record<string, unknown>;
  scenario: Record<string, unknown>;
  persona: RecordedPersona;
  warnings: string[];
}

/** Makes a suite in which the person of a call, already without personal data, says the same again. */
export function makeSuite(call: RecordedCall, { flow, name, ownTools }: SuiteFlow): ProposedSuite {
  const calls = readToolCalls(call.transcript);
  const exchanges = readExchanges(call.transcript);
  const persona = makePersona(call, exchanges);
  const mocks = makeMocks(calls, ownTools);
  const knowledge = makeKnowledge(calls);
  const scenario = {
    name: "as recorded",
    persona: persona.name,
    contact: call.contact,
    ...ifAny("variables", call.rowData),
    ...ifAny("contextData", call.contextData),
    ...ifAny("tools", mocks),
    ...(knowledge.length > 0 ? { knowledge } : {}),
    expect: makeExpectations(call, calls),
  };
  const { name: _name, ...written } = persona;
  const suite = {
    suite: `Recorded call: ${name}`.slice(0, 200),
    flow,
    now: call.at,
    personas: { [persona.name]: { name: persona.name, ...written } },
    scenarios: [scenario],
  };
  const hidden = [...new Set(calls.filter((one) => one.isHidden).map((one) => one.name))];
  const warnings = hidden.map(
    (tool) => `The transcript does not show what ${tool} answered; its mock returns {}. Write what it should return.`,
  );
  return { suite, scenario, persona, warnings };
}

function ifAny(key: string, value: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(value).length > 0 ? { [key]: value } : {};
}
