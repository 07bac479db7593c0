import { describe, expect, test } from "vitest";
import type { CarrierReply } from "#src/telephony/carriers/carrier-http.ts";
import { explainDial } from "./telnyx-errors.ts";

function answer(status: number, code: string, detail: string, pointer?: string): CarrierReply {
  const source = pointer ? { source: { pointer } } : {};
  const errors = [{ code, title: "Title", detail, ...source }];
  return { kind: "ANSWER", status, headers: {}, json: { errors } };
}

describe("a dial that Telnyx refuses", () => {
  const cases: [string, CarrierReply, object, string][] = [
    ["a wrong key", answer(401, "10009", "x"), { then: "REQUEUE", blame: "ACCOUNT" }, "API key"],
    ["an expired key", answer(403, "20006", "x"), { then: "REQUEUE", blame: "ACCOUNT" }, "API key"],
    ["no credit", answer(403, "20100", "x"), { then: "REQUEUE", blame: "ACCOUNT" }, "top it up"],
    ["no credit, told by its D code", answer(403, "10010", "Blocked D19"), { blame: "ACCOUNT" }, "top it up"],
    ["an account that is not verified", answer(403, "20014", "x"), { blame: "ACCOUNT" }, "verification"],
    [
      "an application of somebody else",
      answer(422, "10015", "Invalid", "/connection_id"),
      { then: "REQUEUE", blame: "ACCOUNT" },
      "connectionId",
    ],
    [
      "a country that is not allowed",
      answer(403, "10010", "Dialed Number is not included in whitelisted countries D13"),
      { then: "TERMINAL", outcome: "CARRIER_FAILURE" },
      "Outbound Voice Profile",
    ],
    [
      "a number that its service plan leaves out",
      answer(403, "10010", "Destination Number 33899123456 is not allowed for service plan x D12"),
      { then: "TERMINAL", outcome: "CARRIER_FAILURE" },
      "Outbound Voice Profile",
    ],
    [
      "a calling number of another account",
      answer(403, "10010", "Forbidden D36"),
      { then: "REQUEUE", blame: "NUMBER" },
      "not this account's",
    ],
    [
      "a calling number of somebody else",
      answer(403, "10010", "Caller Origination Number is Invalid D35"),
      { then: "REQUEUE", blame: "NUMBER" },
      "not this account's",
    ],
    [
      "a calling number that is none",
      answer(422, "10016", "x", "/from"),
      { then: "REQUEUE", blame: "NUMBER" },
      "active",
    ],
    [
      "a trial account",
      answer(403, "10010", "Trial accounts can only call verified numbers"),
      { then: "TERMINAL", outcome: "CARRIER_FAILURE" },
      "upgrade",
    ],
    [
      "a called number that is none",
      answer(422, "10016", "x", "/to"),
      { then: "TERMINAL", outcome: "INVALID_NUMBER" },
      "called",
    ],
    ["too many calls at once", answer(403, "10010", "User channel limit exceeded D1"), { then: "REQUEUE" }, "at once"],
    ["too dear a country", answer(403, "10010", "Rate per minute too high D24"), { then: "TERMINAL" }, "costs more"],
    ["too many dials a second", answer(429, "90103", "x"), { then: "REQUEUE", retryAfterMs: 1_000 }, "dials a second"],
    ["something new", answer(422, "99999", "It is raining"), { then: "TERMINAL" }, "It is raining"],
    ["a 403 without a reason", answer(403, "10010", "No"), { then: "REQUEUE", blame: "ACCOUNT" }, "No"],
  ];
  test.each(cases)("for %s says whose fault it is and what to do", (_name, reply, expected, word) => {
    const result = explainDial(reply);
    expect(result).toMatchObject({ kind: "REFUSED", ...expected });
    expect(result.kind === "REFUSED" && result.message).toContain(word);
  });

  test("for its rate waits until Telnyx's limit is lifted", () => {
    const reply = { ...answer(429, "10011", "x"), headers: { "x-ratelimit-reset": "4" } } as CarrierReply;
    expect(explainDial(reply)).toMatchObject({ then: "REQUEUE", retryAfterMs: 4_000 });
  });

  test("for this call, or for now, blames nobody", () => {
    for (const detail of ["whitelisted countries D13", "channel limit exceeded D1", "Rate per minute D24"]) {
      expect(explainDial(answer(403, "10010", detail)), detail).not.toHaveProperty("blame");
    }
  });
});

describe("a dial that proves nothing", () => {
  test.each([408, 409, 500, 502, 503, 504, 302])("is one that is answered with %s", (status) => {
    const reply: CarrierReply = { kind: "ANSWER", status, headers: {}, json: null };
    expect(explainDial(reply)).toMatchObject({ kind: "UNCERTAIN" });
  });

  test("is one whose answer did not come, and not one that never left", () => {
    const failed = { kind: "FAILED", code: "TIMEOUT", message: "too slow" } as const;
    expect(explainDial({ ...failed, sent: true })).toMatchObject({ kind: "UNCERTAIN" });
    expect(explainDial({ ...failed, sent: false })).toMatchObject({ kind: "REFUSED", then: "REQUEUE" });
  });
});
