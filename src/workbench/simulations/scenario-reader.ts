import type { Cursor } from "./cursor.ts";
import { joinExpectations, readExpectations, readMatchers } from "./expectation-reader.ts";
import { isMapping } from "./mapping.ts";
import type { PersonaChoice } from "./persona-choice.ts";
import { type ReadFile, readPersonaChoice } from "./persona-reader.ts";
import { ALWAYS_ON_CHECKS, type KnowledgeEntry, type Scenario, type SimulationLimits, type ToolMock } from "./suite.ts";

/** Keys that are valid for a suite and for each of its scenarios. */
export const SHARED_KEYS = [
  "contact",
  "variables",
  "contextData",
  "channel",
  "tools",
  "knowledge",
  "records",
  "repeat",
  "seed",
  "limits",
  "expect",
  "ignore",
  "passRate",
] as const;
const MAX_DELAY_MS = 3_600_000;

/** Terms that a suite passes on to its scenarios. */
export type SharedTerms = Omit<Scenario, "name" | "persona">;

/** Defaults of a suite. */
export const DEFAULT_TERMS: SharedTerms = {
  contact: { name: "Ada Example", phone: "+12025550100", email: "ada@example.com" },
  variables: {},
  contextData: {},
  channel: "VOICE",
  tools: {},
  knowledge: [],
  records: {},
  repeat: 1,
  seed: 1,
  limits: { turns: 60, seconds: 900 },
  expect: { fields: {}, outputs: {}, tools: [], neverCalls: [], says: [], neverSays: [] },
  ignore: [],
  passRate: 1,
};

/** Reads the keys that suites and scenarios share; missing ones are taken from `above`. */
export function readTerms(cursor: Cursor, above: SharedTerms): SharedTerms {
  const knowledge = cursor.at("knowledge");
  return {
    contact: { ...above.contact, ...readContact(cursor.at("contact")) },
    variables: { ...above.variables, ...readData(cursor.at("variables")) },
    contextData: { ...above.contextData, ...readData(cursor.at("contextData")) },
    channel: cursor.at("channel").oneOf(["VOICE", "CHAT"]) ?? above.channel,
    tools: { ...above.tools, ...readTools(cursor.at("tools")) },
    knowledge: knowledge.isAbsent
      ? above.knowledge
      : knowledge.items("passages").flatMap((one) => readEntry(one) ?? []),
    records: { ...above.records, ...readRecords(cursor.at("records")) },
    repeat: cursor.at("repeat").integer(1, 1_000) ?? above.repeat,
    seed: cursor.at("seed").integer(0, 2_147_483_647) ?? above.seed,
    limits: readLimits(cursor.at("limits"), above.limits),
    expect: joinExpectations(above.expect, readExpectations(cursor.at("expect"))),
    ignore: [
      ...above.ignore,
      ...cursor
        .at("ignore")
        .items("codes", { orOne: true })
        .flatMap((one) => one.oneOf(ALWAYS_ON_CHECKS) ?? []),
    ],
    passRate: readShare(cursor.at("passRate")) ?? above.passRate,
  };
}

/** Reads one scenario. */
export function readScenario(
  cursor: Cursor,
  terms: SharedTerms,
  people: ReadonlyMap<string, PersonaChoice>,
  readFile?: ReadFile,
): Scenario | undefined {
  if (!cursor.isMappingOf(["name", "persona", ...SHARED_KEYS])) {
    return cursor.isAbsent ? cursor.fail("must be a mapping with name and persona.") : undefined;
  }
  if (cursor.at("persona").isAbsent) cursor.fail("must say who is at the other end (persona).");
  const persona = readPersonaChoice(cursor.at("persona"), people, readFile);
  const own = readTerms(cursor, terms);
  const name = cursor.at("name").text(200) ?? persona?.name;
  return persona && name !== undefined ? { name, persona, ...own } : undefined;
}

function readContact(cursor: Cursor): Partial<Scenario["contact"]> {
  if (!cursor.isMappingOf(["name", "phone", "email"])) return {};
  const reported = (["name", "phone", "email"] as const).flatMap((key) => {
    const one = cursor.at(key);
    if (one.value === undefined) return [];
    return [[key, one.value === null ? null : (one.text(320) ?? null)] as const];
  });
  const phone = cursor.at("phone");
  if (typeof phone.value === "string" && !/^\+[1-9]\d{6,14}$/.test(phone.value))
    phone.fail('must be a number in E.164, such as "+12025550100".');
  return Object.fromEntries(reported);
}

function readData(cursor: Cursor): Record<string, unknown> {
  return Object.fromEntries(cursor.members("values").map(([name, one]) => [name, one.value]));
}

function readTools(cursor: Cursor): Record<string, ToolMock[]> {
  return Object.fromEntries(
    cursor.members("mocks by tool").map(([name, one]) => {
      const mocks = one.items("mocks", { orOne: true });
      if (mocks.length === 0) one.fail("must be a mock, or a list of mocks.");
      return [name, mocks.flatMap((mock) => readMock(mock) ?? [])];
    }),
  );
}

function readMock(cursor: Cursor): ToolMock | undefined {
  if (!cursor.isMappingOf(["when", "returns", "fails", "variables", "takesMs"])) {
    return cursor.isAbsent ? cursor.fail("must be a mock: {returns: …} or {fails: …}.") : undefined;
  }
  const [when, returns, fails] = [cursor.at("when"), cursor.at("returns"), cursor.at("fails")];
  if (returns.value === undefined && fails.isAbsent)
    return cursor.fail("must say what the tool returns, or that it fails.");
  if (returns.value !== undefined && !fails.isAbsent) return cursor.fail("cannot both return something and fail.");
  return {
    when: when.isAbsent ? null : readMatchers(when, "inputs"),
    returns: returns.value,
    fails: fails.text(2_000) ?? null,
    variables: readData(cursor.at("variables")),
    takesMs: cursor.at("takesMs").integer(0, MAX_DELAY_MS) ?? 0,
  };
}

function readEntry(cursor: Cursor): KnowledgeEntry | undefined {
  if (!cursor.isMappingOf(["title", "text"])) return cursor.isAbsent ? cursor.fail("is empty.") : undefined;
  const text = cursor.at("text").text(100_000);
  if (cursor.at("text").isAbsent) return cursor.fail("must have a text.");
  return text === undefined ? undefined : { title: cursor.at("title").text(300) ?? "", text };
}

function readRecords(cursor: Cursor): Scenario["records"] {
  return Object.fromEntries(
    cursor.members("records by data store").map(([key, one]) => [
      key,
      one.items("records", { orOne: true }).flatMap((record) => {
        if (!isMapping(record.value)) return record.fail("must be a mapping of fields.") ?? [];
        return [record.value];
      }),
    ]),
  );
}

function readLimits(cursor: Cursor, above: SimulationLimits): SimulationLimits {
  if (!cursor.isMappingOf(["turns", "seconds"])) return above;
  return {
    turns: cursor.at("turns").integer(1, 1_000) ?? above.turns,
    seconds: cursor.at("seconds").integer(1, 14_400) ?? above.seconds,
  };
}

function readShare(cursor: Cursor): number | undefined {
  if (cursor.isAbsent) return undefined;
  const { value } = cursor;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  return cursor.fail("must be a share from 0 to 1, such as 0.9.");
}
