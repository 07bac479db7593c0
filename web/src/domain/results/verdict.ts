import type { Results } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";
import { formatShare } from "#web/ui/format/format.ts";
import { flowsWithoutCriterion } from "./criterion.ts";

type Verdict = Results["verdicts"][number];

/** Says in the page's language what the calls show of two versions; the API's own words are English. */
export function sayVerdict(comparison: Verdict, results: Results): string {
  const { verdict, version, comparedWith, difference, flowApiId } = comparison;
  const [first, second] = [Math.min(version, comparedWith), Math.max(version, comparedWith)];
  if (verdict === "TOO_FEW_CALLS")
    return t`Too few calls that a person answered to compare versions ${first} and ${second}.`;
  if (verdict === "NO_DIFFERENCE_YET")
    return t`The calls show no difference between versions ${first} and ${second} yet.`;
  const rateOf = (wanted: number) => {
    const found = results.versions.find((one) => one.flowApiId === flowApiId && one.version === wanted);
    return formatShare(found?.successRate?.value ?? null);
  };
  if (flowsWithoutCriterion(results).includes(flowApiId))
    return t`Version ${version} is better: ${rateOf(version)} of its answered calls are completed, ${rateOf(comparedWith)} with version ${comparedWith} (likely ${points(difference.low)} to ${points(difference.high)} points more).`;
  return t`Version ${version} is better: ${rateOf(version)} of its answered calls succeed, ${rateOf(comparedWith)} with version ${comparedWith} (likely ${points(difference.low)} to ${points(difference.high)} points more).`;
}

function points(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 0 ? t`under 1` : String(rounded);
}
