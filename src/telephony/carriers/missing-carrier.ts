import type { Carrier, DialResult, LookUpResult } from "./carrier.ts";

/**
 * Stands for a carrier that calls of a number need and that is not there: its account was removed, or does not open. Nobody
 * is rung, and the number is stopped with the message.
 */
export function createMissingCarrier(name: string, message: string): Carrier {
  const refused: DialResult = {
    kind: "REFUSED",
    then: "REQUEUE",
    outcome: "CARRIER_FAILURE",
    code: "CARRIER_NOT_CONFIGURED",
    message,
    blame: "NUMBER",
  };
  const unknown: LookUpResult = { kind: "UNCERTAIN", message };
  return {
    name,
    capabilities: { dedupe: null, looksUpBy: "CALL_ID", absenceIsProof: false, horizonMs: 60_000 },
    dial: () => Promise.resolve(refused),
    lookUp: () => Promise.resolve(unknown),
    hangUp: () => Promise.resolve(),
    openLine() {
      throw new Error(message);
    },
  };
}
