import type { CallRow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { plural, t } from "#web/i18n/t.ts";
import { formatMoney } from "#web/ui/format/format.ts";

/** Estimated cost of calls that are not placed yet, from earlier ones. */
export interface Estimate {
  amount: number;
  currency: string;
  /** Number of calls that it is based on. */
  calls: number;
  isSimulated: boolean;
}

const LOOKED_AT = 50;

/** Multiplies the mean cost of the flow's last calls by the people to be called; null when there were none. */
export function useEstimate(flowApiId: string | null | undefined, people: number): Estimate | null {
  const query = { size: LOOKED_AT, status: ["COMPLETED", "FAILED"], ...(flowApiId ? { flowApiId } : {}) };
  const calls = useRead<Page<CallRow>>("/call-history", query).data?.content ?? [];
  const first = calls[0];
  if (!first || people === 0) return null;
  const sum = calls.reduce((total, { cost }) => total + Number(cost.amount), 0);
  return {
    amount: (sum / calls.length) * people,
    currency: first.cost.currency,
    calls: calls.length,
    isSimulated: calls.every(({ cost }) => cost.simulated),
  };
}

/** The estimate as a figure with what it is based on: `$0.0312`, `as the last 50 calls`. */
export function describeEstimate({ amount, currency, calls, isSimulated }: Estimate) {
  return {
    label: isSimulated ? t`Would cost, if real` : t`May cost`,
    value: formatMoney(amount, currency),
    hint: plural(calls, "as the last call, one attempt each", "as the last {n} calls, one attempt each"),
  };
}
