import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { parseRtcp, writeRtcp } from "#src/audio/rtp/rtcp.ts";
import { RtpSender } from "#src/audio/rtp/rtp-sender.ts";
import { createRtpHeader, isRtcp, parseRtp, type RtpHeader } from "#src/audio/rtp/rtp.ts";
import { createMasterKey } from "#src/audio/rtp/srtp-keys.ts";
import { openRtpSocket } from "./rtp-socket.ts";
import { type RtpConnection, RtpTransport } from "./rtp-transport.ts";

const HOST = "127.0.0.1";
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Datagrams over the loopback come soon, but not at once. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(isSo()).toBe(true);
}

/** A clock of the test: both ends' ticks are called by hand, 20 ms apart. */
function createClock() {
  const clock = { ms: 1_000, now: () => clock.ms };
  return clock;
}

async function openEnd(options: Partial<RtpConnection> & { remotePort?: number }, clock = createClock()) {
  const socket = await openRtpSocket(HOST);
  const digits: string[] = [];
  const closed: string[] = [];
  let transport: RtpTransport | null = null;
  const frame = new Int16Array(FRAME_SAMPLES);
  const connect = (port: number) => {
    const agreed = { codec: "PCMU", payloadType: 0, eventPayloadType: 101, srtp: null } as const;
    const events = { onDigit: (digit: string) => digits.push(digit), onClosed: (by: string) => closed.push(by) };
    transport = new RtpTransport(socket, { ...agreed, ...options, remote: { host: HOST, port } }, events, clock.now);
  };
  closers.push(() => (transport ? transport.close() : socket.close()));
  if (options.remotePort !== undefined) connect(options.remotePort);
  return {
    socket,
    digits,
    closed,
    connect,
    get transport(): RtpTransport {
      return transport as RtpTransport;
    },
    /** Runs 20 ms: receives a frame, sends one. */
    tick(said: Int16Array = SILENCE): Int16Array {
      this.transport.read(frame);
      this.transport.write(said);
      return frame.slice();
    },
  };
}

async function openPair(one: Partial<RtpConnection> = {}, other: Partial<RtpConnection> = one) {
  const clock = createClock();
  const [a, b] = [await openEnd(one, clock), await openEnd(other, clock)];
  a.connect(b.socket.port);
  b.connect(a.socket.port);
  /** Runs both ends for `count` ticks, with all packets delivered in between. */
  const live = async (count: number, fromA = SILENCE, fromB = SILENCE) => {
    const heard = { byA: [] as Int16Array[], byB: [] as Int16Array[] };
    for (let i = 0; i < count; i++) {
      const before = [a.transport.stats.received, b.transport.stats.received];
      heard.byA.push(a.tick(fromA));
      heard.byB.push(b.tick(fromB));
      await until(() => a.transport.stats.received > (before[0] as number));
      await until(() => b.transport.stats.received > (before[1] as number));
      clock.ms += 20;
    }
    return heard;
  };
  return { a, b, clock, live };
}

const SILENCE = new Int16Array(FRAME_SAMPLES);
const HIGH = Int16Array.from(SILENCE, (_, i) => 8_000 * Math.sin((i * 2 * Math.PI) / 8));
const LOW = Int16Array.from(SILENCE, (_, i) => 4_000 * Math.sin((i * 2 * Math.PI) / 20));

/** Returns the level of the tone with this period in a frame. */
function measureTone(frame: Int16Array, period: number): number {
  let [sine, cosine] = [0, 0];
  for (const [i, sample] of frame.entries()) {
    sine += sample * Math.sin((i * 2 * Math.PI) / period);
    cosine += sample * Math.cos((i * 2 * Math.PI) / period);
  }
  return (2 * Math.hypot(sine, cosine)) / frame.length;
}

/** A far end of the test's own: sends and receives single packets. */
async function openFar(port: number, host = HOST) {
  const socket: Socket = createSocket("udp4");
  const heard: { header: RtpHeader; payload: Buffer }[] = [];
  const reports: Buffer[] = [];
  socket.on("message", (bytes: Buffer) => {
    const header = createRtpHeader();
    if (isRtcp(bytes, bytes.length)) reports.push(bytes);
    else if (parseRtp(bytes, bytes.length, header) === null)
      heard.push({ header, payload: bytes.subarray(header.payloadStart) });
  });
  socket.bind(0, host);
  await once(socket, "listening");
  closers.push(() => socket.close());
  return {
    socket,
    heard,
    reports,
    port: socket.address().port,
    /** Resolves when the system has taken the packet. */
    async send(bytes: Uint8Array): Promise<void> {
      await new Promise((resolve) => socket.send(bytes, port, HOST, resolve));
    },
  };
}

/** Opens an end of ours with its far end at the signalled address. */
async function openCall(options: Partial<RtpConnection> = {}, clock = createClock()) {
  const end = await openEnd(options, clock);
  const far = await openFar(end.socket.port);
  end.connect(far.port);
  return { end, far, clock };
}

function createPackets(ssrc = 7, first = 100) {
  const numbers = { ssrc, payloadType: 0, firstSequence: first, firstTimestamp: first * 160 };
  const sender = new RtpSender({ ...numbers, maxPayloadBytes: 160, tailBytes: 0 });
  return (said = HIGH): Uint8Array => {
    sender.packet.set(encodeMuLaw(said), sender.payloadStart);
    return sender.packet.slice(0, sender.finishAudio(160, 160));
  };
}

describe("a socket of a call", () => {
  test("has an even port in its range, and the next one; when none is left, that is told", async () => {
    const range = { first: 41_001, last: 41_005 };
    const [one, two] = [await openRtpSocket(HOST, range), await openRtpSocket(HOST, range)];
    closers.push(() => one.close());
    expect([one.port, two.port].toSorted((x, y) => x - y)).toEqual([41_002, 41_004]);
    await expect(openRtpSocket(HOST, range)).rejects.toThrow("No pair of ports");
    two.close();
    await until(() => !two.isLocked);
    const third = await openRtpSocket(HOST, range);
    closers.push(() => third.close());
    expect(third.port).toBe(two.port);
    expect((await openRtpSocket(HOST).then((free) => (free.close(), free))).port % 2).toBe(0);
    await expect(openRtpSocket("localhost")).rejects.toThrow(RangeError);
  });
});

describe("two ends", () => {
  test.each(["PCMU", "PCMA"] as const)("hear each other in %s, after the delay of the jitter buffer", async (codec) => {
    const { live } = await openPair({ codec, payloadType: codec === "PCMU" ? 0 : 8 });
    const { byA, byB } = await live(30, HIGH, LOW);
    expect(measureTone(byB.at(-1) as Int16Array, 8)).toBeGreaterThan(7_500);
    expect(measureTone(byA.at(-1) as Int16Array, 20)).toBeGreaterThan(3_700);
    expect(measureTone(byA.at(-1) as Int16Array, 8)).toBeLessThan(200);
  });

  test("press keys both ways, each heard once", async () => {
    const { a, b, live } = await openPair();
    a.transport.sendDigits("1w#");
    a.transport.sendDigits("7".repeat(200));
    b.transport.sendDigits("*0");
    await live(30);
    expect(b.digits).toEqual(["1", "#"]);
    expect(a.digits).toEqual(["*", "0"]);
  });

  test("press keys as tones when the far end takes no events", async () => {
    const { a, live } = await openPair({ eventPayloadType: null });
    await live(5);
    a.transport.sendDigits("5");
    const { byB } = await live(20);
    // 770 Hz and 1336 Hz.
    const loudest = (hz: number) => Math.max(...byB.map((frame) => measureTone(frame, 8_000 / hz)));
    expect(loudest(770)).toBeGreaterThan(5_000);
    expect(loudest(1_336)).toBeGreaterThan(5_000);
    expect(measureTone(byB.at(-1) as Int16Array, 8_000 / 770)).toBeLessThan(100);
  });

  test("understand each other under SRTP, and nobody who lacks the key", async () => {
    const [one, two] = [createMasterKey(), createMasterKey()];
    const suite = "AES_CM_128_HMAC_SHA1_80" as const;
    const ours = { suite, master: one };
    const theirs = { suite, master: two };
    const { a, b, live } = await openPair({ srtp: { ours, theirs } }, { srtp: { ours: theirs, theirs: ours } });
    a.transport.sendDigits("4");
    const { byB } = await live(40, HIGH, LOW);
    expect(measureTone(byB.at(-1) as Int16Array, 8)).toBeGreaterThan(7_500);
    expect(b.digits).toEqual(["4"]);
    const stranger = await openFar(b.socket.port);
    const { received } = b.transport.stats;
    await stranger.send(createPackets()());
    await until(() => b.transport.stats.refused.unprotected + b.transport.stats.refused.foreign === 1);
    expect(b.transport.stats.received).toBe(received);
  });

  test.each([true, false])("report to each other (RTCP on the same port: %s)", async (rtcpMux) => {
    const { a, b, live } = await openPair({ rtcpMux });
    // Reports come within 7.5 s, the first within 3.75 s.
    await live(600);
    await until(() => a.transport.stats.far !== null && b.transport.stats.far !== null);
    expect(a.transport.stats.far).toMatchObject({ packetsLost: 0 });
  });
});

describe("the far end", () => {
  test("is heard through loss, disorder and doubles", async () => {
    const { end, far } = await openCall();
    const next = createPackets();
    const packets = Array.from({ length: 40 }, () => next());
    const order = packets.flatMap((packet, i) => (i === 20 ? [] : i === 30 ? [packet, packet] : [packet]));
    [order[10], order[11]] = [order[11] as Uint8Array, order[10] as Uint8Array];
    for (const packet of order) await far.send(packet);
    await until(() => end.transport.stats.received === 40);
    expect(end.transport.stats).toMatchObject({ expected: 40, refused: { malformed: 0, strays: 0 } });
    const heard = Array.from({ length: 40 }, () => end.tick());
    expect(heard.filter((frame) => measureTone(frame, 8) > 6_000).length).toBeGreaterThan(34);
  });

  test("is answered at the port that its packets come from, once four in a row came, and where it goes on after a silence", async () => {
    const end = await openEnd({ remotePort: 9 });
    const first = await openFar(end.socket.port);
    const next = createPackets();
    for (let i = 0; i < 3; i++) await first.send(next());
    await until(() => end.transport.stats.refused.foreign === 3);
    end.tick(LOW);
    await first.send(next());
    await until(() => end.transport.stats.received === 1);
    end.tick(LOW);
    await until(() => first.heard.length === 1);
    expect(first.heard[0]?.payload).toEqual(Buffer.from(encodeMuLaw(LOW)));
    const moved = await openFar(end.socket.port);
    for (let i = 0; i < 5; i++) await moved.send(next());
    await until(() => end.transport.stats.refused.foreign === 8);
    for (let i = 0; i < 52; i++) end.tick();
    const another = createPackets(8);
    for (let i = 0; i < 5; i++) await moved.send(another());
    await until(() => end.transport.stats.refused.foreign === 13);
    for (let i = 0; i < 4; i++) await moved.send(next());
    await until(() => end.transport.stats.received >= 2);
    end.tick();
    await until(() => moved.heard.length === 1);
  });

  test("is not kept out by a socket that is bound to its former port, whatever RTCP comes from it", async () => {
    const { end, far } = await openCall({ rtcpMux: true });
    const next = createPackets();
    for (let i = 0; i < 60; i++) await far.send(next());
    await until(() => end.transport.stats.received === 60);
    expect(end.socket.isLocked).toBe(true);
    const report = new Uint8Array(500);
    const length = writeRtcp(report, { ssrc: 7, cname: "far", sender: null, reception: null, isGoodbye: false });
    for (let i = 0; i < 52; i++) {
      if (i % 20 === 0) await far.send(report.subarray(0, length));
      end.tick();
    }
    expect(end.socket.isLocked).toBe(false);
    const moved = await openFar(end.socket.port);
    for (let i = 0; i < 4; i++) await moved.send(next());
    await until(() => end.transport.stats.received === 61);
  });

  test("may begin anew with other numbers, and as another source once the one before has stopped", async () => {
    const { end, far, clock } = await openCall();
    for (const [ssrc, first, said] of [
      [7, 100, HIGH],
      [7, 40_000, LOW],
      [9, 3, HIGH],
    ] as const) {
      const next = createPackets(ssrc, first);
      clock.ms += 100;
      for (let i = 0; i < 8; i++) await far.send(next(said));
      const strays = { 100: 0, 40_000: 1, 3: 2 }[first];
      await until(() => end.transport.stats.refused.strays === strays && end.transport.stats.received >= 7);
      const heard = Array.from({ length: 8 }, () => end.tick());
      expect(Math.max(...heard.map((frame) => measureTone(frame, said === HIGH ? 8 : 20)))).toBeGreaterThan(3_000);
    }
  });

  test("may send anything: it is counted, and the call is heard as before", async () => {
    const { end, far } = await openCall();
    const next = createPackets();
    await far.send(next());
    const long = new Uint8Array(12 + 4_000);
    long[0] = 0x80;
    const otherType = next();
    otherType[1] = 77;
    const rtcp = Uint8Array.of(0x80, 200, 0, 9, 0, 0, 0, 0);
    const bad = [new Uint8Array(0), Uint8Array.of(1), new Uint8Array(40), long, otherType, rtcp];
    for (const bytes of bad) await far.send(bytes);
    await far.send(next());
    await until(() => end.transport.stats.received === 2);
    const { malformed, unknown } = end.transport.stats.refused;
    expect({ malformed, unknown }).toEqual({ malformed: 5, unknown: 1 });
  });

  test("that floods is heard up to a limit, and is dropped when it does not stop", async () => {
    const { end, far } = await openCall();
    const next = createPackets();
    for (let tick = 0; tick < 160 && end.closed.length === 0; tick++) {
      const { refused, received } = end.transport.stats;
      for (let i = 0; i < 102; i++) far.socket.send(next(), end.socket.port, HOST);
      await until(() => end.transport.stats.refused.flooded >= refused.flooded + 2);
      expect(end.transport.stats.received).toBe(received + 100);
      end.tick();
    }
    expect(end.closed).toEqual(["LOST"]);
  });

  test("loses nothing of what it may send to a flood by strangers", async () => {
    const { end, far } = await openCall();
    const stranger = await openFar(end.socket.port, "127.0.0.2");
    for (let i = 0; i < 200; i++) await stranger.send(createPackets()());
    await until(() => end.transport.stats.refused.foreign === 200);
    await far.send(createPackets()());
    await until(() => end.transport.stats.received === 1);
    expect(end.transport.stats.refused).toMatchObject({ malformed: 0, flooded: 0 });
  });

  test("that never sends is lost after the given time, and one whose port is closed ends nothing before", async () => {
    const gone = createSocket("udp4").bind(0, HOST);
    await once(gone, "listening");
    const { port } = gone.address();
    gone.close();
    await once(gone, "close");
    const end = await openEnd({ remotePort: port, lostAfterMs: 2_000 });
    end.socket.lock();
    for (let i = 0; i < 99; i++) {
      end.tick();
      // The refusal comes as an error of the socket, which must end nothing.
      if (end.socket.faults === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(end.socket.faults).toBeGreaterThan(0);
    expect(end.closed).toEqual([]);
    end.tick();
    expect(end.closed).toEqual(["LOST"]);
    expect(end.transport.read(new Int16Array(FRAME_SAMPLES))).toBe(false);
  });

  test("is lost after a silence; a report is a sign of life, a goodbye no hang-up", async () => {
    const { end, far } = await openCall({ rtcpMux: true, lostAfterMs: 1_000 });
    await far.send(createPackets()());
    await until(() => end.transport.stats.received === 1);
    for (let i = 0; i < 45; i++) end.tick();
    const report = new Uint8Array(500);
    const length = writeRtcp(report, { ssrc: 7, cname: "far", sender: null, reception: null, isGoodbye: true });
    await far.send(report.subarray(0, length));
    await far.send(Uint8Array.of(1));
    await until(() => end.transport.stats.refused.malformed === 1);
    for (let i = 0; i < 49; i++) end.tick();
    expect(end.closed).toEqual([]);
    end.tick();
    expect(end.closed).toEqual(["LOST"]);
  });

  test("is told goodbye when we close, and may be changed by the signalling", async () => {
    const end = await openEnd({ remotePort: 9, rtcpMux: true });
    const far = await openFar(end.socket.port);
    end.transport.redirect({ host: HOST, port: far.port });
    end.tick(HIGH);
    await until(() => far.heard.length === 1);
    end.transport.close();
    await until(() => far.reports.length === 1);
    expect(parseRtcp(far.reports[0] as Buffer, (far.reports[0] as Buffer).length)).toMatchObject({ isGoodbye: true });
    expect(() => end.transport.redirect({ host: "example.com", port: 5_000 })).toThrow(RangeError);
    expect(() => end.transport.redirect({ host: "::1", port: 5_000 })).toThrow(RangeError);
  });

  test("hears numbers that go on, whatever is sent", async () => {
    const { end, far } = await openCall();
    await far.send(createPackets()());
    await until(() => end.transport.stats.received === 1);
    end.transport.sendDigits("1");
    for (let i = 0; i < 20; i++) end.tick(HIGH);
    await until(() => far.heard.length === 20);
    const [first] = far.heard;
    const sequences = far.heard.map(({ header }) => (header.sequence - (first?.header.sequence ?? 0)) & 0xffff);
    expect(sequences).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
});
