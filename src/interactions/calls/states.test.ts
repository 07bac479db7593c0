import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTEMPT_STATES, type AttemptState, foldEvent, isTerminal, ROW_STATUSES, shownStatus } from "./states.ts";

const events = ["RINGING", "ANSWERED", "ENDED"] as const;

test("whatever the order, the repeats and the losses, events never move an attempt back", () => {
  const progress: AttemptState[] = ["SUBMITTING", "ACCEPTED", "RINGING", "IN_PROGRESS", "ENDED"];
  const reported = { RINGING: "RINGING", ANSWERED: "IN_PROGRESS", ENDED: "ENDED" } as const;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (sequence) => {
      let state: AttemptState = "SUBMITTING";
      for (const event of sequence) {
        const next = foldEvent(state, event);
        expect(progress.indexOf(next)).toBeGreaterThanOrEqual(progress.indexOf(state));
        state = next;
      }
      // The final state is the furthest one reported, as if the events had come once and in order.
      const furthest = Math.max(0, ...sequence.map((event) => progress.indexOf(reported[event])));
      expect(state).toBe(progress[furthest]);
    }),
  );
});

test("an attempt that is over stays over", () => {
  for (const state of ["ENDED", "REFUSED", "ABSENT", "UNCONFIRMED"] as const) {
    for (const event of events) expect(foldEvent(state, event)).toBe(state);
  }
});

test("a live row shows its attempt; a row that ended shows how", () => {
  expect(shownStatus("DIALING", "RINGING")).toBe("RINGING");
  expect(shownStatus("DIALING", "SUBMITTING")).toBe("DIALING");
  expect(shownStatus("UNKNOWN", "IN_PROGRESS")).toBe("UNKNOWN");
  for (const status of ROW_STATUSES.filter(isTerminal)) {
    for (const state of ATTEMPT_STATES) expect(shownStatus(status, state)).toBe(status);
  }
});
