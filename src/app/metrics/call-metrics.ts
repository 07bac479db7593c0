import { Counter, type Registry } from "prom-client";
import { carrierKindOf } from "#src/interactions/dispatch/claim.ts";
import type { CallParts } from "#src/interactions/dispatch/live-call.ts";
import { PROVIDERS } from "#src/numbers/phone-numbers/number-fields.ts";
import { GATE_REASONS } from "#src/tenancy/compliance/gate.ts";

/** Listeners that count calls. */
export type CallMetrics = Required<Pick<CallParts, "onDialled" | "onEnded">>;

const ANSWERS = ["ACCEPTED", "REFUSED", "UNCERTAIN"];

/** Creates the counters of dials and ends of calls. */
export function createCallMetrics(registers: Registry[]): CallMetrics {
  const dials = new Counter({
    name: "parley_dials_total",
    help: "Dials, by the provider that carried them and its answer.",
    labelNames: ["provider", "result"],
    registers,
  });
  // Counters begin at 0, so that the first event is an increase too.
  for (const provider of PROVIDERS) for (const result of ANSWERS) dials.inc({ provider, result }, 0);
  const attempts = new Counter({
    name: "parley_call_attempts_total",
    help: "Attempts of calls that ended, by provider and outcome, those that are retried included.",
    labelNames: ["provider", "outcome"],
    registers,
  });
  const finished = new Counter({
    name: "parley_calls_finished_total",
    help: "Calls that ended for good, by direction, status and end reason.",
    labelNames: ["direction", "status", "reason"],
    registers,
  });
  const refusals = new Counter({
    name: "parley_gate_refusals_total",
    help: "Rows that the compliance gate refused to dial, by reason.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of Object.keys(GATE_REASONS)) refusals.inc({ reason }, 0);
  return {
    onDialled: (row, result) => dials.inc({ provider: carrierKindOf(row), result }),
    onEnded(row, { outcome, status, endReason, retryMs }) {
      if (row.blocked) refusals.inc({ reason: row.blocked });
      else if (outcome !== null) attempts.inc({ provider: carrierKindOf(row), outcome });
      if (retryMs === null) finished.inc({ direction: row.direction, status, reason: endReason ?? "NONE" });
    },
  };
}
