import type { Carrier, DialResult, LookUpResult } from "./carrier.ts";

/**
 * Returns a substitute for the carrier of a number whose account was removed or does not open. It rings nobody, and the
 * number is stopped with the message.
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
