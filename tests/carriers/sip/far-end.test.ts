import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { MediaHost } from "#src/audio/worker/media-host.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { writeAnswer, writeLines } from "../../kit/sip/message-kit.ts";
import { createDial, createOrder, HOST, SipTrunkManager } from "../../kit/sip/sip-harness.ts";

const signal = new AbortController().signal;
let far: Socket;
let harness: SipTrunkManager;
let heard: string[];

beforeEach(async () => {
  far = createSocket("udp4").bind(0, HOST);
  await once(far, "listening");
  heard = [];
  harness = new SipTrunkManager();
});
afterEach(async () => {
  vi.useRealTimers();
  await harness.close();
  far.close();
});

/** Answers a request by hand. `described`: lines of the answer's audio. */
function answer(request: string, status: number, tag: string, headers: string[] = [], described?: string[]): Buffer {
  return writeAnswer(request, { status, tag, port: far.address().port, headers, described });
}

function requests(method: string): string[] {
  return heard.filter((text) => text.startsWith(`${method} `));
}

/** Lets time pass for the timers, and for the network too. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    await vi.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("of two phones that answer one call the first is kept; the second is acknowledged and hung up", async () => {
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    heard.push(text);
    if (text.startsWith("INVITE"))
      for (const tag of ["one", "two", "one"]) far.send(answer(text, 200, tag), port, HOST);
    if (text.startsWith("BYE")) far.send(answer(text, 200, ""), port, HOST);
  });
  const carrier = await harness.open({ port: far.address().port });
  const dial = createDial();
  expect(await carrier.dial(dial, signal)).toMatchObject({ kind: "ACCEPTED" });
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  await harness.until(() => requests("BYE").length === 1 && requests("ACK").length >= 2);
  expect(requests("BYE")[0]).toContain("tag=two");
  expect(new Set(requests("ACK").map((text) => /^To: .*tag=(\w+)/m.exec(text)?.[1]))).toEqual(new Set(["one", "two"]));
  expect(harness.events.map(({ type }) => type)).toEqual(["ANSWERED"]);
  await carrier.hangUp(providerCallId);
  await harness.until(() => requests("BYE").length === 2);
  expect(requests("BYE")[1]).toContain("tag=one");
  expect(harness.events.map(({ type }) => type)).toEqual(["ANSWERED", "ENDED"]);
});

test("a session that we are to refresh is refreshed, and one that nobody refreshes any more is ended", async () => {
  let refreshes = 0;
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    heard.push(text);
    if (text.startsWith("INVITE")) {
      // The first answer leaves it to us, the second promises to do it.
      const refresher = refreshes++ === 0 ? "uac" : "uas";
      far.send(answer(text, 200, "one", [`Session-Expires: 90;refresher=${refresher}`]), port, HOST);
    }
    if (text.startsWith("BYE")) far.send(answer(text, 200, ""), port, HOST);
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const carrier = await harness.open({ port: far.address().port });
  const dial = createDial();
  const dialled = carrier.dial(dial, signal);
  await pass(1_000);
  expect(await dialled).toMatchObject({ kind: "ACCEPTED" });
  await pass(45_000);
  const [first, second] = requests("INVITE");
  expect(requests("INVITE")).toHaveLength(2);
  // The current interval (RFC 4028, 7.4).
  expect(second).toContain("Session-Expires: 90;refresher=uac");
  const described = (text = ""): string => text.slice(text.indexOf("\r\n\r\n"));
  expect(described(second)).toBe(described(first));
  expect(requests("ACK")).toHaveLength(2);
  await pass(62_000);
  expect(requests("BYE")).toHaveLength(1);
  expect(harness.events.at(-1)).toMatchObject({ type: "ENDED", hungUpBy: "CARRIER", outcome: "ANSWERED" });
});

test("the calls of a server that stops are hung up, also where their way must be looked up", async () => {
  far.on("message", (bytes, { port: from }) => {
    const text = bytes.toString();
    heard.push(text);
    const route = `Record-Route: <sip:trunk.example:${far.address().port};lr>`;
    if (text.startsWith("INVITE")) far.send(answer(text, 200, "one", [route]), from, HOST);
  });
  const findAddresses = async (): Promise<string[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    return [HOST];
  };
  const names = { findServices: async () => [], findAddresses };
  const stopping = new SipTrunkManager(undefined, null, { names });
  const carrier = await stopping.open({ port: far.address().port });
  const dial = createDial();
  await carrier.dial(dial, signal);
  await harness.until(() => requests("ACK").length === 1);
  // The name is looked up again after half a minute.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  await stopping.close();
  await harness.until(() => requests("BYE").length > 0);
  expect(requests("BYE")).toHaveLength(1);
});

/** Returns a request of the far end within the call of an answered INVITE. */
function within(invite: string, method: string, body: string, extra: Record<string, string> = {}): Buffer {
  const value = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(invite)?.[1]?.trim() ?? "";
  const { port } = far.address();
  const headers = {
    Via: `SIP/2.0/UDP ${HOST}:${port};rport;branch=z9hG4bK.${method}`,
    From: `${value("To")};tag=one`,
    To: value("From"),
    "Call-ID": value("Call-ID"),
    Contact: `<sip:one@${HOST}:${port}>`,
    "Content-Type": "application/sdp",
    ...extra,
  };
  return writeLines(`${method} sip:us@parley.example SIP/2.0`, headers, body);
}

test("a session that the far end was to refresh does not expire after a change without a timer", async () => {
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    heard.push(text);
    if (text.startsWith("INVITE")) {
      const response = answer(text, 200, "one", ["Session-Expires: 90;refresher=uas"]);
      far.send(response, port, HOST);
      const described = response.toString().split("\r\n\r\n")[1] ?? "";
      setTimeout(() => far.send(within(text, "UPDATE", described), port, HOST), 1_000);
    }
    if (text.startsWith("BYE")) far.send(answer(text, 200, ""), port, HOST);
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const carrier = await harness.open({ port: far.address().port });
  void carrier.dial(createDial(), signal);
  await pass(62_000);
  const changed = heard.find((text) => text.startsWith("SIP/2.0 200") && text.includes("UPDATE"));
  expect(changed).toBeDefined();
  expect(changed).not.toContain("Session-Expires");
  // There is no session expiration any more (RFC 4028, 7.2).
  expect(requests("BYE")).toEqual([]);
});

test("a refused refresh is tried again before the session expires", async () => {
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    heard.push(text);
    const isBusy = text.startsWith("INVITE") && requests("INVITE").length === 2;
    const timer = ["Session-Expires: 90;refresher=uac"];
    if (text.startsWith("INVITE")) far.send(answer(text, isBusy ? 491 : 200, "one", timer), port, HOST);
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const carrier = await harness.open({ port: far.address().port });
  void carrier.dial(createDial(), signal);
  // A far end ends the call a third of the interval before it is over (RFC 4028, 10).
  await pass(60_000);
  expect(requests("INVITE")).toHaveLength(3);
});

/** Calls a number of ours, which answers, and acknowledges that. Gives our answer. `offers`: the INVITE has the audio. */
async function callUs(extra: Record<string, string> = {}, offers = true, audio = "0\r\n"): Promise<string> {
  harness.onCall = (call) => void call.answer("attempt").catch(() => undefined);
  const { port } = far.address();
  const ourPort = (await harness.trunks.place())?.port ?? 0;
  const headers = {
    Via: `SIP/2.0/UDP ${HOST}:${port};rport;branch=z9hG4bK.1`,
    Contact: `<sip:far@${HOST}:${port}>`,
    "Content-Type": "application/sdp",
    ...extra,
  };
  const sdp = `v=0\r\no=far 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\nm=audio 40000 RTP/AVP ${audio}`;
  far.send(writeLines("INVITE sip:+12025550190@parley.example SIP/2.0", headers, offers ? sdp : ""), ourPort, HOST);
  const find = (): string | undefined => heard.find((text) => /^SIP\/2.0 [2-6]/.test(text));
  while (!find()) await new Promise((resolve) => setImmediate(resolve));
  const answered = find() ?? "";
  const tag = /^To: .*tag=(\w+)/m.exec(answered)?.[1] ?? "";
  const ack = { ...headers, To: `<sip:ana@trunk.example>;tag=${tag}`, Via: headers.Via.replace(".1", ".2") };
  far.send(writeLines("ACK sip:+12025550190@parley.example SIP/2.0", ack, offers ? "" : sdp), ourPort, HOST);
  return answered;
}

test("a trunk that registered us may call from there although its name has moved", async () => {
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    heard.push(text);
    if (text.startsWith("REGISTER")) far.send(answer(text, 200, "one"), port, HOST);
  });
  let address = HOST;
  const names = { findServices: async () => [], findAddresses: async () => [address] };
  const moved = new SipTrunkManager(undefined, null, { names });
  const settings = { host: "trunk.example", username: "ann", password: "pass", registrationRequired: true };
  await moved.open({ ...settings, port: far.address().port });
  await moved.until(() => moved.trunks.statusOf("number-1")?.registration === "REGISTERED");
  address = "127.0.0.2";
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  const place = await moved.trunks.place();
  const headers = { Contact: `<sip:far@${HOST}:${far.address().port}>` };
  far.send(writeLines("INVITE sip:+12025550190@parley.example SIP/2.0", headers), place?.port ?? 0, HOST);
  await moved.until(() => moved.calls.length > 0);
  expect(moved.calls).toMatchObject([{ trunkId: "number-1" }]);
  await moved.close();
});

test("a caller that offers no audio is made an offer, and answers it with its ACK", async () => {
  far.on("message", (bytes) => heard.push(bytes.toString()));
  const carrier = await harness.open({ port: far.address().port });
  expect(await callUs({}, false)).toContain("m=audio ");
  await harness.event("attempt", "ANSWERED");
  const source = carrier.openMedia(harness.calls[0]?.providerCallId ?? "");
  expect(source).toMatchObject({ kind: "RTP", remote: { host: HOST, port: 40_000 }, codec: "PCMU" });
});

test("a call is refreshed with the encryption and the keypad tones that were agreed", async () => {
  far.on("message", (bytes) => heard.push(bytes.toString()));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await harness.open({ port: far.address().port, srtp: "OPTIONAL" });
  const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_32 inline:${Buffer.alloc(30, 7).toString("base64")}\r\n`;
  const audio = `0 96\r\na=rtpmap:96 telephone-event/8000\r\n${key}`;
  const agreed = /^a=crypto:.*$/m.exec(await callUs({ "Session-Expires": "90" }, true, audio))?.[0];
  expect(agreed).toContain("_32 ");
  await pass(45_000);
  // A description that offers what is in use (RFC 3264, 8; RFC 4028, 7.4).
  expect(requests("INVITE")[0]).toContain(agreed);
  expect(requests("INVITE")[0]).toContain("a=rtpmap:96 telephone-event/8000");
});

test("the end of a call to us is told with credentials where the trunk asks for them", async () => {
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    heard.push(text);
    const isProven = /^Proxy-Authorization: Digest username="ann", realm="trunk", nonce="once"/m.test(text);
    const challenge = isProven ? [] : ['Proxy-Authenticate: Digest realm="trunk", nonce="once", qop="auth"'];
    if (text.startsWith("BYE")) far.send(answer(text, isProven ? 200 : 407, "", challenge), port, HOST);
  });
  await harness.open({ port: far.address().port, username: "ann", password: "pass" });
  await callUs();
  const carrier = await harness.open({ port: far.address().port, username: "ann", password: "pass" });
  await carrier.hangUp(harness.calls[0]?.providerCallId ?? "");
  await harness.until(() => requests("BYE").length === 2);
  expect(requests("BYE")[1]).toContain('Proxy-Authorization: Digest username="ann"');
});

test("a caller whose proxy asked for a session timer is refreshed by us", async () => {
  far.on("message", (bytes) => heard.push(bytes.toString()));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await harness.open({ port: far.address().port });
  // The caller does not support the extension itself (RFC 4028, 9, table 2).
  expect(await callUs({ "Session-Expires": "90" })).toContain("Session-Expires: 90;refresher=uas");
  await pass(45_000);
  expect(requests("INVITE").length).toBeGreaterThan(0);
});

test("a call that is answered on hold is sent no audio, although its audio is opened a while later", async () => {
  const ear = createSocket("udp4").bind(0, HOST);
  await once(ear, "listening");
  let packets = 0;
  ear.on("message", () => packets++);
  const audio = [`m=audio ${ear.address().port} RTP/AVP 0`, "a=inactive"];
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    if (text.startsWith("INVITE")) far.send(answer(text, 200, "one", [], audio), port, HOST);
    if (text.startsWith("BYE")) far.send(answer(text, 200, ""), port, HOST);
  });
  const media = new MediaHost({ log: createLog("error") });
  const held = new SipTrunkManager(media);
  onTestFinished(async () => {
    await held.close();
    await media.close();
    ear.close();
  });
  const carrier = await held.open({ port: far.address().port });
  const dial = createDial();
  await carrier.dial(dial, signal);
  const { providerCallId } = await held.event(dial.attemptId, "ANSWERED");
  const source = carrier.openMedia(providerCallId);
  if (!source) throw new Error("There is no audio.");
  await new Promise((resolve) => setImmediate(resolve));
  const rules = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;
  const heardMs: number[] = [];
  const call = media.open({ source, ...rules, recording: null, carrierVerdict: null }, (event) => {
    if (event.kind === "AUDIO") heardMs.push(event.atMs);
  });
  await expect.poll(() => heardMs.length).toBeGreaterThanOrEqual(3);
  expect(packets).toBe(0);
  call.close();
});

test("the target of a transfer sees the person's number where that was asked for, or ours where the trunk bars it", async () => {
  const shown: string[] = [];
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    const from = /^From: <sip:([^@]*)@/m.exec(text)?.[1] ?? "";
    if (text.startsWith("INVITE")) shown.push(from);
    const isBarred = from !== "+12025550190";
    if (/^(?:INVITE|BYE)/.test(text)) far.send(answer(text, isBarred ? 403 : 200, `t${shown.length}`), port, HOST);
  });
  const carrier = await harness.open({ port: far.address().port });
  const dial = createDial();
  await carrier.dial(dial, signal);
  const { providerCallId } = await harness.event(dial.attemptId, "ANSWERED");
  const leg = await carrier.dialLeg(providerCallId, createOrder({ callerId: "CUSTOMER" }), signal);
  expect(leg.kind).toBe("ANSWERED");
  expect(shown).toEqual(["+12025550190", "+12025550100", "+12025550190"]);
});

test("what is told of an earlier transfer is not taken for the result of a later one", async () => {
  let invite = "";
  let ourPort = 0;
  const referred: string[] = [];
  const tell = (status: string, id: string | undefined, sequence: number): void => {
    const headers = {
      Via: `SIP/2.0/UDP ${HOST}:${far.address().port};rport;branch=z9hG4bK.n${sequence}`,
      CSeq: `${sequence} NOTIFY`,
      Event: `refer;id=${id}`,
      "Subscription-State": "terminated;reason=noresource",
      "Content-Type": "message/sipfrag",
    };
    far.send(within(invite, "NOTIFY", `SIP/2.0 ${status}`, headers), ourPort, HOST);
  };
  far.on("message", (bytes, { port }) => {
    const text = bytes.toString();
    heard.push(text);
    if (text.startsWith("INVITE")) [invite, ourPort] = [text, port];
    if (text.startsWith("REFER")) referred.push(/^CSeq: (\d+)/m.exec(text)?.[1] ?? "");
    if (/^(?:INVITE|REFER|BYE)/.test(text)) {
      far.send(answer(text, text.startsWith("REFER") ? 202 : 200, "one"), port, HOST);
    }
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const carrier = await harness.open({ port: far.address().port });
  void carrier.dial(createDial(), signal);
  await pass(1_000);
  const providerCallId = harness.events[0]?.providerCallId ?? "";
  const first = carrier.transfer(providerCallId, createOrder(), signal);
  await pass(16_000);
  expect(await first).toMatchObject({ kind: "FAILED", reason: "NO_ANSWER" });
  const second = carrier.transfer(providerCallId, createOrder({ destination: "+12025550122" }), signal);
  await pass(1_000);
  // The id is the number of the REFER (RFC 3515, 2.4.6).
  tell("200 OK", referred[0], 41);
  await pass(500);
  tell("486 Busy Here", referred[1], 42);
  await pass(500);
  expect(await second).toMatchObject({ kind: "FAILED", reason: "BUSY" });
});

describe("several numbers at one trunk", () => {
  beforeEach(async () => {
    far.on("message", (bytes) => heard.push(bytes.toString()));
    const { port } = far.address();
    await harness.open({ port }, "shorter", "+12025550");
    await harness.open({ port }, "longer", "+12025550190");
  });

  async function ringAs(uri: string, to: string): Promise<void> {
    const { port } = far.address();
    const place = await harness.trunks.place();
    const headers = {
      Via: `SIP/2.0/UDP ${HOST}:${port};rport;branch=z9hG4bK.1`,
      To: to,
      Contact: `<sip:far@${HOST}:${port}>`,
    };
    far.send(writeLines(`INVITE ${uri} SIP/2.0`, headers), place?.port ?? 0, HOST);
  }

  test.each([
    ["sip:+12025550190@parley.example", "<sip:+12025550@trunk.example>", "longer"],
    ["sip:12025550190@parley.example", "<sip:someone@trunk.example>", "longer"],
    ["sip:+12025550190;npdi@parley.example;user=phone", "<sip:someone@trunk.example>", "longer"],
    ["sip:0012025550190@parley.example", "<sip:someone@trunk.example>", "longer"],
    ["tel:+1-202-555-0190", "<tel:+12025550>", "longer"],
    ["sip:line@parley.example", '"+12025550" <tel:+1-202-555-0190>', "longer"],
    ["sip:+12025550@parley.example", "<sip:+12025550190@trunk.example>", "shorter"],
  ])("%s, To %s: the call is to the number that is %s", async (uri, to, trunkId) => {
    await ringAs(uri, to);
    await harness.until(() => harness.calls.length > 0);
    expect(harness.calls).toMatchObject([{ trunkId }]);
  });

  test("a number that only contains one of them is refused", async () => {
    await ringAs("sip:+9912025550190@parley.example", "<sip:120255501909@trunk.example>");
    await expect.poll(() => heard.at(-1)).toContain("SIP/2.0 403");
    expect(harness.calls).toEqual([]);
  });
});
