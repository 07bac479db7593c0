import { describe, expect, test } from "vitest";
import { readOutcome } from "./response-outcomes.ts";
import { SipHeaders, type SipResponse } from "./sip-message.ts";

function respond(status: number, reason: string, headers: Record<string, string> = {}): SipResponse {
  const all = new SipHeaders();
  for (const [name, value] of Object.entries(headers)) all.add(name, value);
  return { kind: "RESPONSE", status, reason, headers: all, body: Buffer.alloc(0) };
}

const QUIET = { rang: false, cancelled: false };

describe("a final response", () => {
  test.each<[number, string, string]>([
    [486, "Busy Here", "BUSY"],
    [600, "Busy Everywhere", "BUSY"],
    [480, "Temporarily Unavailable", "UNREACHABLE"],
    [408, "Request Timeout", "NO_ANSWER"],
    [487, "Request Terminated", "NO_ANSWER"],
    [603, "Decline", "REJECTED"],
    [607, "Unwanted", "REJECTED"],
    [608, "Rejected", "REJECTED"],
    [403, "Forbidden", "REJECTED"],
    [404, "Not Found", "INVALID_NUMBER"],
    [484, "Address Incomplete", "INVALID_NUMBER"],
    [604, "Does Not Exist Anywhere", "INVALID_NUMBER"],
    [410, "Gone", "INVALID_NUMBER"],
    [488, "Not Acceptable Here", "CARRIER_FAILURE"],
    [500, "Server Internal Error", "CARRIER_FAILURE"],
    [504, "Server Time-out", "CARRIER_FAILURE"],
    [699, "Something New", "CARRIER_FAILURE"],
  ])("%i %s ends the call", (status, reason, outcome) => {
    expect(readOutcome(respond(status, reason), QUIET)).toMatchObject({
      outcome,
      then: "TERMINAL",
      code: `SIP_${status}`,
      sipCode: status,
      message: expect.stringContaining(`${status}: ${reason}.`) as string,
    });
  });

  test.each<[string, SipResponse]>([
    ["401", respond(401, "Unauthorized")],
    ["407", respond(407, "Proxy Authentication Required")],
    ["402", respond(402, "Payment Required")],
    ["403 about credentials", respond(403, "Bad credentials")],
    [
      "403 about the balance, in a Warning",
      respond(403, "Forbidden", { Warning: '399 gw.example "Insufficient balance"' }),
    ],
    [
      "403 about who calls, in a Reason",
      respond(403, "Forbidden", { Reason: 'Q.850;cause=21;text="Caller ID not allowed"' }),
    ],
    // Telnyx's page "SIP Response Codes".
    ["403 D35", respond(403, "Caller Origination Number is Invalid D35")],
    ["403 D36", respond(403, "Forbidden D36")],
    ["403 D38", respond(403, "No outbound voice profile assigned D38")],
    ["404 of a blocked account", respond(404, "Account is blocked D19")],
    // Twilio's error 32204, and its changelog of 2022-07-11.
    ["403 of Twilio", respond(403, "Forbidden", { "X-Twilio-Error": "32204 'From' phone number not verified" })],
    ["603 of Twilio", respond(603, "Decline", { "X-Twilio-Error": "10001 Account is not active" })],
    ["403 about credit", respond(403, "Credit limit exceeded")],
  ])("%s blames the number, and the call waits until it is mended", (_, response) => {
    expect(readOutcome(response, QUIET)).toMatchObject({
      outcome: "CARRIER_FAILURE",
      then: "REQUEUE",
      blame: "NUMBER",
    });
  });

  test.each([
    "User channel limit exceeded D1",
    "Outbound profile channel limit exceeded D2",
    "Connection channel limit exceeded D3",
    "DID channel limit exceeded D22",
    "Maximum concurrent calls reached",
    "Too many calls",
  ])("403 %s waits like a busy trunk, and blames nobody", (reason) => {
    const outcome = readOutcome(respond(403, reason, { Reason: "Q.850;cause=21" }), QUIET);
    expect(outcome).toMatchObject({ then: "REQUEUE", outcome: "CARRIER_FAILURE", retryAfterMs: 5_000 });
    expect(outcome).not.toHaveProperty("blame");
  });

  test.each([
    respond(403, "Dialed Number is not included in whitelist D13"),
    respond(403, "Destination Number +33899123456 is invalid D11"),
    respond(403, "Destination Number +33899123456 is not allowed for service plan x D12"),
    respond(403, "Rate per minute of the call exceeds the maximum D24"),
    respond(403, "Account not authorized to call this destination"),
    respond(403, "Forbidden", { "X-Twilio-Error": "32205 SIP: No International Permission" }),
    respond(403, "Trial accounts can only call verified caller IDs"),
  ])("%#: a 403 about the destination ends the call, and neither the person nor our number is at fault", (response) => {
    const outcome = readOutcome(response, QUIET);
    expect(outcome).toMatchObject({ then: "TERMINAL", outcome: "CARRIER_FAILURE" });
    expect(outcome).not.toHaveProperty("blame");
  });

  test("503 waits as long as it says, within bounds", () => {
    const wait = (headers: Record<string, string>) => readOutcome(respond(503, "Service Unavailable", headers), QUIET);
    expect(wait({ "Retry-After": "18;duration=3600" })).toMatchObject({ then: "REQUEUE", retryAfterMs: 18_000 });
    expect(wait({ "Retry-After": "120 (full)" })).toMatchObject({ retryAfterMs: 120_000 });
    expect(wait({ "Retry-After": "0" })).toMatchObject({ retryAfterMs: 1_000 });
    expect(wait({ "Retry-After": "999999999" })).toMatchObject({ retryAfterMs: 300_000 });
    expect(wait({ "Retry-After": "soon" })).toMatchObject({ retryAfterMs: 5_000 });
    expect(wait({})).toMatchObject({ outcome: "CARRIER_FAILURE", retryAfterMs: 5_000 });
  });

  test("after ringing nothing is dialled again as if nobody had been rung", () => {
    const rang = { rang: true, cancelled: false };
    for (const [status, reason] of [
      [503, "x"],
      [403, "No credentials"],
      [403, "Channel limit exceeded D1"],
      [407, "x"],
    ] as const) {
      expect(readOutcome(respond(status, reason), rang)).toMatchObject({
        then: "TERMINAL",
        outcome: "CARRIER_FAILURE",
      });
    }
  });

  test.each<[number, number, string]>([
    [480, 17, "BUSY"],
    [480, 20, "UNREACHABLE"],
    [500, 1, "INVALID_NUMBER"],
    [503, 27, "UNREACHABLE"],
    [502, 28, "INVALID_NUMBER"],
    [503, 19, "NO_ANSWER"],
    [603, 17, "BUSY"],
  ])("%i with cause %i of the telephone network counts by the cause", (status, cause, outcome) => {
    const headers = { Reason: `SIP;cause=${status}, Q.850;cause=${cause};text="x"` };
    expect(readOutcome(respond(status, "x", headers), QUIET)).toMatchObject({ outcome, then: "TERMINAL" });
  });

  test("a cause that says nothing leaves the status to count", () => {
    for (const cause of ["16", "31", "999", "x"]) {
      const response = respond(503, "x", { Reason: `Q.850;cause=${cause}` });
      expect(readOutcome(response, QUIET)).toMatchObject({ then: "REQUEUE", outcome: "CARRIER_FAILURE" });
    }
    expect(readOutcome(respond(486, "x", { Reason: "Q.850;cause=1" }), QUIET).outcome).toBe("BUSY");
  });

  test("after our CANCEL it was not answered, unless the far end said what else", () => {
    const cancelled = { rang: true, cancelled: true };
    expect(readOutcome(respond(487, "x", { Reason: "Q.850;cause=21" }), cancelled).outcome).toBe("NO_ANSWER");
    expect(readOutcome(respond(500, "x"), cancelled).outcome).toBe("NO_ANSWER");
    expect(readOutcome(respond(486, "x"), cancelled).outcome).toBe("BUSY");
    expect(readOutcome(respond(603, "x"), cancelled).outcome).toBe("REJECTED");
  });

  test("its words are kept in one short line", () => {
    const { message } = readOutcome(
      respond(480, "Gone\tfishing\u0007", {
        Warning: '399 gw "a", 399 gw "a", garbage',
        Reason: `Q.850;cause=16;text="${"y".repeat(400)}"`,
      }),
      QUIET,
    );
    expect(message).toMatch(/^The trunk answered 480: Gone fishing; a; y{100,190}\.$/);
    expect(readOutcome(respond(480, ""), QUIET).message).toBe("The trunk answered 480.");
  });
});
