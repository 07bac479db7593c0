import { describe, expect, test } from "vitest";
import type { TransferOrder } from "#src/audio/line/line.ts";
import { reconcile } from "#src/interactions/dispatch/reconcile.ts";
import type { AskedAttempt, DialRequest } from "#src/telephony/carriers/carrier.ts";
import { dialTo, never, TelnyxHarness } from "../../kit/carriers/telnyx-harness.ts";
import { COLD_ORDER } from "../../kit/trial-order.ts";

const TO = "+13125550100";

const askedOf = (request: DialRequest, providerCallId: string | null = null): AskedAttempt => ({
  attemptId: request.attemptId,
  workspaceId: "w",
  providerCallId,
  from: request.from,
  to: request.to,
  dialledAt: new Date(Date.now() - 1_000),
});

/** Aborts as soon as the carrier has placed a call, so that its answer is lost. */
function abortOncePlaced(harness: TelnyxHarness): AbortSignal {
  const stop = new AbortController();
  void harness.until(() => harness.telnyx.calls.find(({ events }) => events.length > 0)).then(() => stop.abort());
  return stop.signal;
}

describe("a dial", () => {
  test("is taken, reported as it goes on, and ends when we hang up", async () => {
    await using harness = await TelnyxHarness.start();
    const request = dialTo(TO);
    const dialled = await harness.account.carrier.dial(request, never);
    const providerCallId = dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
    expect(harness.telnyx.placed).toEqual([{ callId: providerCallId, from: request.from, to: TO }]);
    await harness.until(() => harness.events.find((event) => event.type === "ANSWERED"));
    await harness.account.carrier.hangUp(providerCallId);
    const ended = await harness.ended();
    const { attemptId } = request;
    expect(ended).toMatchObject({ attemptId, providerCallId, outcome: "ANSWERED", hungUpBy: "AGENT", sipCode: 200 });
    expect(harness.events.map(({ type }) => type)).toEqual(["RINGING", "ANSWERED", "ENDED"]);
    expect(harness.delivered[0]).toMatchObject({ type: "ANSWERED", attemptId, providerCallId });
  });

  test("brings the person's sound and takes ours", async () => {
    await using harness = await TelnyxHarness.start();
    const { carrier } = harness.account;
    const dialled = await carrier.dial(dialTo(TO), never);
    const id = dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
    await harness.until(() => harness.delivered.length > 0);
    const source = carrier.openMedia?.(id);
    if (source?.kind !== "PORT") throw new Error("There is no audio.");
    const heard: Uint8Array[] = [];
    source.port.on("message", (frame: Uint8Array) => heard.push(frame));
    await harness.until(() => heard.length > 5);
    expect(heard[0]).toEqual(new Uint8Array(160).fill(0xff));
    for (let i = 0; i < 5; i++) source.port.postMessage(new Uint8Array(160).fill(0x55));
    await harness.until(() => harness.telnyx.calls[0]?.heardFrames === 5);
    expect(carrier.openMedia?.(id)).toBeNull();
    await carrier.hangUp(id);
  });

  test.each(["NORMAL", "LOST"] as const)(
    "that is over before its audio is opened has a line that was hung up, with webhooks that are %s",
    async (webhooks) => {
      await using harness = await TelnyxHarness.start();
      harness.telnyx.plan(TO, { person: "HANGS_UP", webhooks });
      const { carrier } = harness.account;
      const dialled = await carrier.dial(dialTo(TO), never);
      const id = dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
      await harness.until(() => harness.delivered.length > 0 && !harness.telnyx.calls[0]?.isAlive);
      await expect.poll(() => carrier.openLine(id).listen(1_000, never)).toMatchObject({ kind: "HUNG_UP" });
      expect(carrier.openMedia?.(id)).toBeNull();
    },
  );

  test("that we hung up has a line that was hung up, before Telnyx reports the end", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { webhooks: "LOST" });
    const { carrier } = harness.account;
    const dialled = await carrier.dial(dialTo(TO), never);
    const id = dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
    await harness.until(() => harness.delivered.length > 0);
    await carrier.hangUp(id);
    expect(await carrier.openLine(id).listen(1_000, never)).toMatchObject({ kind: "HUNG_UP" });
  });

  const ends = [
    ["HANGS_UP", { outcome: "ANSWERED", hungUpBy: "CUSTOMER" }],
    ["BUSY", { outcome: "BUSY", hungUpBy: "CUSTOMER", sipCode: 486 }],
    ["NO_ANSWER", { outcome: "NO_ANSWER", hungUpBy: "CARRIER", sipCode: 487 }],
  ] as const;
  test.each(ends)("to somebody who %s ends accordingly", async (person, expected) => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { person });
    await harness.account.carrier.dial(dialTo(TO), never);
    expect(await harness.ended()).toMatchObject(expected);
  });

  const refusals = [
    ["THROTTLE", { then: "REQUEUE", code: "10011", retryAfterMs: 3_000 }],
    ["INVALID", { then: "TERMINAL", outcome: "INVALID_NUMBER", code: "10016" }],
    ["CREDENTIALS", { then: "REQUEUE", code: "10009", blame: "ACCOUNT" }],
  ] as const;
  test.each(refusals)("that is answered with %s rings nobody and says what to do", async (answer, expected) => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { answer });
    const dialled = await harness.account.carrier.dial(dialTo(TO), never);
    expect(dialled).toMatchObject({ kind: "REFUSED", ...expected });
    expect(harness.telnyx.placed).toEqual([]);
  });

  test("from a number of somebody else blames the number", async () => {
    await using harness = await TelnyxHarness.start();
    const dialled = await harness.account.carrier.dial(dialTo(TO, { from: "+15125559999" }), never);
    expect(dialled).toMatchObject({ kind: "REFUSED", then: "REQUEUE", blame: "NUMBER", code: "10010" });
  });

  test("to a carrier that is not there was not made", async () => {
    await using harness = await TelnyxHarness.start({ apiUrl: "http://127.0.0.1:1/v2" });
    const dialled = await harness.account.carrier.dial(dialTo(TO), never);
    expect(dialled).toMatchObject({ kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE" });
  });

  test("whose answer is lost is found by the attempt's id, and once it is over by why it ended", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { answer: "ERROR", webhooks: "LOST" });
    const request = dialTo(TO);
    const { carrier } = harness.account;
    expect(await carrier.dial(request, never)).toMatchObject({ kind: "UNCERTAIN" });
    const [placed] = harness.telnyx.placed;
    const found = await carrier.lookUp(askedOf(request), never);
    expect(found).toMatchObject({ providerCallId: placed?.callId });
    await harness.until(() => harness.delivered.length > 0);
    const answered = { kind: "ANSWERED", providerCallId: placed?.callId, answeredBy: "UNCERTAIN" };
    expect(await carrier.lookUp(askedOf(request), never)).toEqual(answered);
    await carrier.hangUp(placed?.callId ?? "");
    const over = { kind: "ENDED", event: { outcome: "ANSWERED", providerCallId: placed?.callId } };
    expect(await carrier.lookUp(askedOf(request), never)).toMatchObject(over);
    expect(await carrier.lookUp(askedOf(request, placed?.callId), never)).toMatchObject(over);
    expect(harness.telnyx.placed).toHaveLength(1);
  });

  test("that somebody answered is told as such to a process that knows nothing of it: nobody is rung again", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { webhooks: "LOST" });
    const request = dialTo(TO);
    await harness.account.carrier.dial(request, never);
    await harness.until(() => harness.delivered.length > 0);
    const providerCallId = harness.telnyx.placed[0]?.callId ?? "";
    const answered = { kind: "ANSWERED", providerCallId };
    const { carrier } = harness.openAnew();
    expect(await carrier.lookUp(askedOf(request), never)).toMatchObject(answered);
    expect(carrier.openMedia?.(providerCallId)).toBeNull();
    expect(await carrier.openLine(providerCallId).listen(1_000, never)).toMatchObject({ kind: "DROPPED" });
    expect(await harness.openAnew().carrier.lookUp(askedOf(request, providerCallId), never)).toMatchObject(answered);
  });

  test("that is never answered is uncertain, and the call it placed is found", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { answer: "TIMEOUT", webhooks: "LOST" });
    const request = dialTo(TO);
    const dialled = await harness.account.carrier.dial(request, abortOncePlaced(harness));
    expect(dialled).toMatchObject({ kind: "UNCERTAIN" });
    const found = await harness.account.carrier.lookUp(askedOf(request), never);
    expect(found).toMatchObject({ providerCallId: harness.telnyx.placed[0]?.callId });
  });

  test("that was never made is absent, which is no proof", async () => {
    await using harness = await TelnyxHarness.start();
    const { carrier } = harness.account;
    expect(await carrier.lookUp(askedOf(dialTo(TO)), never)).toEqual({ kind: "ABSENT" });
    expect(await carrier.lookUp(askedOf(dialTo(TO), "v3:unknown"), never)).toEqual({ kind: "ABSENT" });
    expect(carrier.capabilities.absenceIsProof).toBe(false);
  });

  test("that cannot be asked about stays uncertain", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.override = () => ({ status: 500, body: "gone" });
    expect(await harness.account.carrier.lookUp(askedOf(dialTo(TO)), never)).toMatchObject({ kind: "UNCERTAIN" });
  });

  test("of another attempt between the same numbers is not taken for it", async () => {
    await using harness = await TelnyxHarness.start();
    await harness.account.carrier.dial(dialTo(TO), never);
    await harness.until(() => harness.events.length > 0);
    expect(await harness.account.carrier.lookUp(askedOf(dialTo(TO)), never)).toEqual({ kind: "ABSENT" });
  });
});

describe("an uncertain dial", () => {
  const webhooks = ["NORMAL", "TWICE", "REVERSED", "LATE", "LOST", "FORGED"] as const;
  const cases = (["TIMEOUT", "ERROR"] as const).flatMap((answer) => webhooks.map((how) => [answer, how] as const));
  test.each(cases)("by %s with webhooks that come %s settles as the one call that was placed", async (answer, how) => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { answer, webhooks: how });
    const request = dialTo(TO);
    const dialled = await harness.account.carrier.dial(request, abortOncePlaced(harness));
    expect(dialled).toMatchObject({ kind: "UNCERTAIN" });
    const settled = await reconcile(harness.account.carrier, askedOf(request), () => Promise.resolve(null), never);
    expect(["RINGING", "ANSWERED"]).toContain(settled.kind);
    expect(settled).toMatchObject({ providerCallId: harness.telnyx.placed[0]?.callId });
    expect(harness.telnyx.placed).toHaveLength(1);
  });

  test("that was over before anybody asked settles as its end", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { answer: "ERROR", webhooks: "LOST", person: "BUSY" });
    const request = dialTo(TO);
    await harness.account.carrier.dial(request, never);
    await harness.until(() => harness.telnyx.calls[0]?.isAlive === false);
    const settled = await reconcile(harness.account.carrier, askedOf(request), () => Promise.resolve(null), never);
    expect(settled).toMatchObject({ kind: "ENDED", event: { outcome: "BUSY", sipCode: 486 } });
    expect(harness.telnyx.placed).toHaveLength(1);
  });
});

describe("events", () => {
  test("that come twice have one key", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { webhooks: "TWICE", person: "HANGS_UP" });
    await harness.account.carrier.dial(dialTo(TO), never);
    await harness.until(() => harness.events.length === 6);
    expect(new Set(harness.events.map(({ eventKey }) => eventKey)).size).toBe(3);
  });

  test("that come in the wrong order tell the same", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { webhooks: "REVERSED", person: "BUSY" });
    const request = dialTo(TO);
    await harness.account.carrier.dial(request, never);
    await harness.until(() => harness.events.length === 2);
    expect(harness.events.map(({ type }) => type)).toEqual(["ENDED", "RINGING"]);
    expect(harness.events.every(({ attemptId }) => attemptId === request.attemptId)).toBe(true);
  });

  test("that come late are still believed", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { webhooks: "LATE", person: "BUSY" });
    await harness.account.carrier.dial(dialTo(TO), never);
    expect(await harness.ended()).toMatchObject({ outcome: "BUSY" });
  });

  test("that somebody else signed are not believed", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TO, { webhooks: "FORGED", person: "BUSY" });
    await harness.account.carrier.dial(dialTo(TO), never);
    await harness.until(() => harness.readings.length === 2);
    expect(harness.readings.map(({ kind }) => kind)).toEqual(["FORGED", "FORGED"]);
  });
});

/** Opens an account whose number sends its calls here. */
async function ready(): Promise<TelnyxHarness> {
  const harness = await TelnyxHarness.start();
  const number = "+15125550001";
  const owned = await harness.account.numbers.findOwned(number, never);
  if (owned.kind === "DONE") await harness.account.numbers.configure(owned.value, never);
  return harness;
}

describe("a call that comes in", () => {
  test("is answered as an attempt, heard, and ended by whoever called", async () => {
    await using harness = await ready();
    const { attemptId } = dialTo(TO);
    harness.onCallIn = (call) => void harness.account.answerCall(call, attemptId, never);
    harness.telnyx.plan(TO, { person: "HANGS_UP" });
    const id = await harness.telnyx.callIn(TO, "+15125550001");
    const ended = await harness.ended();
    expect(ended).toMatchObject({ attemptId, providerCallId: id, outcome: "ANSWERED", hungUpBy: "CUSTOMER" });
    expect(harness.webhookEvents[0]).toEqual({
      kind: "CALL_IN",
      call: { providerCallId: id, from: TO, to: "+15125550001" },
    });
    expect(harness.delivered[0]).toMatchObject({ type: "ANSWERED", attemptId });
  });

  test("is told that we hung up when we did", async () => {
    await using harness = await ready();
    const { attemptId } = dialTo(TO);
    harness.onCallIn = (call) => void harness.account.answerCall(call, attemptId, never);
    const id = await harness.telnyx.callIn(TO, "+15125550001");
    await harness.until(() => harness.delivered.length > 0);
    await harness.account.carrier.hangUp(id);
    expect(await harness.ended()).toMatchObject({ attemptId, hungUpBy: "AGENT" });
  });

  test.each([
    ["BUSY", "user_busy"],
    ["UNAVAILABLE", "call_rejected"],
  ] as const)("is declined as %s", async (why, cause) => {
    await using harness = await ready();
    harness.onCallIn = (call) => void harness.account.declineCall(call, why, never);
    await harness.telnyx.callIn(TO, "+15125550001");
    const call = await harness.until(() => harness.telnyx.calls.find(({ isAlive }) => !isAlive));
    expect(call.events.at(-1)).toMatchObject({ payload: { hangup_cause: cause } });
  });

  test("that has gone before it was answered ends", async () => {
    await using harness = await ready();
    const { attemptId } = dialTo(TO);
    const id = await harness.telnyx.callIn(TO, "+15125550001");
    harness.telnyx.calls[0]?.end("originator_cancel", "caller", "487");
    await harness.account.answerCall({ providerCallId: id, from: TO, to: "+15125550001" }, attemptId, never);
    expect(harness.delivered).toMatchObject([{ type: "ENDED", attemptId, outcome: "NO_ANSWER", hungUpBy: "CUSTOMER" }]);
  });
});

describe("a transfer", () => {
  const TARGET = "+14155550199";
  const order: TransferOrder = { ...COLD_ORDER, mode: "WARM", destination: TARGET, ringTimeoutSeconds: 20 };

  async function dialogue(harness: TelnyxHarness): Promise<string> {
    const dialled = await harness.account.carrier.dial(dialTo(TO), never);
    await harness.until(() => harness.delivered.length > 0);
    return dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
  }

  test("rings the target beside the call and gives its audio", async () => {
    await using harness = await TelnyxHarness.start();
    const id = await dialogue(harness);
    const leg = await harness.account.carrier.dialLeg?.(id, order, never);
    if (leg?.kind !== "ANSWERED") throw new Error("Nobody answered.");
    expect(leg.source.kind).toBe("PORT");
    expect(harness.telnyx.placed[1]).toMatchObject({ from: "+15125550001", to: TARGET });
    await leg.hangUp();
    expect(harness.telnyx.calls[1]?.isAlive).toBe(false);
    expect(harness.events.every(({ providerCallId }) => providerCallId === id)).toBe(true);
  });

  test.each([
    ["BUSY", "BUSY"],
    ["NO_ANSWER", "NO_ANSWER"],
  ] as const)("to a target that is %s fails for that reason", async (person, reason) => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.plan(TARGET, { person });
    const leg = await harness.account.carrier.dialLeg?.(await dialogue(harness), order, never);
    expect(leg).toMatchObject({ kind: "FAILED", reason });
  });

  test("that is given up hangs up on the target", async () => {
    await using harness = await TelnyxHarness.start();
    const id = await dialogue(harness);
    harness.telnyx.plan(TARGET, { webhooks: "LOST" });
    const stop = new AbortController();
    const leg = harness.account.carrier.dialLeg?.(id, order, stop.signal);
    await harness.until(() => harness.telnyx.placed.length === 2);
    stop.abort();
    expect(await leg).toMatchObject({ kind: "FAILED", reason: "NO_ANSWER" });
    await harness.until(() => harness.telnyx.calls[1]?.isAlive === false);
  });

  test("that Telnyx refuses fails with its words", async () => {
    await using harness = await TelnyxHarness.start();
    const id = await dialogue(harness);
    const leg = await harness.account.carrier.dialLeg?.(id, { ...order, callerId: "CUSTOMER" }, never);
    expect(leg).toMatchObject({ kind: "FAILED", reason: "UNREACHABLE" });
    expect(leg?.kind === "FAILED" && leg.message).toContain("D35");
  });

  test("of a caller who withheld their number shows ours", async () => {
    await using harness = await ready();
    const { attemptId } = dialTo(TO);
    harness.onCallIn = (call) => void harness.account.answerCall(call, attemptId, never);
    const id = await harness.telnyx.callIn("anonymous", "+15125550001");
    await harness.until(() => harness.delivered.length > 0);
    const leg = await harness.account.carrier.dialLeg?.(id, { ...order, callerId: "CUSTOMER" }, never);
    expect(leg?.kind).toBe("ANSWERED");
    expect(harness.telnyx.placed.at(-1)).toMatchObject({ from: "+15125550001", to: TARGET });
  });

  test("of a call that is not known here fails", async () => {
    await using harness = await TelnyxHarness.start();
    const leg = await harness.account.carrier.dialLeg?.("v3:gone", order, never);
    expect(leg).toMatchObject({ kind: "FAILED", reason: "UNREACHABLE" });
  });
});
