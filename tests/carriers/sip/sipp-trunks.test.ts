import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { freePort } from "../../kit/free-port.ts";
import {
  askAnew,
  hear,
  hearFinal,
  hearStatus,
  keepAnswer,
  say,
  sendAck,
  sendBye,
  wait,
} from "../../kit/sip/scenario.ts";
import {
  createDial,
  createSilentSockets,
  hasProgram,
  HOST,
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
const SDP = { sdp: true, repeats: true } as const;
const FINISH = [hear("ACK"), hear("BYE"), say(200, { tag: "" })];
const ATTEMPT = uuidv7();

let harness: SipTrunkManager | undefined;
const started: Sipp[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await harness?.close();
  harness = undefined;
  for (const sipp of started.splice(0)) sipp.kill();
});

async function sipp(...args: Parameters<typeof startSipp>): Promise<Sipp> {
  const run = await startSipp(...args);
  started.push(run);
  return run;
}

/** sipp calls our user agent, whose trunk is at sipp's port. */
async function callUs(open: SipTrunkManager, steps: Parameters<typeof startSipp>[0]): Promise<Sipp> {
  const port = await freePort("UDP");
  await open.open({ port });
  const place = await open.trunks.place();
  return sipp(steps, { port, args: [`${HOST}:${place?.port}`, "-s", "+12025550190"] });
}

const INVITE = askAnew("INVITE", { headers: ["P-Asserted-Identity: <sip:+12025550177@trunk.example>"], sdp: true });

test.skipIf(isMissing)("a call that comes in rings, is answered, and ends when the caller hangs up", async () => {
  harness = new SipTrunkManager();
  harness.onCall = (call) => {
    call.ring();
    void call.answer(ATTEMPT);
  };
  const far = await callUs(harness, [
    INVITE,
    hearStatus(100, undefined, true),
    hearStatus(180),
    ...keepAnswer(),
    sendAck(),
    wait(100),
    sendBye(),
    hearStatus(200),
  ]);
  const ended = await harness.event(ATTEMPT, "ENDED");
  expect(await outcomeOf(far)).toEqual(WELL);
  expect(harness.calls).toMatchObject([{ from: "+12025550177", to: "+12025550190", trunkId: "number-1" }]);
  expect(harness.events.map(({ type }) => type)).toEqual(["ANSWERED", "ENDED"]);
  expect(ended).toMatchObject({ hungUpBy: "CUSTOMER", outcome: "ANSWERED" });
  expect(harness.calls[0]?.signal.aborted).toBe(true);
  expect(harness.trunks.liveCalls).toBe(0);
});

test.skipIf(isMissing)("an answered call has its audio once, and is hung up by us after its ACK", async () => {
  harness = new SipTrunkManager();
  let media: unknown[] = [];
  const port = await freePort("UDP");
  const carrier = await harness.open({ port });
  harness.onCall = async (call) => {
    await call.answer(ATTEMPT);
    media = [carrier.openMedia(call.providerCallId), carrier.openMedia(call.providerCallId)];
    await carrier.hangUp(call.providerCallId);
  };
  const steps = [
    INVITE,
    hearStatus(100, undefined, true),
    ...keepAnswer(),
    wait(300),
    sendAck(),
    hear("BYE"),
    say(200, { tag: "" }),
  ];
  const far = await sipp(steps, {
    port,
    args: [`${HOST}:${(await harness.trunks.place())?.port}`, "-s", "+12025550190"],
  });
  expect(await harness.event(ATTEMPT, "ENDED")).toMatchObject({ hungUpBy: "AGENT" });
  expect(await outcomeOf(far)).toEqual(WELL);
  expect(media).toMatchObject([{ kind: "RTP", codec: "PCMU" }, null]);
});

test.skipIf(isMissing)(
  "a call is turned away as busy, and one that the caller takes back is told as gone",
  async () => {
    harness = new SipTrunkManager();
    harness.onCall = (call) => call.decline("BUSY");
    expect(
      await outcomeOf(await callUs(harness, [INVITE, hearStatus(100, undefined, true), hearFinal(486), sendAck(true)])),
    ).toEqual(WELL);

    const second = new SipTrunkManager();
    second.onCall = (call) => call.ring();
    const cancelled = [
      INVITE,
      hearStatus(100, undefined, true),
      hearStatus(180),
      askAnew("CANCEL"),
      hearStatus(200),
      hearFinal(487),
      sendAck(true),
    ];
    expect(await outcomeOf(await callUs(second, cancelled))).toEqual(WELL);
    expect(second.calls[0]?.signal.aborted).toBe(true);
    await expect(second.calls[0]?.answer(ATTEMPT)).rejects.toThrow("The call is over");
    await second.close();
  },
);

test.skipIf(isMissing)("a call that another server may take gets 503 with the time to stay away", async () => {
  harness = new SipTrunkManager();
  harness.onCall = (call) => call.decline("ELSEWHERE");
  const refused = hearStatus(503, "Retry-After: 30");
  const sender = await callUs(harness, [INVITE, hearStatus(100, undefined, true), refused]);
  expect(await outcomeOf(sender)).toEqual(WELL);
});

test.skipIf(isMissing)("a call from an address that is no trunk's is refused with 403", async () => {
  harness = new SipTrunkManager();
  await harness.open({ host: "127.0.0.9", port: 5060 });
  const place = await harness.trunks.place();
  const far = await sipp([INVITE, hearStatus(100, undefined, true), hearFinal(403), sendAck(true)], {
    args: [`${HOST}:${place?.port}`, "-s", "1"],
  });
  expect(await outcomeOf(far)).toEqual(WELL);
  expect(harness.calls).toEqual([]);
});

test.skipIf(isMissing)(
  "a trunk is registered with credentials and the time it wants, and told when we leave",
  async () => {
    const asks = 'WWW-Authenticate: Digest realm="far", nonce="abc", algorithm=MD5, qop="auth"';
    const far = await sipp([
      hear("REGISTER", { must: "Expires: 600" }),
      say(401, { headers: [asks] }),
      hear("REGISTER", { must: 'Authorization: Digest username="ann".*nc=00000001' }),
      say(423, { headers: ["Min-Expires: 1200"] }),
      hear("REGISTER", { must: "Expires: 1200" }),
      say(200, { headers: ["Expires: 1200"] }),
      hear("REGISTER", { must: "Expires: 0" }),
      say(200),
    ]);
    harness = new SipTrunkManager();
    const settings = { port: far.port, username: "ann", password: "pass", registrationRequired: true };
    await harness.open(settings);
    const { trunks } = harness;
    await harness.until(() => trunks.statusOf("number-1")?.registration === "REGISTERED");
    expect(trunks.statusOf("number-1")).toEqual({ registration: "REGISTERED", isReachable: true, message: null });
    // Once only, although the trunk is closed afterwards.
    trunks.unregister();
    await harness.close();
    expect(await outcomeOf(far)).toEqual(WELL);
  },
);

test.skipIf(isMissing)("without its registration a number dials nobody, and says why", async () => {
  const far = await sipp([hear("REGISTER"), say(403, { reason: "Forbidden" })]);
  harness = new SipTrunkManager();
  const carrier = await harness.open({ port: far.port, username: "ann", password: "no", registrationRequired: true });
  const result = await carrier.dial(createDial(), signal);
  expect(result).toMatchObject({ kind: "REFUSED", then: "REQUEUE", blame: "NUMBER", code: "SIP_NOT_REGISTERED" });
  expect(result).toHaveProperty("message", expect.stringContaining("Check the username and password"));
  expect(harness.trunks.statusOf("number-1")).toMatchObject({ registration: "REFUSED" });
  expect(await outcomeOf(far)).toEqual(WELL);
});

/** A name whose SRV records are these ports, in this order. */
function namesOf(...ports: number[]) {
  return {
    findAddresses: async () => [HOST],
    findServices: async () => ports.map((port, i) => ({ name: `host${i}.example.com`, port, priority: i, weight: 0 })),
  };
}

test.skipIf(isMissing)(
  "a host that refuses everything is passed over for the next one, and is the last to be asked then",
  async () => {
    const full = await sipp([hear("INVITE"), say(503, { repeats: true }), hear("ACK")]);
    const next = await sipp([hear("INVITE"), say(180), say(200, SDP), ...FINISH], { calls: 2 });
    harness = new SipTrunkManager(undefined, null, { names: namesOf(full.port, next.port) });
    const carrier = await harness.open({ host: "trunk.example.com", port: 5060 });
    for (let i = 0; i < 2; i++) {
      const dial = createDial();
      await carrier.dial(dial, signal);
      const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
      await carrier.hangUp(providerCallId);
    }
    expect(await outcomeOf(full)).toEqual(WELL);
    expect(await outcomeOf(next)).toEqual(WELL);
  },
);

test.skipIf(isMissing)("a host that takes no connection is passed over", async () => {
  const next = await sipp([hear("INVITE"), say(180), say(200, { sdp: true }), ...FINISH], { args: ["-t", "t1"] });
  harness = new SipTrunkManager(undefined, null, { names: namesOf(await freePort("UDP"), next.port) });
  const carrier = await harness.open({ host: "trunk.example.com", port: 5060, transport: "TCP" });
  const dial = createDial();
  await carrier.dial(dial, signal);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  await carrier.hangUp(providerCallId);
  expect(await outcomeOf(next)).toEqual(WELL);
});

test("a host that says nothing is not dialled past: the attempt is uncertain, and has ended after 32 s", async () => {
  const far = createSocket("udp4").bind(0, HOST);
  const other = createSocket("udp4").bind(0, HOST);
  await Promise.all([once(far, "listening"), once(other, "listening")]);
  const heard: string[] = [];
  let strays = 0;
  far.on("message", (bytes) => heard.push(bytes.toString()));
  other.on("message", () => strays++);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  harness = new SipTrunkManager(undefined, null, { names: namesOf(far.address().port, other.address().port) });
  const carrier = await harness.open({ host: "trunk.example.com", port: 5060 });
  const dial = createDial({ ringTimeoutSeconds: 60 });
  const dialled = carrier.dial(dial, signal);
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 250) {
      await vi.advanceTimersByTimeAsync(250);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await pass(8_000);
  expect(await dialled).toMatchObject({ kind: "UNCERTAIN" });
  const asked = { ...dial, providerCallId: null, dialledAt: new Date() };
  expect(await carrier.lookUp(asked)).toMatchObject({ kind: "UNCERTAIN" });
  expect(await carrier.dial(dial, signal)).toMatchObject({ kind: "UNCERTAIN" });
  await pass(26_000);
  expect(await carrier.lookUp(asked)).toMatchObject({ kind: "ENDED", event: { outcome: "UNREACHABLE" } });
  expect(harness.events).toMatchObject([{ type: "ENDED", outcome: "UNREACHABLE" }]);
  await pass(20_000);
  expect(new Set(heard).size).toBe(1);
  expect(heard).toHaveLength(7);
  expect(strays).toBe(0);
  vi.useRealTimers();
  far.close();
  other.close();
});

test("an attempt that this process did not dial is uncertain, whatever its carrier says of absence", async () => {
  harness = new SipTrunkManager();
  const carrier = await harness.open({ port: 5060 });
  expect(carrier.capabilities).toMatchObject({ dedupe: null, absenceIsProof: false });
  const asked = { ...createDial(), providerCallId: null, dialledAt: new Date() };
  expect(await carrier.lookUp(asked)).toMatchObject({ kind: "UNCERTAIN" });
});

test("an address that the guard closes is never sent to, and blames the number", async () => {
  const sockets = createSilentSockets();
  harness = new SipTrunkManager(sockets, null, { allow: ["192.0.2.1:5060"] });
  const carrier = await harness.open({ port: 5060 });
  const result = await carrier.dial(createDial(), signal);
  expect(result).toMatchObject({ kind: "REFUSED", code: "SIP_BLOCKED", blame: "NUMBER" });
  expect(result).toHaveProperty("message", expect.stringContaining("OUTBOUND_ALLOW=127.0.0.1:5060"));
  expect(sockets.open.size).toBe(0);
});

test.skipIf(isMissing)(
  "whatever arrives, the user agent goes on: 5,000 broken datagrams, and then a call",
  async () => {
    const far = await sipp([hear("INVITE"), say(180), say(200, SDP), ...FINISH]);
    harness = new SipTrunkManager();
    const carrier = await harness.open({ port: far.port });
    const port = (await harness.trunks.place())?.port as number;
    const socket = createSocket("udp4").bind(0, HOST);
    await once(socket, "listening");
    for (let i = 0; i < 5_000; i++) {
      socket.send(breakMessage(i, socket.address().port), port, HOST);
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const dial = createDial();
    expect(await carrier.dial(dial, signal)).toMatchObject({ kind: "ACCEPTED" });
    const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
    await carrier.hangUp(providerCallId);
    expect(await outcomeOf(far)).toEqual(WELL);
    socket.close();
  },
);

/** A message that would be right but for one place, which differs from one to the next. */
function breakMessage(seed: number, port: number): Buffer {
  const methods = ["INVITE", "OPTIONS", "BYE", "ACK", "CANCEL", "REGISTER", "NOTIFY", "XYZZY"];
  const method = methods[seed % methods.length] as string;
  const lines = [
    seed % 9 === 0 ? "SIP/2.0 200 OK" : `${method} sip:+12025550190@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${seed}`,
    `From: <sip:x@127.0.0.1>;tag=${seed}`,
    "To: <sip:+12025550190@127.0.0.1>",
    `Call-ID: ${seed}`,
    `CSeq: ${seed} ${method}`,
    `Contact: <sip:x@127.0.0.1:${port}>`,
    "Content-Type: application/sdp",
    "",
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n",
  ];
  const bytes = Buffer.from(lines.join("\r\n"));
  const kind = seed % 5;
  const at = (seed * 7_919) % bytes.length;
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) bytes[at] = seed % 256;
  if (kind === 2)
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(seed % 4_000, seed % 256), bytes.subarray(at)]);
  if (kind === 3)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n: \u0000\r\n;;=,<"'), bytes.subarray(at)]);
  return Buffer.from(bytes.map((byte, i) => (i % 97 === seed % 97 ? byte ^ seed : byte)));
}
