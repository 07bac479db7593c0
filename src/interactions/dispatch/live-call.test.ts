import { describe, expect, test } from "vitest";
import type { Carrier, CarrierEvent, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import type { ReapedRow } from "./claim.ts";
import { Mailbox } from "./inbox.ts";
import { type CallParts, resumeCall, runCall } from "./live-call.ts";
import { LiveCalls } from "./live-calls.ts";
import type { LoadedFlow } from "./plan.ts";

const ATTEMPT = "0199aaaa-0000-7000-8000-000000000001";
const row = {
  workspace_id: "w",
  id: "r",
  attempt_id: ATTEMPT,
  attempts_made: 1,
  mode: "SANDBOX",
  provider: "SANDBOX",
  sandbox_speed: null,
  customer_number: "+12025550101",
  from_number: "+12025550100",
  blocked: null,
  direction: "OUTBOUND",
  conversation_began_at: null,
  provider_call_id: "c1",
  submitted_at: new Date(0),
  retry: { maxAttempts: 3, retryOn: ["CARRIER_FAILURE"], delaysSeconds: [0], jitterPercent: 0 },
} as unknown as ReapedRow;
const flow = { fields: {} } as unknown as LoadedFlow;
const shared = { eventKey: "e", attemptId: ATTEMPT, providerCallId: "c1", at: "2026-01-01T00:00:00.000Z" };

const ANSWERED: CarrierEvent = { ...shared, type: "ANSWERED", answeredBy: "HUMAN" };
const ENDED: CarrierEvent = {
  ...shared,
  eventKey: "f",
  type: "ENDED",
  outcome: "ANSWERED",
  hungUpBy: "CUSTOMER",
  sipCode: null,
  reason: "They hung up.",
};

/** Runs one call over a carrier with scripted answers. */
async function run({
  events = [],
  reported,
  found,
  isGivenUp = false,
  beganAt,
  awayTimes = 0,
  retry = row.retry,
  draining = new AbortController().signal,
  closing = new AbortController().signal,
}: {
  draining?: AbortSignal;
  closing?: AbortSignal;
  retry?: ReapedRow["retry"];
  isGivenUp?: boolean;
  events?: CarrierEvent[];
  /** Events that reached other nodes. */
  reported?: CarrierEvent[];
  found?: LookUpResult;
  /** Number of statements that find no database, as during a failover. */
  awayTimes?: number;
  /** Set for a call of a dead node: the time at which its conversation began; null when it had not. */
  beganAt?: Date | null;
}) {
  const done: string[] = [];
  let away = awayTimes;
  const carrier: Carrier = {
    name: "own",
    capabilities: { dedupe: null, looksUpBy: "CALL_ID", absenceIsProof: true, horizonMs: 0 },
    async dial() {
      done.push("dial");
      if (isGivenUp) liveCalls.end("w", "r");
      return { kind: "ACCEPTED", providerCallId: "c1" };
    },
    lookUp: async () => found ?? { kind: "UNCERTAIN", message: "Nobody answers." },
    hangUp: async (id) => void done.push(`hang up ${id}`),
    openLine() {
      throw new Error("The audio is not here.");
    },
  };
  const liveCalls = new LiveCalls();
  const mailbox = new Mailbox("w");
  for (const event of events) mailbox.put(event);
  const parts = {
    liveCalls,
    carrierOf: async () => carrier,
    closeMedia: (id: string) => void done.push(`close ${id}`),
    inbox: { open: () => mailbox, close: () => undefined },
    eventsUrl: () => "http://127.0.0.1:9/",
    database: {
      pool: {
        async query() {
          if (away-- > 0) throw Object.assign(new Error("server login has been failing"), { code: "08P01" });
          return { rows: (reported ?? []).map((event) => ({ event })) };
        },
      },
    },
    random: () => 0,
    fence: { pass: async () => () => undefined },
    node: { id: "n", settledId: async () => "n" },
    dialTimeoutMs: 1_000,
    graceMs: 0,
    draining,
    closing,
  } as unknown as CallParts;
  const { signal } = new AbortController();
  const running =
    beganAt === undefined
      ? runCall(parts, { ...row, retry }, flow, signal)
      : resumeCall(parts, { ...row, retry, conversation_began_at: beganAt }, flow, signal);
  const end = await running.catch((error: unknown) => error);
  return { end, done };
}

describe("a server that is stopped", () => {
  test("dials no claimed row any more: it goes back, and its attempt does not count", async () => {
    const { end, done } = await run({ draining: AbortSignal.abort() });
    expect(end).toMatchObject({ status: "QUEUED", retryMs: 0, uncount: true, attemptState: "REFUSED", error: null });
    expect(done).not.toContain("dial");
  });

  test("gives up a call that rings at the deadline: nobody answered, and the job's rules apply", async () => {
    const RINGING: CarrierEvent = { ...shared, type: "RINGING" };
    const retry = { maxAttempts: 3, retryOn: ["NO_ANSWER" as const], delaysSeconds: [0], jitterPercent: 0 };
    const { end, done } = await run({ events: [RINGING], closing: AbortSignal.abort(), retry });
    expect(end).toMatchObject({ status: "WAITING_FOR_RETRY", outcome: "NO_ANSWER" });
    expect(end).toMatchObject({ endReason: "INTERRUPTED_BY_OPERATOR", providerCallId: "c1" });
    expect(done).toContain("hang up c1");
    const last = await run({ events: [RINGING], closing: AbortSignal.abort() });
    expect(last.end).toMatchObject({ status: "FAILED", outcome: "NO_ANSWER", retryMs: null });
  });
});

describe("a call that was placed", () => {
  test("is hung up and not dialled again when somebody gives it up before it was answered", async () => {
    for (const events of [[], [{ ...shared, type: "RINGING" } as const]]) {
      const { end, done } = await run({ events, isGivenUp: true });
      expect(end).toMatchObject({ status: "CANCELLED", outcome: "CANCELLED", retryMs: null });
      expect(done).toContain("hang up c1");
    }
    const busy = await run({ events: [{ ...ENDED, outcome: "CARRIER_FAILURE" }], isGivenUp: true });
    expect(busy.end).toMatchObject({ status: "CANCELLED", endReason: "ENDED_BY_REQUEST", retryMs: null });
  });

  test("is settled once the database is back, and not ended by its absence", async () => {
    const found: LookUpResult = { kind: "ENDED", event: { ...ENDED, outcome: "BUSY", hungUpBy: "CARRIER" } };
    for (const began of [{}, { beganAt: null }]) {
      const { end } = await run({ ...began, found, awayTimes: 2 });
      expect(end).toMatchObject({ outcome: "BUSY", providerCallId: "c1" });
    }
  });

  test("is hung up when its audio cannot be opened: nobody is left alone on the line", async () => {
    const { end, done } = await run({ events: [ANSWERED] });
    expect(end).toBeInstanceOf(Error);
    expect(done).toContain("hang up c1");
  });

  test("ends as its carrier told when the person hung up before anything could be said", async () => {
    const { end } = await run({ events: [ANSWERED, ENDED] });
    const error = { code: "INTERRUPTED", message: "They hung up." };
    expect(end).toMatchObject({
      status: "FAILED",
      retryMs: null,
      outcome: "INTERRUPTED",
      carrierEndedAt: shared.at,
      error,
    });
  });

  test("is not tried again when it breaks off after the answer; where a machine took it the job's rules hold", async () => {
    const retry = { ...row.retry, retryOn: ["CARRIER_FAILURE", "VOICEMAIL"] };
    const endsOf = async (outcome: "CARRIER_FAILURE" | "VOICEMAIL") =>
      (await run({ events: [ANSWERED, { ...ENDED, outcome }], retry: retry as ReapedRow["retry"] })).end;
    expect(await endsOf("CARRIER_FAILURE")).toMatchObject({ status: "FAILED", outcome: "INTERRUPTED", retryMs: null });
    expect(await endsOf("VOICEMAIL")).toMatchObject({ status: "WAITING_FOR_RETRY", outcome: "VOICEMAIL" });
  });

  test("is not tried again on the word that it once rang, while nobody tells what became of it", async () => {
    const { end } = await run({ reported: [{ ...shared, type: "RINGING" }] });
    expect(end).toMatchObject({ status: "UNCONFIRMED", retryMs: null });
  });

  test("is hung up and tried again when its carrier says that it still rings", async () => {
    const { end, done } = await run({ found: { kind: "RINGING", providerCallId: "c1" } });
    expect(end).toMatchObject({ status: "WAITING_FOR_RETRY", outcome: "CARRIER_FAILURE" });
    expect(done).toContain("hang up c1");
  });

  test("leaves no audio waiting, however it ended", async () => {
    const { done } = await run({ reported: [{ ...shared, type: "RINGING" }] });
    expect(done.at(-1)).toBe(`close ${ATTEMPT}`);
  });
});

describe("a call of a node that died", () => {
  const beganAt = new Date("2026-01-01T00:00:00.000Z");
  const broken = { ...ENDED, outcome: "CARRIER_FAILURE" } as const;

  test("is not tried again once somebody picked up, whatever its carrier makes of it", async () => {
    const carriers: LookUpResult[] = [
      { kind: "ENDED", event: broken },
      { kind: "ENDED", event: { ...ENDED, outcome: "NO_ANSWER" } },
      { kind: "ENDED", event: ENDED },
      { kind: "ABSENT" },
      { kind: "ANSWERED", providerCallId: "c1", answeredBy: "HUMAN" },
    ];
    const ends = carriers.map(async (found) => (await run({ found, beganAt })).end);
    for (const end of await Promise.all(ends))
      expect(end).toMatchObject({ status: "FAILED", retryMs: null, outcome: "INTERRUPTED" });
  });

  test("is not tried again when somebody picked up after the node had died, which no node took note of", async () => {
    for (const reported of [[ANSWERED, broken], [ANSWERED]]) {
      const { end } = await run({ reported, found: { kind: "ENDED", event: broken }, beganAt: null });
      expect(end).toMatchObject({ status: "FAILED", retryMs: null, outcome: "INTERRUPTED" });
    }
  });

  test("is tried again by the job's rules when a machine had taken it, as soon as anything says so", async () => {
    const retry = { ...row.retry, retryOn: ["VOICEMAIL"] } as ReapedRow["retry"];
    const machine = { ...ANSWERED, answeredBy: "MACHINE_VOICEMAIL" } as const;
    const { providerCallId, answeredBy } = machine;
    const ends = [
      run({ found: { kind: "ENDED", event: { ...ENDED, outcome: "VOICEMAIL" } }, beganAt, retry }),
      run({ reported: [ANSWERED, machine, ENDED], beganAt, retry }),
      run({ found: { kind: "ANSWERED", providerCallId, answeredBy }, beganAt, retry }),
    ];
    for (const { end } of await Promise.all(ends))
      expect(end).toMatchObject({ status: "WAITING_FOR_RETRY", outcome: "VOICEMAIL", endReason: "CARRIER_VOICEMAIL" });
  });

  test("is tried again by the job's rules when nobody had picked up", async () => {
    const { end } = await run({ found: { kind: "ENDED", event: broken }, beganAt: null });
    expect(end).toMatchObject({ status: "WAITING_FOR_RETRY", outcome: "CARRIER_FAILURE" });
  });
});
