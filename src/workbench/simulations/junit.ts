import type { ConversationReport, ScenarioReport, SuiteReport } from "./report.ts";

/** Returns a report as JUnit XML: a testcase for each scenario, timed in call time; failures name their turns. */
export function toJUnit(report: SuiteReport): string {
  const { suite, scenarios, callMs } = report;
  const failures = scenarios.filter(({ passed }) => !passed).length;
  const counts = `tests="${scenarios.length}" failures="${failures}" errors="0" skipped="0" time="${toSeconds(callMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="parley" ${counts}>`,
    `  <testsuite name="${escape(suite)}" ${counts}>`,
    "    <properties>",
    ...propertiesOf(report).map(([name, value]) => `      <property name="${name}" value="${escape(value)}"/>`),
    "    </properties>",
    ...scenarios.flatMap((scenario) => testcaseOf(suite, scenario)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function propertiesOf({ flow, model, mode, seed, cost, currency }: SuiteReport): [string, string][] {
  const version = flow.version === null ? "" : ` (version ${flow.version})`;
  return [
    ["flow", `${flow.name}${version}`],
    ["model", model],
    ["mode", mode],
    ["seed", String(seed)],
    ["cost", `${cost} ${currency}`],
  ];
}

function testcaseOf(suite: string, scenario: ScenarioReport): string[] {
  const callMs = scenario.conversations.reduce((sum, one) => sum + one.callMs, 0);
  const head = `    <testcase name="${escape(scenario.name)}" classname="${escape(suite)}" time="${toSeconds(callMs)}"`;
  if (scenario.passed) return [`${head}/>`];
  const broken = scenario.conversations.filter(({ passed }) => !passed);
  const first = broken[0]?.failures[0];
  const share = `${scenario.passedRepetitions} of ${scenario.repetitions} conversations passed`;
  const text = broken.flatMap(describeConversation).join("\n");
  return [
    `${head}>`,
    `      <failure type="${escape(first?.code ?? "PASS_RATE")}" message="${escape(`${share}. ${first?.message ?? ""}`)}">${escape(text)}</failure>`,
    "    </testcase>",
  ];
}

function describeConversation({ seed, failures }: ConversationReport): string[] {
  return failures.flatMap(({ code, turn, message, quote }) => [
    `seed ${seed}${turn === null ? "" : `, turn ${turn}`}: ${code}: ${message}`,
    ...(quote === null ? [] : [`  "${quote}"`]),
  ]);
}

function toSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escapes untrusted text for XML 1.0, which forbids most control characters and lone surrogates. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);
}
