import { expect, test } from "vitest";
import type { AmdVerdict } from "#src/audio/line/line.ts";
import { watchMachines } from "#src/engine/conversation/machine-watch.ts";
import { answererOf, outcomeOfSession } from "./session-outcome.ts";

test.each([0.5, 0.6, 0.69, 0.7, 0.88, 0.97])(
  "who is talked to as a person is reported as one, however certain a machine was (%d)",
  (confidence) => {
    for (const answeredBy of ["MACHINE_VOICEMAIL", "MACHINE_IVR", "MACHINE_UNAVAILABLE", "FAX"] as const) {
      const verdict: AmdVerdict = { answeredBy, confidence, decidedAfterMs: 4_000, reason: "LONG_GREETING" };
      const watch = watchMachines({ verdict, messageDue: null, onChange: () => undefined }, "UNCERTAIN");
      const isTalkedTo = !watch.signal.aborted;
      watch.stop();
      const outcome = outcomeOfSession("CUSTOMER_HUNG_UP", answererOf("UNCERTAIN", verdict));
      expect(outcome === "ANSWERED").toBe(isTalkedTo);
    }
  },
);
