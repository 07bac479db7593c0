import {
  type Comparison,
  type ConversationChange,
  hasChanged,
  type ScenarioChange,
  type ScenarioComparison,
} from "./compare.ts";
import { type Paint, printable } from "./terminal-text.ts";

const MAX_SHOWN = 3;
const MAX_TEXT_CHARACTERS = 120;

const CHANGES: Record<ScenarioChange, string> = {
  NEWLY_FAILING: "fails now",
  NEWLY_PASSING: "passes now",
  STILL_FAILING: "fails as before",
  STILL_PASSING: "passes as before",
  ADDED: "is new",
  REMOVED: "is gone",
};

/** Returns the changes since the run before, line by line. */
export function renderComparison(comparison: Comparison, paint: Paint): string[] {
  if (comparison.isSame) return [paint("dim", "Nothing changed since the last run.")];
  const { cost, passedConversations, conversations } = comparison;
  const costs = cost === null ? "" : `, cost ${cost.before} -> ${cost.after}`;
  const passed = `${passedConversations.before}/${conversations.before} -> ${passedConversations.after}/${conversations.after} conversations passed`;
  const changed = comparison.scenarios.filter(hasChanged);
  return [
    paint("bold", "Since the last run") + paint("dim", `  ${passed}${costs}`),
    ...changed.flatMap((scenario) => renderScenario(scenario, paint)),
  ];
}

function renderScenario({ name, change, passRate, conversations }: ScenarioComparison, paint: Paint): string[] {
  const style = change === "NEWLY_FAILING" ? "red" : change === "NEWLY_PASSING" ? "green" : "dim";
  const rate =
    passRate && passRate.before !== passRate.after
      ? ` (pass rate ${toPercent(passRate.before)} -> ${toPercent(passRate.after)}, ${judge(passRate)})`
      : "";
  const hidden = conversations.length - MAX_SHOWN;
  return [
    `  ${printable(name)} ${paint(style, CHANGES[change])}${rate}`,
    ...conversations.slice(0, MAX_SHOWN).flatMap((one) => renderConversation(one, paint)),
    ...(hidden > 0 ? [paint("dim", `    and ${hidden} more conversations differ`)] : []),
  ];
}

function judge({ before, after, isApart }: NonNullable<ScenarioComparison["passRate"]>): string {
  if (isApart) return "the intervals are apart";
  return Math.abs(after - before) === 1 ? "in every conversation" : "may be chance";
}

function renderConversation(change: ConversationChange, paint: Paint): string[] {
  const { seed, passed, outcome, endReason, turns, cost, fields, firstDifference } = change;
  const parts = [
    passed && (passed.after ? "passes" : "fails"),
    outcome && `outcome ${outcome.before} -> ${outcome.after}`,
    endReason && `end ${endReason.before} -> ${endReason.after}`,
    turns && `turns ${turns.before} -> ${turns.after}`,
    cost && `cost ${cost.before} -> ${cost.after}`,
    ...fields.map(({ name, before, after }) => `${name} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`),
  ].filter((part) => part !== null);
  return [
    `    seed ${seed}${parts.length === 0 ? "" : `: ${shorten(parts.join(", "))}`}`,
    ...(firstDifference
      ? [
          paint("dim", `      turn ${firstDifference.turn} was  ${shorten(firstDifference.before ?? "(nothing)")}`),
          paint("dim", `      turn ${firstDifference.turn} is   ${shorten(firstDifference.after ?? "(nothing)")}`),
        ]
      : []),
  ];
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function shorten(text: string): string {
  const plain = printable(text);
  return plain.length > MAX_TEXT_CHARACTERS ? `${plain.slice(0, MAX_TEXT_CHARACTERS)}…` : plain;
}
