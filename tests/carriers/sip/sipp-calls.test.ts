import { afterEach, expect, test } from "vitest";
import { freePort } from "../../kit/free-port.ts";
import { openLossyRelay } from "../../kit/sip/lossy-relay.ts";
import {
  answerInvite,
  ask,
  hear,
  hearCaller,
  hearStatus,
  keepInvite,
  notify,
  refuseInvite,
  say,
  TAG,
  wait,
} from "../../kit/sip/scenario.ts";
import {
  createDial,
  createOrder,
  type createSilentSockets,
  hasProgram,
  SipTrunkManager,
  outcomeOf,
  type Sipp,
  startSipp,
} from "../../kit/sip/sip-harness.ts";

const isMissing = !hasProgram("sipp");
if (isMissing) console.log("SKIPPED: sipp is not installed (Debian: apt-get install sip-tester).");
const signal = new AbortController().signal;
/** Every call went as the scenario says. */
const WELL = { code: 0, errors: "" };

let harness: SipTrunkManager;
const started: Sipp[] = [];
afterEach(async () => {
  await harness?.close();
  for (const sipp of started.splice(0)) sipp.kill();
});

async function sipp(...args: Parameters<typeof startSipp>): Promise<Sipp> {
  const run = await startSipp(...args);
  started.push(run);
  return run;
}

test.skipIf(isMissing)("a call is rung, answered and hung up by us", async () => {
  const far = await sipp([
    hear("INVITE", { must: "X-Parley-Attempt: [0-9a-f-]+" }),
    say(100),
    say(180),
    wait(50),
    say(200, { sdp: true, repeats: true }),
    hear("ACK"),
    hear("BYE"),
    say(200, { tag: "" }),
  ]);
  harness = new SipTrunkManager();
  const carrier = await harness.open({ port: far.port });
  const dial = createDial();
  const result = await carrier.dial(dial, signal);
  expect(result).toMatchObject({ kind: "ACCEPTED" });
  const answered = await harness.event(dial.attemptId, "ANSWERED");
  expect(carrier.openMedia(answered.providerCallId)).toMatchObject({ kind: "RTP", codec: "PCMU" });
  await carrier.hangUp(answered.providerCallId);
  expect(await harness.event(dial.attemptId, "ENDED")).toMatchObject({ outcome: "ANSWERED", hungUpBy: "AGENT" });
  const { code, errors, log } = await far.ended;
  expect([code, errors]).toEqual([0, ""]);
  expect(log).toContain(dial.attemptId);
  expect(harness.events.map(({ type }) => type)).toEqual(["RINGING", "ANSWERED", "ENDED"]);
});

const SDP = { sdp: true, repeats: true } as const;
const FINISH = [hear("ACK"), hear("BYE"), say(200, { tag: "" })];

async function dialTo(far: Sipp, settings: object = {}, parts: object = {}) {
  harness = new SipTrunkManager();
  const carrier = await harness.open({ port: far.port, ...settings });
  const dial = createDial(parts);
  return { carrier, dial, result: await carrier.dial(dial, signal) };
}

test.skipIf(isMissing)("a busy line is acknowledged and told", async () => {
  const far = await sipp([
    hear("INVITE"),
    say(100),
    say(180),
    say(486, { reason: "Busy Here", repeats: true }),
    hear("ACK"),
  ]);
  const { dial, result } = await dialTo(far);
  expect(result.kind).toBe("ACCEPTED");
  expect(await harness.event(dial.attemptId, "ENDED")).toMatchObject({ outcome: "BUSY", sipCode: 486 });
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)(
  "a person who declines is told as such, and before it rang the dial itself is refused",
  async () => {
    const far = await sipp([hear("INVITE"), say(100), say(603, { reason: "Decline", repeats: true }), hear("ACK")]);
    const { result } = await dialTo(far);
    expect(result).toMatchObject({ kind: "REFUSED", then: "TERMINAL", outcome: "REJECTED", code: "SIP_603" });
    expect(await outcomeOf(far)).toEqual(WELL);
  },
);

test.skipIf(isMissing)("what rings too long is taken back with CANCEL", async () => {
  const far = await sipp([
    hear("INVITE"),
    say(100),
    say(180),
    hear("CANCEL"),
    say(200, { tag: TAG }),
    ...refuseInvite(487),
    hear("ACK"),
  ]);
  const { dial } = await dialTo(far, {}, { ringTimeoutSeconds: 1 });
  expect(await harness.event(dial.attemptId, "ENDED")).toMatchObject({ outcome: "NO_ANSWER" });
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)(
  "a CANCEL that crosses the answer ends in ACK and BYE, and nobody is told of an answer",
  async () => {
    const far = await sipp([
      ...keepInvite(),
      say(180),
      hear("CANCEL"),
      answerInvite(),
      hear("ACK"),
      hear("BYE"),
      say(200, { tag: "" }),
    ]);
    const { dial } = await dialTo(far, {}, { ringTimeoutSeconds: 1 });
    expect(await harness.event(dial.attemptId, "ENDED")).toMatchObject({ outcome: "NO_ANSWER" });
    await far.ended;
    expect((await far.ended).errors).toBe("");
    expect(harness.events.some(({ type }) => type === "ANSWERED")).toBe(false);
  },
);

test.skipIf(isMissing)("a challenge with 401 is answered as sipp computes it", async () => {
  const challenge = 'WWW-Authenticate: Digest realm="far", nonce="abc", algorithm=MD5, qop="auth", opaque="o"';
  const far = await sipp([
    hear("INVITE"),
    say(401, { headers: [challenge], repeats: true }),
    hear("ACK"),
    hear("INVITE", { auth: 'username="ann" password="pass"' }),
    '<nop><action><strcmp assign_to="same" variable="isRight" value="true"/></action></nop>',
    '<nop hide="true" test="isRight" next="right"/>',
    say(403, { repeats: true }),
    hear("ACK"),
    '<label id="right"/>',
    say(180),
    say(200, SDP),
    ...FINISH,
    '<Reference variables="same"/>',
  ]);
  const { carrier, dial } = await dialTo(far, { username: "ann", password: "pass" });
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  await carrier.hangUp(providerCallId);
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)(
  "a proxy's challenge and then a nonce that is too old are both answered, with new counts",
  async () => {
    const challenge = (nonce: string, rest = "") =>
      `Proxy-Authenticate: Digest realm="far", nonce="${nonce}", algorithm=SHA-256, qop="auth"${rest}`;
    const far = await sipp([
      hear("INVITE"),
      say(407, { headers: [challenge("one")], repeats: true }),
      hear("ACK"),
      hear("INVITE", { must: 'Proxy-Authorization: Digest username="ann".*nonce="one".*nc=00000001' }),
      say(407, { headers: [challenge("two", ", stale=true")], repeats: true }),
      hear("ACK"),
      hear("INVITE", { must: 'Proxy-Authorization: Digest username="ann".*nonce="two".*nc=00000001' }),
      say(180),
      say(200, SDP),
      hear("ACK", { must: 'Proxy-Authorization: Digest username="ann".*nonce="two"' }),
      hear("BYE", { must: "nc=00000002" }),
      say(200, { tag: "" }),
    ]);
    const { carrier, dial } = await dialTo(far, { username: "ann", password: "pass" });
    const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
    await carrier.hangUp(providerCallId);
    expect(await outcomeOf(far)).toEqual(WELL);
  },
);

test.skipIf(isMissing)("credentials that are wrong are tried once, and blame the number", async () => {
  const asks = 'WWW-Authenticate: Digest realm="far", nonce="abc", algorithm=MD5';
  const far = await sipp([
    hear("INVITE"),
    say(401, { headers: [asks], repeats: true }),
    hear("ACK"),
    hear("INVITE"),
    say(401, { headers: [asks], repeats: true }),
    hear("ACK"),
  ]);
  const { result } = await dialTo(far, { username: "ann", password: "wrong" });
  expect(result).toMatchObject({ kind: "REFUSED", blame: "NUMBER", code: "SIP_401" });
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)("a redirect is followed, with the same Call-ID", async () => {
  const other = await sipp([hear("INVITE"), say(180), say(200, SDP), ...FINISH]);
  const far = await sipp([
    hear("INVITE"),
    say(302, { reason: "Moved", headers: [`Contact: <sip:elsewhere@127.0.0.1:${other.port}>`], repeats: true }),
    hear("ACK"),
  ]);
  const { carrier, dial } = await dialTo(far);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  await carrier.hangUp(providerCallId);
  expect(await outcomeOf(far)).toEqual(WELL);
  expect(await outcomeOf(other)).toEqual(WELL);
});

test.skipIf(isMissing)("audio that is described in a 183 alone counts at the answer", async () => {
  const far = await sipp([hear("INVITE"), say(183, { sdp: true }), wait(50), say(200, { repeats: true }), ...FINISH]);
  const { carrier, dial } = await dialTo(far);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  expect(carrier.openMedia(providerCallId)).toMatchObject({ kind: "RTP", codec: "PCMU", eventPayloadType: 101 });
  expect(carrier.openMedia(providerCallId)).toBeNull();
  await carrier.hangUp(providerCallId);
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)("a far end that holds and resumes is answered, and the media thread is told", async () => {
  const far = await sipp([
    hearCaller(),
    say(200, SDP),
    hear("ACK"),
    wait(200),
    ask("INVITE", 1, { sdp: "sendonly" }),
    hearStatus(200, "a=recvonly"),
    ask("ACK", 1),
    ask("INVITE", 2, { sdp: "sendrecv" }),
    hearStatus(200, "a=sendrecv"),
    ask("ACK", 2),
    ask("BYE", 3, { headers: ['Reason: Q.850;cause=16;text="bye"'] }),
    hearStatus(200),
  ]);
  const { carrier, dial } = await dialTo(far);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  const source = carrier.openMedia(providerCallId);
  expect(await harness.event(dial.attemptId, "ENDED")).toMatchObject({ hungUpBy: "CUSTOMER", outcome: "ANSWERED" });
  expect(await outcomeOf(far)).toEqual(WELL);
  const { reported } = harness.sockets as ReturnType<typeof createSilentSockets>;
  const port = source?.kind === "RTP" ? source.remote.port : 0;
  expect(reported).toEqual(["127.0.0.1:0 held", `127.0.0.1:${port}`]);
});

test.skipIf(isMissing)(
  "requests that a call does not take are refused as the standard says, and the call goes on",
  async () => {
    const far = await sipp([
      hearCaller(),
      say(200, SDP),
      hear("ACK"),
      wait(100),
      ask("OPTIONS", 1),
      hearStatus(200),
      ask("INFO", 2),
      hearStatus(200),
      ask("INFO", 3, { headers: ["Content-Type: application/dtmf-relay"], body: "Signal=5" }),
      hearStatus(415),
      ask("UPDATE", 4, { headers: ["Session-Expires: 1800;refresher=uac", "Supported: timer"] }),
      hearStatus(200, "Session-Expires: 1800;refresher=uac"),
      ask("PRACK", 5),
      hearStatus(481),
      ask("MESSAGE", 6),
      hearStatus(405),
      ask("FROBNICATE", 7),
      hearStatus(501),
      ask("REFER", 8, { headers: ["Refer-To: <sip:evil@127.0.0.1>"] }),
      hearStatus(603),
      ask("OPTIONS", 9, { headers: ["Require: teleport"] }),
      hearStatus(420, "Unsupported: teleport"),
      ask("OPTIONS", 3),
      hearStatus(500),
      ask("BYE", 10),
      hearStatus(200),
    ]);
    const { dial } = await dialTo(far);
    expect(await harness.event(dial.attemptId, "ENDED")).toMatchObject({ hungUpBy: "CUSTOMER" });
    expect(await outcomeOf(far)).toEqual(WELL);
  },
);

test.skipIf(isMissing)("a call is handed over by REFER, and ends once the target has answered", async () => {
  const far = await sipp([
    hearCaller(),
    say(200, SDP),
    hear("ACK"),
    hear("REFER", { must: "Refer-To: <sip:.12025550111@127.0.0.1:[0-9]+>" }),
    say(202, { tag: "" }),
    ask("NOTIFY", 1, notify("100 Trying", "active;expires=60")),
    hearStatus(200),
    ask("NOTIFY", 2, notify("200 OK", "terminated;reason=noresource")),
    hearStatus(200),
    hear("BYE"),
    say(200, { tag: "" }),
  ]);
  const { carrier, dial } = await dialTo(far);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  expect(await carrier.transfer(providerCallId, createOrder(), signal)).toEqual({ kind: "TRANSFERRED" });
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)("a transfer whose target is busy leaves the call alive", async () => {
  const far = await sipp([
    hearCaller(),
    say(200, SDP),
    hear("ACK"),
    hear("REFER"),
    say(202, { tag: "" }),
    ask("NOTIFY", 1, notify("486 Busy", "terminated;reason=noresource")),
    hearStatus(200),
    hear("REFER"),
    say(405, { tag: "" }),
    hear("BYE"),
    say(200, { tag: "" }),
  ]);
  const { carrier, dial } = await dialTo(far);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  expect(await carrier.transfer(providerCallId, createOrder(), signal)).toMatchObject({
    kind: "FAILED",
    reason: "BUSY",
  });
  expect(await carrier.transfer(providerCallId, createOrder(), signal)).toMatchObject({
    kind: "FAILED",
    reason: "UNREACHABLE",
  });
  await carrier.hangUp(providerCallId);
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)("over TCP a call goes as over UDP", async () => {
  const far = await sipp([hear("INVITE"), say(180), say(200, { sdp: true }), ...FINISH], { args: ["-t", "t1"] });
  const { carrier, dial } = await dialTo(far, { transport: "TCP" });
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  await carrier.hangUp(providerCallId);
  expect(await outcomeOf(far)).toEqual(WELL);
});

test.skipIf(isMissing)(
  "messages that are lost or come twice change nothing",
  async () => {
    const port = await freePort("UDP");
    const relay = await openLossyRelay(port);
    // So that what is sent within the call goes the bad way too.
    const headers = [`Record-Route: <sip:127.0.0.1:${relay.port};lr>`];
    const far = await sipp([hear("INVITE"), say(180), wait(20), say(200, { ...SDP, headers }), ...FINISH], {
      calls: 20,
      port,
    });
    harness = new SipTrunkManager();
    const carrier = await harness.open({ port: relay.port });
    const dials = Array.from({ length: 20 }, () => createDial());
    await Promise.all(
      dials.map(async (dial) => {
        await carrier.dial(dial, signal);
        const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
        // The ACK is lost once: it comes again with the next copy of the answer.
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        await carrier.hangUp(providerCallId);
      }),
    );
    for (const { attemptId } of dials) {
      const types = harness.events.filter((event) => event.attemptId === attemptId).map(({ type }) => type);
      expect(types).toEqual(["RINGING", "ANSWERED", "ENDED"]);
    }
    // sipp may take the second copy of a BYE for a mistake, so that its own count says nothing here.
    await far.ended;
    // INVITE, its answer, ACK and BYE of each call.
    expect(relay.lost).toBeGreaterThanOrEqual(80);
    relay.close();
  },
  60_000,
);

test.skipIf(isMissing)(
  "1,000 calls at 50 a second are all answered and hung up",
  async () => {
    const far = await sipp([hear("INVITE"), say(100), say(180), wait(100), say(200, SDP), ...FINISH], { calls: 1_000 });
    harness = new SipTrunkManager();
    const carrier = await harness.open({ port: far.port });
    const calls: Promise<void>[] = [];
    for (let i = 0; i < 1_000; i++) {
      calls.push(
        (async () => {
          const dial = createDial();
          expect(await carrier.dial(dial, signal)).toMatchObject({ kind: "ACCEPTED" });
          const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
          await carrier.hangUp(providerCallId);
        })(),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await Promise.all(calls);
    expect(await outcomeOf(far)).toEqual(WELL);
    expect(harness.events.filter(({ type }) => type === "ENDED")).toHaveLength(1_000);
    expect((harness.sockets as ReturnType<typeof createSilentSockets>).open.size).toBeGreaterThanOrEqual(0);
  },
  180_000,
);
