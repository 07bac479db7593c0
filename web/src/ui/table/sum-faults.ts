import { explainError } from "#web/api/api-error.ts";
import { t } from "#web/i18n/t.ts";

const MOST_REASONS = 5;

/** Text of the reasons why requests failed: each once with its count, most frequent first. */
export function sumFaults(faults: unknown[]): string {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(explainError(fault), (counts.get(explainError(fault)) ?? 0) + 1);
  const reasons = [...counts].toSorted(([, a], [, b]) => b - a);
  const lines = reasons.slice(0, MOST_REASONS).map(([reason, count]) => `${count} × ${reason}`);
  const left = reasons.length - MOST_REASONS;
  return [...lines, ...(left > 0 ? [t`and ${left} other reasons`] : [])].join("\n");
}
