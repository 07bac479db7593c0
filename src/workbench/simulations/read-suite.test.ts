import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { listSuiteFiles, readSuite } from "./read-suite.ts";
import { openSource } from "./run-source.ts";
import { SuiteFault } from "./suite-fault.ts";
import type { Suite } from "./suite.ts";
import { trialSuite } from "./trial-flow.ts";

const WHOLE = `
suite: Appointment reminder
flow: { flow: appointment-reminder, version: 3 }
contact: { name: Ada Example, phone: "+12025550100", email: a@example.com }
variables: { company: Green Street Clinic }
contextData: { visits: 3 }
channel: VOICE
model: SCRIPTED
repeat: 3
seed: 7
now: 2026-03-02T09:00:00+01:00
limits: { turns: 20, seconds: 300 }
personas:
  hurried: { file: ./hurried.persona.yaml }
  picky: { attitude: DECLINES }
tools:
  find_slots: { returns: { slots: ["10:00"] } }
  book_slot:
    - { when: { day: { matches: "^2026-" } }, returns: { ok: true }, takesMs: 800 }
    - { fails: "The calendar is closed." }
knowledge: [{ title: Hours, text: Open from 8 to 6. }]
records: { appointments: [{ day: "2026-12-01" }] }
expect:
  neverSays: [undefined]
  turns: { atMost: 12 }
scenarios:
  - name: agrees
    persona: agrees
    expect:
      outcome: COMPLETED
      endReason: [AGENT_ENDED_CALL, CUSTOMER_HUNG_UP]
      fields: { confirmed: true, partySize: { atLeast: 1, atMost: 4 } }
      outputs: { appointment: VALID }
      tools: [{ call: book_slot, with: { day: "2026-12-01" }, times: 1 }, find_slots]
      neverCalls: [transfer_call]
      says: ["Green Street Clinic", { matches: "appointment" }]
      turns: { atMost: 8 }
      longestSilenceMs: { atMost: 4000 }
      cost: { atMost: "0.05" }
      optOut: false
  - persona: hurried
    contact: { name: null }
    variables: { day: Monday }
    repeat: 10
    passRate: 0.8
    ignore: [TOOL_FAILED]
  - { name: no thanks, persona: picky, channel: CHAT, tools: { find_slots: { returns: none } } }
`;

const FILES: Record<string, string> = { "./hurried.persona.yaml": "name: Hurried\npace: { thinkMs: 100 }\n" };

function faultsOf(input: unknown, readFile?: (path: string) => string | undefined): string[] {
  try {
    readSuite(input, "s.yaml", readFile);
    return [];
  } catch (error) {
    if (!(error instanceof SuiteFault)) throw error;
    return error.message.split("\n");
  }
}

/** Matches a whole fault, or a pattern of one. */
function reported(fault: string | RegExp): unknown {
  return expect.stringMatching(fault instanceof RegExp ? fault : new RegExp(`^${RegExp.escape(fault)}$`));
}

/** True when the input is a suite with scenarios, or its faults are named. */
function isSettled(input: unknown): boolean {
  try {
    return readSuite(input, "s.yaml").scenarios.length > 0;
  } catch (error) {
    return (
      error instanceof SuiteFault && error.faults.length > 0 && error.faults.every(({ message }) => message !== "")
    );
  }
}

/** Returns the defaults, as shown in the documentation. */
function readDefaults({ channel, mode, model, seed, now }: Suite): Partial<Suite> {
  return { channel, mode, model, seed, now };
}

describe("a suite", () => {
  const suite = readSuite(WHOLE, "suite.yaml", (path) => FILES[path]);
  const [agrees, hurried, picky] = suite.scenarios;

  test("is read with all that it says", () => {
    expect(suite).toMatchObject({
      name: "Appointment reminder",
      flow: { kind: "SAVED", flow: "appointment-reminder", version: 3 },
      channel: "VOICE",
      mode: "TEXT",
      model: "SCRIPTED",
      seed: 7,
      now: "2026-03-02T08:00:00.000Z",
    });
    expect(agrees?.tools.book_slot).toEqual([
      { when: { day: { matches: "^2026-" } }, returns: { ok: true }, fails: null, variables: {}, takesMs: 800 },
      { when: null, returns: undefined, fails: "The calendar is closed.", variables: {}, takesMs: 0 },
    ]);
    expect(agrees?.expect).toMatchObject({
      outcome: ["COMPLETED"],
      endReason: ["AGENT_ENDED_CALL", "CUSTOMER_HUNG_UP"],
      tools: [
        { call: "book_slot", with: { day: "2026-12-01" }, times: 1 },
        { call: "find_slots", with: {}, times: null },
      ],
      says: ["Green Street Clinic", { matches: "appointment" }],
      neverSays: ["undefined"],
    });
  });

  test("gives its scenarios what they do not say themselves", () => {
    expect(agrees).toMatchObject({ repeat: 3, seed: 7, passRate: 1, limits: { turns: 20, seconds: 300 } });
    expect(agrees?.expect.turns).toEqual({ atMost: 8 });
    expect(hurried?.expect.turns).toEqual({ atMost: 12 });
    expect(hurried).toMatchObject({
      name: "hurried",
      repeat: 10,
      passRate: 0.8,
      contact: { name: null, phone: "+12025550100" },
      variables: { company: "Green Street Clinic", day: "Monday" },
      ignore: ["TOOL_FAILED"],
    });
    expect(hurried?.persona.file.pace).toEqual({ thinkMs: 100 });
    expect(picky).toMatchObject({ name: "no thanks", channel: "CHAT", persona: { name: "picky" } });
    expect(picky?.tools.find_slots?.[0]?.returns).toBe("none");
    expect(picky?.tools.book_slot).toHaveLength(2);
  });

  test("may be the example of the documentation", () => {
    const page = readFileSync(new URL("../../../docs/simulations.md", import.meta.url), "utf8");
    const [, example] = /## The suite file[^]*?```yaml suite\n([^]*?)```/.exec(page) ?? [];
    const documented = readSuite(example, "docs", (path) => FILES[path]);
    expect(documented).toMatchObject({ name: "Appointment reminder", now: "2026-01-05T09:00:00.000Z" });
    expect(documented).toMatchObject(readDefaults(readSuite(trialSuite(), "s")));
  });

  test("has the same time on servers of all zones, also where it names none", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    const nowOf = (now: string) => readSuite(trialSuite({ now }), "s").now;
    expect(["2026-03-02T09:00:00", "2026-03-02 09:00", "2026-03-02T10:00+01:00"].map(nowOf)).toEqual(
      Array.from({ length: 3 }, () => "2026-03-02T09:00:00.000Z"),
    );
    expect(nowOf("2026-03-02")).toBe("2026-03-02T00:00:00.000Z");
    vi.unstubAllEnvs();
  });

  test("finds a file that was sent along, named with or without its folder", () => {
    const asked = { only: null, repeat: null, seed: null, mode: null };
    for (const [named, sent] of [
      ["hurried.persona.yaml", "./hurried.persona.yaml"],
      ["./hurried.persona.yaml", "hurried.persona.yaml"],
    ] as const) {
      const suite = trialSuite({ scenarios: [{ persona: { file: named } }] });
      const files = { [sent]: FILES["./hurried.persona.yaml"] as string };
      expect(openSource({ suite, files, ...asked }).conversations).toBe(1);
    }
  });

  test("tells which files it needs", () => {
    expect(listSuiteFiles(WHOLE, "suite.yaml")).toEqual(["./hurried.persona.yaml"]);
    expect(listSuiteFiles("flow: { file: a.json }\nscenarios: [{ persona: { file: b.yaml } }]", "s")).toEqual([
      "a.json",
      "b.yaml",
    ]);
  });

  test("may carry its flow", () => {
    const flow = { name: "Inline" };
    expect(readSuite(trialSuite({ flow: { document: flow } }), "s").flow).toEqual({ kind: "DOCUMENT", document: flow });
    expect(readSuite(trialSuite({ flow: { file: "f.json" } }), "s", () => JSON.stringify(flow)).flow).toEqual({
      kind: "DOCUMENT",
      document: flow,
    });
    expect(readSuite(trialSuite({ flow: { draft: "reminder" } }), "s").flow).toEqual({
      kind: "DRAFT",
      flow: "reminder",
    });
  });
});

describe("faults name line, column and what to write", () => {
  test.each([
    ["", ["s.yaml:1:1 The suite is empty."]],
    ["[1]", [/^s.yaml:1:1 must be a mapping with suite, flow/]],
    ["suite: A\nflow: f\nscenarios: [{ persona: agrees }]\nsuite: B", [/^s.yaml:4:1 suite is given twice/]],
    ["suite: A\n  flow: f", [/^s.yaml:1:8 Nested mappings are not allowed/]],
    ["suite: A\nflow\nscenarios: []", [/^s.yaml:2:1 a colon is missing after a key here or on the next line/]],
    ["suite: !x A\nflow: f", [/^s.yaml:1:8 /]],
    [
      "suite: A\nflow: f\nscenarois: []",
      [
        "s.yaml:3:1 scenarois is not a key of a suite. Did you mean scenarios?",
        "s.yaml:1:1 scenarios must be a list of at least one scenario.",
      ],
    ],
    [
      "suite: A\nflow: f\nscenarios:\n  - persona: agreess",
      [/^s.yaml:4:5 scenarios\[0\].persona names no persona .* Did you mean agrees\?$/],
    ],
    ["suite: A\nscenarios: [{ persona: agrees }]", ["s.yaml:1:1 flow must say which flow is tested: its id or apiId."]],
    ["flow: f\nscenarios: [{ persona: agrees }]", ["s.yaml:1:1 The suite must have a name (suite)."]],
  ])("%j", (text, faults) => {
    const found = faultsOf(text);
    expect(found).toHaveLength(faults.length);
    for (const [i, fault] of faults.entries()) expect(found[i]).toEqual(reported(fault));
  });

  test.each<[Record<string, unknown>, string | RegExp]>([
    [{ repeat: 0 }, "s.yaml repeat must be a whole number from 1 to 1000."],
    [{ seed: "x" }, /seed must be a whole number/],
    [{ mode: "VIDEO" }, "s.yaml mode must be one of TEXT, AUDIO."],
    [{ mode: "AUDIO", channel: "CHAT" }, /has chats, which have no audio/],
    [{ now: "soon" }, /now must be a time in ISO 8601/],
    [{ contact: { phone: "0123" } }, /contact.phone must be a number in E.164/],
    [{ contact: { phone: 12025550100 } }, /contact.phone must be a text; put it in quotes/],
    [{ flow: { flow: "a", draft: "b" } }, /flow must have one of flow, draft, file or document/],
    [{ flow: { draft: "a", version: 3 } }, /flow.version goes with flow only/],
    [{ flow: { file: "x.json" } }, "s.yaml flow.file names a file that is not there: x.json"],
    [{ tools: { a: {} } }, "s.yaml tools.a must say what the tool returns, or that it fails."],
    [{ tools: { a: { returns: 1, fails: "x" } } }, /tools.a cannot both return something and fail/],
    [{ tools: { a: { retruns: 1 } } }, /tools.a.retruns is not a key of a suite. Did you mean returns\?/],
    [
      { tools: { a: { when: { x: { matches: "(" } }, returns: 1 } } },
      /tools.a.when.x.matches is no regular expression/,
    ],
    [{ expect: { outcome: "COMPLETE" } }, /expect.outcome is no such word. Did you mean COMPLETED\?/],
    [{ expect: { turns: { atmost: 3 } } }, /expect.turns.atmost is not a key of a suite. Did you mean atMost\?/],
    [{ expect: { turns: "many" } }, /expect.turns must be a number/],
    [{ expect: { fields: { a: { oneOf: 3 } } } }, /expect.fields.a.oneOf must be a list/],
    [{ expect: { fields: { a: { type: "text" } } } }, /expect.fields.a.type must be one of|no such word/],
    [{ expect: { tools: [{ with: {} }] } }, /expect.tools\[0\] must say which tool/],
    [{ passRate: 80 }, /passRate must be a share from 0 to 1/],
    [{ ignore: ["TOOL_FAIL"] }, /ignore\[0\] is no such word. Did you mean TOOL_FAILED\?/],
    [{ personas: { a: { attitude: "AGREE" } } }, /personas.a.attitude must be one of AGREES, DECLINES/],
    [{ personas: { a: { file: "a.yaml" } } }, /personas.a.file names a file that is not there: a.yaml/],
    [{ scenarios: [{ persona: "agrees" }, { persona: "agrees" }] }, /two scenarios named "agrees"/],
    [{ scenarios: [{ name: "x" }] }, /scenarios\[0\] must say who is at the other end/],
    [
      { repeat: 1_000, scenarios: Array.from({ length: 30 }, (_, i) => ({ name: `s${i}`, persona: "agrees" })) },
      /comes to 30000 conversations/,
    ],
  ])("%j", (more, fault) => {
    expect(faultsOf(trialSuite(more))).toContainEqual(reported(fault));
  });

  test("a faulty persona file is told by its own lines", () => {
    const faults = faultsOf(trialSuite({ personas: { a: { file: "a.yaml" } } }), () => "name: A\nattitude: MAYBE");
    expect(faults.join("\n")).toMatch(/personas.a.file holds no persona: a.yaml:2:\d+ attitude must be one of/);
  });

  test("aliases that multiply are refused", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 9; i++)
      bomb.push(`b${i}: &b${i} [${Array.from({ length: 9 }, () => (i === 1 ? "*a" : `*b${i - 1}`)).join(", ")}]`);
    expect(faultsOf(bomb.join("\n")).join()).toMatch(/cannot be read as YAML/);
  });

  test("a text beyond 1 MiB is refused", () => {
    expect(faultsOf(`suite: ${"a".repeat(1_048_576)}`).join()).toMatch(/larger than 1024 KiB/);
  });
});

describe("whatever it is given, it reads a suite or names the faults", () => {
  const KEYS = [
    "suite",
    "flow",
    "scenarios",
    "persona",
    "expect",
    "tools",
    "fields",
    "is",
    "matches",
    "contact",
    "__proto__",
    "personas",
    "file",
    "when",
    "records",
    "says",
    "limits",
    "now",
  ];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<unknown>(null, true, -1, 3, 1e300, Number.NaN, "", "agrees", "x", "\u0000", "\ud800", "("),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...KEYS), tie("any"), { maxKeys: 6 }),
    ),
  })).any;

  test("plain data", () => {
    const { failed, counterexample } = fc.check(fc.property(value, isSettled), { numRuns: 500 });
    expect(failed, fc.stringify(counterexample)).toBe(false);
  });

  test("a good suite with one part replaced", () => {
    const keys = [
      "contact",
      "variables",
      "tools",
      "knowledge",
      "records",
      "expect",
      "scenarios",
      "flow",
      "personas",
      "limits",
      "ignore",
    ];
    const property = fc.property(fc.constantFrom(...keys), value, (key, part) =>
      isSettled(trialSuite({ [key]: part })),
    );
    const { failed, counterexample } = fc.check(property, { numRuns: 500 });
    expect(failed, fc.stringify(counterexample)).toBe(false);
  });

  test("texts", () => {
    const text = fc.array(
      fc.oneof(
        fc.constantFrom(
          ...KEYS,
          ": ",
          "\n",
          "  ",
          "- ",
          "{",
          "}",
          "[",
          "]",
          "&a ",
          "*a",
          "!x ",
          "'",
          '"',
          "|",
          "---\n",
          "\t",
          "? ",
        ),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 30 },
    );
    const property = fc.property(text, (parts) => isSettled(parts.join("")));
    const { failed, counterexample } = fc.check(property, { numRuns: 500 });
    expect(failed, fc.stringify(counterexample)).toBe(false);
  });
});
