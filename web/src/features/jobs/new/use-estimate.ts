import type { CallRow, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";

/** What a job may cost, told by calls that were made. */
export interface Estimate {
  amount: number;
  currency: string;
  /** Calls that it is taken from. */
  calls: number;
  isSimulated: boolean;
}

const LOOKED_AT = 50;

/** Takes the mean cost of the flow's last calls, times the people to be called; null while there were none. */
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
