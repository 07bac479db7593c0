import { parse } from "parse5";
import { describe, expect, test } from "vitest";
import type { Turn } from "#src/engine/conversation/plan.ts";
import { wilsonInterval } from "#src/platform/kernel/wilson.ts";
import { compareReports } from "./compare.ts";
import { toJUnit } from "./junit.ts";
import { renderReport } from "./render-report.ts";
import type { ConversationReport, ScenarioReport, SuiteReport } from "./report.ts";

const SAID: [Turn["role"], string][] = [
  ["ASSISTANT", "Hello, this is Ada."],
  ["USER", "Yes?"],
  ["ASSISTANT", "Do you come?"],
  ["USER", "No, never."],
  ["ASSISTANT", "Goodbye."],
];

function conversation(seed: number, more: Partial<ConversationReport> = {}): ConversationReport {
  return {
    seed,
    passed: true,
    failures: [],
    outcome: "COMPLETED",
    callOutcome: "ANSWERED",
    endReason: "AGENT_ENDED_CALL",
    answeredBy: "HUMAN",
    turns: 3,
    callMs: 12_500,
    longestSilenceMs: 600,
    fields: { coming: true },
    outputs: {},
    toolCalls: [],
    optOut: false,
    cost: "0.003",
    inputTokens: 1,
    outputTokens: 1,
    transcript: SAID.map(([role, content], index) => ({
      index,
      role,
      content,
      startMs: 0,
      endMs: 0,
      interrupted: false,
      toolCallId: null,
    })),
    personaNotes: [],
    stagePath: [],
    error: null,
    ...more,
  };
}

const FAILURE = {
  code: "FIELD",
  path: "fields.coming",
  turn: 4,
  message: 'coming should be true, and is "<no> & \u0007\ud800".',
  quote: "No, never.",
};
const broken = (seed: number): ConversationReport =>
  conversation(seed, { passed: false, failures: [FAILURE], fields: { coming: false } });

function scenario(name: string, conversations: ConversationReport[]): ScenarioReport {
  const passedRepetitions = conversations.filter(({ passed }) => passed).length;
  const repetitions = conversations.length;
  const passRate = passedRepetitions / repetitions;
  const interval = wilsonInterval(passedRepetitions, repetitions);
  return {
    name,
    persona: "agrees",
    passed: passRate === 1,
    repetitions,
    passedRepetitions,
    passRate,
    requiredPassRate: 1,
    interval,
    conversations,
  };
}

function report(...scenarios: ScenarioReport[]): SuiteReport {
  const all = scenarios.flatMap(({ conversations }) => conversations);
  return {
    suite: "Reminder <1>",
    flow: { id: null, apiId: "reminder", name: "Reminder", version: 3 },
    channel: "VOICE",
    mode: "TEXT",
    model: "SCRIPTED",
    seed: 1,
    passed: scenarios.every(({ passed }) => passed),
    conversations: all.length,
    passedConversations: all.filter(({ passed }) => passed).length,
    durationMs: 1_234,
    callMs: all.length * 12_500,
    cost: "0.009",
    currency: "USD",
    inputTokens: 3,
    outputTokens: 3,
    scenarios,
    warnings: [],
  };
}

test.each([
  [0, 0, 0, 1],
  [0, 1, 0, 0.7935],
  [1, 1, 0.2065, 1],
  // Textbook values of the Wilson score.
  [5, 10, 0.2366, 0.7634],
  [81, 263, 0.2553, 0.3662],
  [1_000, 1_000, 0.9962, 1],
])("%i of %i lie within %d and %d", (hits, tries, low, high) =>
  expect(wilsonInterval(hits, tries)).toEqual({ low, high }),
);

describe("JUnit XML", () => {
  const xml = toJUnit(
    report(scenario("agrees", [conversation(1)]), scenario('says "no" & leaves', [conversation(1), broken(2)])),
  );

  test("has a testcase for each scenario, with times of the calls", () => {
    expect(xml).toContain(
      '<testsuite name="Reminder &lt;1&gt;" tests="2" failures="1" errors="0" skipped="0" time="37.500">',
    );
    expect(xml).toContain('<testcase name="agrees" classname="Reminder &lt;1&gt;" time="12.500"/>');
  });

  test("names the turn of each failure", () => {
    expect(xml).toContain("seed 2, turn 4: FIELD: coming should be true");
    expect(xml).toContain('type="FIELD" message="1 of 2 conversations passed. coming should be true');
  });

  test("holds nothing that XML cannot", () => {
    expect(xml).toContain("&quot;&lt;no&gt; &amp; \ufffd\ufffd&quot;");
    expect(xml.isWellFormed()).toBe(true);
    // A parser finds exactly the intended elements.
    const tags = JSON.stringify(parse(xml), (key, value: unknown) => (key === "parentNode" ? undefined : value)).match(
      /"tagName":"\w+"/g,
    );
    expect(tags?.filter((tag) => tag.includes("test"))).toHaveLength(4);
  });
});

describe("a report in the terminal", () => {
  const text = renderReport(
    report(scenario("agrees", [conversation(1)]), scenario("declines", [broken(1), conversation(2)])),
    null,
  );

  test("lists the scenarios in columns", () => {
    expect(text).toContain("Reminder <1>  Reminder version 3, VOICE in TEXT, model SCRIPTED, seed 1");
    const lines = text.split("\n").filter((line) => /^ {2}(pass|FAIL)/.test(line));
    expect(lines).toHaveLength(2);
    expect(lines[0]?.indexOf("ANSWERED")).toBe(lines[1]?.indexOf("ANSWERED"));
    expect(lines[1]).toContain("1/2  9 % to 91 %");
  });

  test("shows a failure with two lines of the transcript before and after its turn", () => {
    expect(text).toContain(
      "FAIL declines (100 % must pass), with agrees\n  seed 1\n  FIELD at fields.coming, turn 4: coming should be true",
    );
    expect(text).toContain(
      [
        "      2  person  Yes?",
        "      3  agent   Do you come?",
        "  >   4  person  No, never.",
        "      5  agent   Goodbye.",
      ].join("\n"),
    );
    expect(text).not.toContain("Hello, this is Ada.");
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(text.isWellFormed()).toBe(true);
  });

  test("ends with the sum", () => {
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      "1 of 2 scenarios failed  2 of 3 conversations passed, 38 s of calls in 1.2 s, 0.009 USD",
    );
  });

  test("colours through the painter it is given", () => {
    const painted = renderReport(report(scenario("a", [broken(1)])), null, (style, words) => `<${style}>${words}</>`);
    expect(painted).toContain("<red>FAIL</>  a");
    expect(painted).toContain("<bold>  >   4  person  No, never.</>");
  });
});

describe("two runs compared", () => {
  test("the same is the same", () => {
    const run = report(scenario("a", [conversation(1), broken(2)]));
    const same = compareReports(run, structuredClone(run));
    expect(same.isSame).toBe(true);
    expect(same.scenarios).toEqual([
      { name: "a", change: "STILL_FAILING", passRate: { before: 0.5, after: 0.5, isApart: false }, conversations: [] },
    ]);
    expect(renderReport(run, same)).toContain("Nothing changed since the last run.");
  });

  test("scenarios fail newly, pass newly, come and go", () => {
    const before = report(
      scenario("breaks", [conversation(1)]),
      scenario("heals", [broken(1)]),
      scenario("goes", [conversation(1)]),
    );
    const after = report(
      scenario("breaks", [broken(1)]),
      scenario("heals", [conversation(1)]),
      scenario("comes", [conversation(1)]),
    );
    const comparison = compareReports(before, after);
    expect(comparison.scenarios.map(({ name, change }) => [name, change])).toEqual([
      ["breaks", "NEWLY_FAILING"],
      ["heals", "NEWLY_PASSING"],
      ["comes", "ADDED"],
      ["goes", "REMOVED"],
    ]);
    expect(comparison).toMatchObject({ isSame: false, passed: { before: false, after: false } });
    expect(renderReport(after, comparison)).toContain(
      "breaks fails now (pass rate 100 % -> 0 %, in every conversation)",
    );
  });

  test("what one of the runs left out is not compared, and does not count", () => {
    const full = report(scenario("stays", [conversation(1)]), scenario("other", [broken(1)]));
    const part = { ...report(scenario("stays", [conversation(1)])), cost: "0.003", leftOut: ["other"] };
    const same = { passed: { before: true, after: true }, conversations: { before: 1, after: 1 }, isSame: true };
    for (const comparison of [compareReports(full, part), compareReports(part, full)]) {
      expect(comparison).toMatchObject({ ...same, cost: { before: "0.003", after: "0.003" } });
      expect(comparison.scenarios.map(({ name, change }) => [name, change])).toEqual([["stays", "STILL_PASSING"]]);
    }
    const grown = report(...full.scenarios, scenario("comes", [conversation(1)]));
    expect(compareReports(part, grown).scenarios.map(({ change }) => change)).toEqual(["STILL_PASSING", "ADDED"]);
  });

  test("a change of the pass rate is told from chance by the intervals", () => {
    const many = (passing: number) =>
      report(
        scenario(
          "a",
          Array.from({ length: 40 }, (_, i) => (i < passing ? conversation(i) : broken(i))),
        ),
      );
    const isApart = (before: number, after: number) =>
      compareReports(many(before), many(after)).scenarios[0]?.passRate?.isApart;
    expect(isApart(38, 34)).toBe(false);
    expect(isApart(38, 10)).toBe(true);
    expect(isApart(5, 39)).toBe(true);
  });

  test("a pass rate that conversations of other seeds changed is a change", () => {
    const before = report(scenario("a", [conversation(1)]));
    const after = report({ ...scenario("a", [conversation(1), broken(2)]), passed: true });
    const comparison = compareReports(before, after);
    expect(comparison).toMatchObject({ isSame: false, scenarios: [{ change: "STILL_PASSING", conversations: [] }] });
    expect(renderReport(after, comparison)).toContain("a passes as before (pass rate 100 % -> 50 %, may be chance)");
  });

  test("conversations of the same seed are compared to the first words that differ", () => {
    const other = conversation(1).transcript.map((turn) =>
      turn.index === 2 ? { ...turn, content: "Will you come?" } : turn,
    );
    const [change] = compareReports(
      report(scenario("a", [conversation(1), conversation(2)])),
      report(
        scenario("a", [
          conversation(1, { transcript: other, turns: 4, fields: { coming: false, people: 2 } }),
          conversation(2),
        ]),
      ),
    ).scenarios;
    expect(change?.conversations).toEqual([
      {
        seed: 1,
        passed: null,
        outcome: null,
        endReason: null,
        turns: { before: 3, after: 4 },
        cost: null,
        fields: [
          { name: "coming", before: true, after: false },
          { name: "people", before: null, after: 2 },
        ],
        firstDifference: { turn: 3, before: "Do you come?", after: "Will you come?" },
      },
    ]);
  });

  test("a transcript that was left out of a large report is no other transcript", () => {
    const whole = report(scenario("a", [conversation(1)]));
    const slim = report(scenario("a", [conversation(1, { transcript: [] })]));
    for (const [before, after] of [
      [slim, whole],
      [whole, slim],
    ] as const)
      expect(compareReports(before, after).isSame).toBe(true);
    const unsaid = report(scenario("a", [conversation(1, { transcript: [], turns: 0 })]));
    expect(compareReports(unsaid, whole).scenarios[0]?.conversations[0]?.firstDifference?.turn).toBe(1);
  });

  test("a transcript that goes on where the other ended differs there", () => {
    const shorter = conversation(1, { transcript: conversation(1).transcript.slice(0, 4) });
    const [change] = compareReports(
      report(scenario("a", [shorter])),
      report(scenario("a", [conversation(1)])),
    ).scenarios;
    expect(change?.conversations[0]?.firstDifference).toEqual({ turn: 5, before: null, after: "Goodbye." });
  });
});
