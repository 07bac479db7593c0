import { expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { isCarrierEvent } from "#src/telephony/carriers/event-shape.ts";
import { readCallEvent } from "./vonage-events.ts";

const BASE = {
  eventKey: "key",
  attemptId: uuidv7(),
  providerCallId: "aaaaaaaa-bbbb-cccc-dddd-0123456789ab",
  now: "2026-11-21T12:00:00.000Z",
  isHungUp: false,
};

test.each([
  [{ status: "completed", disconnected_by: "user" }, "ANSWERED", "CUSTOMER"],
  [{ status: "completed", disconnected_by: "platform" }, "ANSWERED", "AGENT"],
  [{ status: "completed" }, "ANSWERED", "CUSTOMER"],
  [{ status: "busy" }, "BUSY", "CUSTOMER"],
  [{ status: "cancelled" }, "NO_ANSWER", "AGENT"],
  [{ status: "timeout" }, "NO_ANSWER", "CARRIER"],
  [{ status: "unanswered", detail: "timeout" }, "NO_ANSWER", "CUSTOMER"],
  [{ status: "unanswered", detail: "unavailable" }, "UNREACHABLE", "CUSTOMER"],
  [{ status: "rejected" }, "REJECTED", "CUSTOMER"],
  [{ status: "rejected", detail: "declined" }, "REJECTED", "CUSTOMER"],
  [{ status: "rejected", detail: "invalid_number" }, "INVALID_NUMBER", "CUSTOMER"],
  [{ status: "rejected", detail: "restricted" }, "CARRIER_FAILURE", "CUSTOMER"],
  [{ status: "rejected", detail: "words of tomorrow" }, "REJECTED", "CUSTOMER"],
  [{ status: "failed" }, "CARRIER_FAILURE", "CARRIER"],
  [{ status: "failed", detail: "cannot_route" }, "UNREACHABLE", "CARRIER"],
  [{ status: "failed", detail: "number_out_of_service" }, "INVALID_NUMBER", "CARRIER"],
  [{ status: "failed", sip_code: 404 }, "INVALID_NUMBER", "CARRIER"],
  [{ status: "failed", sip_code: "486" }, "BUSY", "CARRIER"],
  [{ status: "rejected", sip_code: "603" }, "REJECTED", "CUSTOMER"],
])("%j ends a call as %s by %s", (json, outcome, hungUpBy) => {
  const event = readCallEvent(json, BASE);
  expect(event).toMatchObject({ type: "ENDED", outcome, hungUpBy, at: BASE.now });
  expect(isCarrierEvent(event)).toBe(true);
  expect(event?.type === "ENDED" && event.reason).toContain(json.status);
});

test.each([
  ["answered", "UNCERTAIN"],
  ["human", "HUMAN"],
  ["machine", "MACHINE_VOICEMAIL"],
])("%s is an answer of %s", (status, answeredBy) => {
  const event = readCallEvent({ status, timestamp: "2026-11-21T10:00:00.000Z" }, BASE);
  expect(event).toMatchObject({ type: "ANSWERED", answeredBy, at: "2026-11-21T10:00:00.000Z" });
});

test("an end that we ordered is ours, and a time without a zone is UTC", () => {
  const json = { status: "completed", end_time: "2026-11-21 10:00:07" };
  expect(readCallEvent(json, { ...BASE, isHungUp: true })).toMatchObject({
    hungUpBy: "AGENT",
    at: "2026-11-21T10:00:07.000Z",
  });
});

test.each(["started", "disconnected", "transfer", "constructor", "__proto__", "", undefined, 7, {}])(
  "a status of %j changes nothing",
  (status) => {
    expect(readCallEvent({ status }, BASE)).toBeNull();
  },
);
