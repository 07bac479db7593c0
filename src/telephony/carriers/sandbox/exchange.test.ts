import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { COLD_ORDER } from "#kit/trial-order.ts";
import { dialTo, EventLog, placeTrialCall } from "#kit/trial-sandbox-call.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { SandboxExchange } from "./exchange.ts";
import type { LedgerLine } from "./ledger.ts";
import { createSandboxCarrier } from "./sandbox-carrier.ts";

const NEVER = new AbortController().signal;
const LINES = ["Hello, this is Ada. Do you have a minute?", "What is your e-mail?", "Thank you, goodbye."];

let folder: string;
let ledgerPath: string;
let log: EventLog;
let open: SandboxExchange[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-exchange-"));
  ledgerPath = join(folder, "ledger.jsonl");
  log = new EventLog();
  open = [];
});
afterEach(async () => {
  for (const exchange of open) await exchange.close();
  await rm(folder, { recursive: true });
});

async function openExchange(more: Partial<Parameters<typeof SandboxExchange.open>[0]> = {}): Promise<SandboxExchange> {
  const exchange = await SandboxExchange.open({ deliver: (event) => log.put(event), ledgerPath, ...more });
  open.push(exchange);
  return exchange;
}

function readLedger(): LedgerLine[] {
  const lines = readFileSync(ledgerPath, "utf8").trim().split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line) as LedgerLine);
}

function ledgerOf(attemptId: string): string[] {
  return readLedger()
    .filter((line) => line.attemptId === attemptId)
    .map((line) => line.event);
}

describe("a call", () => {
  test.each([
    ["00", ["RINGING", "ANSWERED", "ENDED"], "ANSWERED", "CUSTOMER", null],
    ["10", ["RINGING", "ENDED"], "BUSY", "CUSTOMER", 486],
    ["11", ["RINGING", "ENDED"], "NO_ANSWER", "CARRIER", 487],
    ["12", ["RINGING", "ENDED"], "REJECTED", "CUSTOMER", 603],
    ["20", ["RINGING", "ANSWERED", "ENDED"], "VOICEMAIL", "AGENT", null],
    ["23", ["RINGING", "ANSWERED", "ENDED"], "FAX", "CUSTOMER", null],
    ["30", ["RINGING", "ENDED"], "INVALID_NUMBER", "CARRIER", 404],
    ["31", ["RINGING", "ENDED"], "UNREACHABLE", "CARRIER", 480],
    ["43", ["RINGING", "ANSWERED", "ENDED"], "CARRIER_FAILURE", "CARRIER", null],
    ["50", ["RINGING", "ANSWERED", "ENDED"], "ANSWERED", "CUSTOMER", null],
  ])("to %s gives %j and ends %s by %s (%s)", async (code, events, outcome, hungUpBy, sipCode) => {
    const carrier = createSandboxCarrier({ exchange: await openExchange() });
    const call = await placeTrialCall(carrier, log, dialTo(`+120255501${code}`, uuidv7()), [...LINES, ...LINES]);
    expect(call.events).toEqual(events);
    expect(call.ended).toEqual({ outcome, hungUpBy, sipCode });
  });

  test("is written down as accepted and rung before the dial is answered, then answered and ended", async () => {
    const exchange = await openExchange({ fsync: true });
    await exchange.dial(dialTo("+12025550100", "a1"));
    expect(ledgerOf("a1")).toEqual(["ACCEPTED", "RING"]);
    await log.wait("a1", "ANSWERED");
    await exchange.hangUp("sbx-a1");
    await exchange.close();
    expect(ledgerOf("a1")).toEqual(["ACCEPTED", "RING", "ANSWER", "END"]);
    expect(readLedger()).toContainEqual(
      expect.objectContaining({ event: "END", outcome: "ANSWERED", to: "+12025550100" }),
    );
  });

  test("rings out when the ring time is shorter than the answer takes", async () => {
    const exchange = await openExchange();
    await exchange.dial(dialTo("+12025550153", "a1", { ringTimeoutSeconds: 19 }));
    expect(await log.wait("a1", "ENDED")).toMatchObject({ outcome: "NO_ANSWER" });
    await exchange.dial(dialTo("+12025550153", "a2", { ringTimeoutSeconds: 20 }));
    expect(await log.wait("a2", "ANSWERED", "ENDED")).toMatchObject({ type: "ANSWERED" });
  });

  test("given up while it rings ends as not answered", async () => {
    const exchange = await openExchange();
    await exchange.dial(dialTo("+12025550100", "a1", { sandboxSpeed: 1 }));
    await log.wait("a1", "RINGING");
    expect(await exchange.lookUp("a1")).toEqual({ kind: "RINGING", providerCallId: "sbx-a1" });
    await exchange.hangUp("sbx-a1");
    expect(log.typesOf("a1")).toEqual(["RINGING", "ENDED"]);
    expect(await exchange.lookUp("a1")).toMatchObject({
      kind: "ENDED",
      event: { outcome: "NO_ANSWER", hungUpBy: "AGENT" },
    });
  });

  test("without events says that it rings, until it is hung up", async () => {
    const exchange = await openExchange();
    await exchange.dial(dialTo("+12025550144", "a1"));
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "RINGING" });
    await exchange.hangUp("sbx-a1");
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ENDED" });
    expect(log.typesOf("a1")).toEqual([]);
  });

  test("a line that never was, or has ended, says so", async () => {
    const exchange = await openExchange();
    expect(await exchange.lineOf("sbx-none").listen(1_000, NEVER)).toEqual({ kind: "DROPPED", endMs: 0 });
    expect(await exchange.lineOf("sbx-none").say("Hello?", NEVER)).toMatchObject({ heard: "", interrupted: true });
    await placeTrialCall(createSandboxCarrier({ exchange }), log, dialTo("+12025550150", "a1"), LINES);
    expect(await exchange.lineOf("sbx-a1").listen(1_000, NEVER)).toEqual({ kind: "HUNG_UP", endMs: 1_000 });
  });

  test("a transfer of a call that was hung up says so; of one that is unknown or was dropped it fails", async () => {
    const exchange = await openExchange();
    const carrier = createSandboxCarrier({ exchange });
    await placeTrialCall(carrier, log, dialTo("+12025550150", "hung-up"), LINES);
    await placeTrialCall(carrier, log, dialTo("+12025550143", "dropped"), LINES);
    const gone = { kind: "FAILED", reason: "UNREACHABLE" };
    expect(await exchange.transfer("sbx-hung-up", COLD_ORDER, NEVER)).toEqual({ kind: "HUNG_UP" });
    expect(await exchange.transfer("sbx-dropped", COLD_ORDER, NEVER)).toMatchObject(gone);
    expect(await exchange.transfer("sbx-none", COLD_ORDER, NEVER)).toMatchObject(gone);
  });
});

describe("never twice", () => {
  test("ten dials of one attempt at once are one ring and one answer", async () => {
    const exchange = await openExchange();
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange.dial(dialTo("+12025550100", "a1"))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await log.wait("a1", "ANSWERED");
    await exchange.hangUp("sbx-a1");
    expect(await exchange.dial(dialTo("+12025550100", "a1"))).toEqual(answers[0]);
    await exchange.close();
    expect(ledgerOf("a1").filter((event) => event === "RING")).toHaveLength(1);
  });

  test("an attempt that was reported absent is never rung afterwards, not even after a restart", async () => {
    const exchange = await openExchange();
    expect(await exchange.lookUp("a1")).toEqual({ kind: "ABSENT" });
    const refusal = { kind: "REPLY", result: { kind: "REFUSED", then: "REQUEUE", code: "BARRED" } };
    expect(await exchange.dial(dialTo("+12025550100", "a1"))).toMatchObject(refusal);
    await exchange.close();
    const restarted = await openExchange();
    expect(await restarted.dial(dialTo("+12025550100", "a1"))).toMatchObject(refusal);
    expect(ledgerOf("a1")).toEqual(["BARRED"]);
  });

  test("a look-up and a dial at once: either it rings and is known, or it is absent and refused", async () => {
    const exchange = await openExchange();
    const [first] = await Promise.all([exchange.lookUp("a1"), exchange.dial(dialTo("+12025550100", "a1"))]);
    const [, second] = await Promise.all([exchange.dial(dialTo("+12025550100", "a2")), exchange.lookUp("a2")]);
    expect(first.kind).toBe("ABSENT");
    expect(second.kind).toBe("RINGING");
    await exchange.close();
    expect(ledgerOf("a1")).not.toContain("RING");
    expect(ledgerOf("a2")).toContain("RING");
  });

  test("after a crash, live calls read as broken off and ended ones as they ended", async () => {
    const crashed = await openExchange();
    await crashed.dial(dialTo("+12025550100", "live"));
    await log.wait("live", "ANSWERED");
    await crashed.dial(dialTo("+12025550110", "busy"));
    await log.wait("busy", "ENDED");
    await crashed.lookUp("flush");
    const restarted = await openExchange();
    expect(await restarted.lookUp("live")).toMatchObject({
      kind: "ENDED",
      event: { providerCallId: "sbx-live", outcome: "CARRIER_FAILURE", reason: "the exchange was restarted" },
    });
    expect(await restarted.lookUp("busy")).toMatchObject({ kind: "ENDED", event: { outcome: "BUSY", sipCode: 486 } });
    expect(await restarted.dial(dialTo("+12025550100", "live"))).toMatchObject({ result: { kind: "ACCEPTED" } });
    await restarted.lookUp("flush");
    expect(ledgerOf("live").filter((event) => event === "RING")).toHaveLength(1);
  });

  test.skipIf(!existsSync("/dev/full"))(
    "a ledger that cannot be written makes a dial uncertain, and nobody answers",
    async () => {
      const exchange = await openExchange({ ledgerPath: "/dev/full" });
      expect(await exchange.dial(dialTo("+12025550100", "a1"))).toMatchObject({
        result: { kind: "UNCERTAIN", code: "LEDGER" },
      });
      expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ENDED", event: { outcome: "CARRIER_FAILURE" } });
      expect(await exchange.lookUp("a2")).toMatchObject({ kind: "UNCERTAIN" });
      expect(log.typesOf("a1")).not.toContain("ANSWERED");
    },
  );
});

describe("refusals and faults of the carrier", () => {
  test.each([
    ["40", "TERMINAL", "HTTP_503"],
    ["41", "REQUEUE", "HTTP_429"],
    ["42", "TERMINAL", "CREDENTIALS"],
  ])("%s refuses the dial: %s %s", async (code, then, expected) => {
    const exchange = await openExchange();
    const answer = await exchange.dial(dialTo(`+120255501${code}`, "a1"));
    expect(answer).toMatchObject({ result: { kind: "REFUSED", then, code: expected, outcome: "CARRIER_FAILURE" } });
    expect(ledgerOf("a1")).toEqual(["REFUSED"]);
  });

  test("41 takes the second dial of an attempt, and refuses the next attempt again", async () => {
    const exchange = await openExchange();
    const kinds: string[] = [];
    for (const id of ["a1", "a2", "a3", "a4"]) {
      const answer = await exchange.dial(dialTo("+12025550141", id));
      kinds.push(answer.kind === "REPLY" ? answer.result.kind : answer.kind);
    }
    expect(kinds).toEqual(["REFUSED", "ACCEPTED", "REFUSED", "ACCEPTED"]);
  });

  test.each([
    ["45", "TIMEOUT"],
    ["46", "HTTP_500"],
  ])("%s rings although the dial is uncertain (%s)", async (code, expected) => {
    const exchange = await openExchange();
    const dialled = await createSandboxCarrier({ exchange }).dial(dialTo(`+120255501${code}`, "a1"), NEVER);
    expect(dialled).toMatchObject({ kind: "UNCERTAIN", code: expected });
    await log.wait("a1", "ANSWERED");
    expect(await exchange.lookUp("a1")).toMatchObject({ kind: "ANSWERED", answeredBy: "HUMAN" });
    expect(ledgerOf("a1")).toContain("RING");
  });

  test("45 is given up when the caller's signal aborts", async () => {
    const exchange = await openExchange();
    const giving = new AbortController();
    const dialling = createSandboxCarrier({ exchange }).dial(
      dialTo("+12025550145", "a1", { sandboxSpeed: 1 }),
      giving.signal,
    );
    await log.wait("a1", "RINGING");
    giving.abort();
    expect(await dialling).toMatchObject({ kind: "UNCERTAIN", code: "TIMEOUT" });
  });

  test("a dial whose signal had aborted leaves nothing behind", async () => {
    const exchange = await openExchange();
    const dialled = await createSandboxCarrier({ exchange }).dial(dialTo("+12025550100", "a1"), AbortSignal.abort());
    expect(dialled).toMatchObject({ kind: "REFUSED", then: "REQUEUE" });
    await exchange.close();
    expect(readLedger()).toEqual([]);
  });
});
