import type { Turn } from "#src/engine/conversation/plan.ts";
import type { Comparison } from "./compare.ts";
import { renderComparison } from "./render-comparison.ts";
import type { ConversationReport, EdgeCoverage, Failure, ScenarioReport, SuiteReport } from "./report.ts";
import { type Paint, plainly, printable } from "./terminal-text.ts";

/** Conversations shown of a failed scenario; the others mostly fail alike. */
const MAX_SHOWN = 3;
const LINES_AROUND = 2;
const MAX_LINE_CHARACTERS = 160;

/** Returns a report to read in a terminal. */
export function renderReport(report: SuiteReport, comparison: Comparison | null, paint: Paint = plainly): string {
  const failed = report.scenarios.filter(({ passed }) => !passed);
  return [
    paint("bold", printable(report.suite)) + paint("dim", `  ${describeRun(report)}`),
    "",
    ...renderTable(report.scenarios, paint),
    ...failed.flatMap((scenario) => ["", ...renderFailed(scenario, paint)]),
    ...(report.edgeCoverage ? renderEdges(report.edgeCoverage, paint) : []),
    ...report.warnings.map((warning) => paint("yellow", `warning: ${printable(warning)}`)),
    ...(comparison ? ["", ...renderComparison(comparison, paint)] : []),
    "",
    renderSum(report, failed.length, paint),
    "",
  ].join("\n");
}

/** Edges shown that nobody took; the report as JSON has them all. */
const MAX_EDGES = 20;

function renderEdges({ covered, total, edges }: EdgeCoverage, paint: Paint): string[] {
  const missing = edges.filter((edge) => !edge.covered);
  return [
    "",
    `${covered} of ${count(total, "edge")} of the stages taken`,
    ...missing.slice(0, MAX_EDGES).map(({ stageId, to, label }) => {
      const named = label === "" ? "" : ` (${printable(label)})`;
      return paint("yellow", `  No persona took ${printable(stageId)} → ${printable(to)}${named}`);
    }),
    ...(missing.length > MAX_EDGES ? [paint("dim", `  and ${missing.length - MAX_EDGES} more`)] : []),
  ];
}

function describeRun({ flow, model, mode, channel, seed }: SuiteReport): string {
  const version = flow.version === null ? "" : ` version ${flow.version}`;
  return printable(`${flow.name}${version}, ${channel} in ${mode}, model ${model}, seed ${seed}`);
}

function renderTable(scenarios: ScenarioReport[], paint: Paint): string[] {
  const rows = scenarios.map((scenario) => {
    const { name, passed, passedRepetitions, repetitions, interval, conversations } = scenario;
    const [first] = conversations;
    const share = repetitions === 1 ? "" : `${passedRepetitions}/${repetitions}`;
    const range = repetitions === 1 ? "" : `${toPercent(interval.low)} to ${toPercent(interval.high)}`;
    const turns = first ? `${first.turns} turns` : "";
    const length = first ? `${Math.round(first.callMs / 1_000)} s` : "";
    return { passed, cells: [printable(name), share, range, first?.callOutcome ?? "", turns, length] };
  });
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    Math.max(0, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  return rows.map(({ passed, cells }) => {
    const mark = passed ? paint("green", "pass") : paint("red", "FAIL");
    const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).filter((cell) => cell !== "");
    return `  ${mark}  ${padded.join("  ").trimEnd()}`;
  });
}

function renderFailed(scenario: ScenarioReport, paint: Paint): string[] {
  const broken = scenario.conversations.filter(({ passed }) => !passed);
  const isShared = scenario.repetitions > 1;
  const needed = isShared ? ` (${toPercent(scenario.requiredPassRate)} must pass)` : "";
  const hidden = broken.length - MAX_SHOWN;
  return [
    paint("red", `FAIL ${printable(scenario.name)}`) + paint("dim", `${needed}, with ${printable(scenario.persona)}`),
    ...broken.slice(0, MAX_SHOWN).flatMap((conversation) => renderConversation(conversation, isShared, paint)),
    ...(hidden > 0 ? [paint("dim", `  and ${hidden} more conversations; the report as JSON has them all`)] : []),
  ];
}

function renderConversation(conversation: ConversationReport, showsSeed: boolean, paint: Paint): string[] {
  return [
    ...(showsSeed ? [paint("dim", `  seed ${conversation.seed}`)] : []),
    ...conversation.failures.flatMap((failure) => renderFailure(failure, conversation.transcript, paint)),
  ];
}

function renderFailure({ code, path, turn, message, quote }: Failure, transcript: Turn[], paint: Paint): string[] {
  const place = [path === code ? "" : path, turn === null ? "" : `turn ${turn}`].filter(Boolean).join(", ");
  const head = `  ${paint("red", code)}${place === "" ? "" : ` at ${printable(place)}`}: ${printable(message)}`;
  if (turn === null) return [head];
  const around = transcript.slice(Math.max(0, turn - 1 - LINES_AROUND), turn + LINES_AROUND);
  if (around.length === 0 && quote !== null) return [head, paint("dim", `    ${turn}  ${shorten(quote)}`)];
  return [head, ...around.map((line) => renderLine(line, line.index + 1 === turn, paint))];
}

const SPEAKERS: Record<Turn["role"], string> = { ASSISTANT: "agent", USER: "person", SYSTEM: "note", TOOL: "tool" };

function renderLine({ index, role, content }: Turn, isMeant: boolean, paint: Paint): string {
  const text = `${String(index + 1).padStart(5)}  ${SPEAKERS[role].padEnd(6)}  ${shorten(content)}`;
  return isMeant ? paint("bold", `  >${text.slice(1)}`) : paint("dim", `  ${text}`);
}

function renderSum(report: SuiteReport, failed: number, paint: Paint): string {
  const { scenarios, conversations, passedConversations, callMs, durationMs, cost, currency } = report;
  const verdict =
    failed === 0
      ? paint("green", `${count(scenarios.length, "scenario")} passed`)
      : paint("red", `${failed} of ${count(scenarios.length, "scenario")} failed`);
  const figures = `${passedConversations} of ${count(conversations, "conversation")} passed, ${Math.round(callMs / 1_000)} s of calls in ${(durationMs / 1_000).toFixed(1)} s, ${cost} ${currency}`;
  return `${verdict}  ${paint("dim", figures)}`;
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function shorten(text: string): string {
  const plain = printable(text);
  return plain.length > MAX_LINE_CHARACTERS ? `${plain.slice(0, MAX_LINE_CHARACTERS)}…` : plain;
}
