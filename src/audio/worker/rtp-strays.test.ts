import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { RtpSender } from "#src/audio/rtp/rtp-sender.ts";
import { createRtpHeader, isRtcp, parseRtp } from "#src/audio/rtp/rtp.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { MediaHost } from "./media-host.ts";
import type { CallMediaEvent } from "./messages.ts";

const [HOST, STRANGER] = ["127.0.0.1", "127.0.0.2"];
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Returns 20 ms of a tone; its period divides them, so that consecutive frames join without a step. */
function toneOf(period: number): Int16Array {
  return Int16Array.from({ length: 160 }, (_, i) => 8_000 * Math.sin((i * 2 * Math.PI) / period));
}
const [OURS, THEIRS, FALSE] = [20, 16, 8];

/** Returns the level of the tone with this period in the samples. */
function measureTone(samples: Int16Array, period: number): number {
  let [sine, cosine] = [0, 0];
  for (const [i, sample] of samples.entries()) {
    sine += sample * Math.sin((i * 2 * Math.PI) / period);
    cosine += sample * Math.cos((i * 2 * Math.PI) / period);
  }
  return (2 * Math.hypot(sine, cosine)) / samples.length;
}

/** Opens a sender of a tone as RTP, which counts the packets that come back. */
async function openSpeaker(host: string, period: number, ssrc: number) {
  const socket: Socket = createSocket("udp4").bind(0, host);
  await once(socket, "listening");
  closers.push(() => socket.close());
  const sender = new RtpSender({
    ssrc,
    payloadType: 0,
    firstSequence: 1,
    firstTimestamp: 160,
    maxPayloadBytes: 160,
    tailBytes: 0,
  });
  const sound = encodeMuLaw(toneOf(period));
  const heard = { datagrams: 0, frames: 0, ours: 0 };
  const header = createRtpHeader();
  socket.on("message", (bytes: Buffer) => {
    heard.datagrams++;
    if (isRtcp(bytes, bytes.length) || parseRtp(bytes, bytes.length, header) !== null) return;
    heard.frames++;
    if (measureTone(decodeMuLaw(bytes.subarray(header.payloadStart)), OURS) > 6_000) heard.ours++;
  });
  return {
    heard,
    socket,
    address: { host, port: socket.address().port },
    say(port: number): void {
      sender.packet.set(sound, sender.payloadStart);
      socket.send(sender.packet.slice(0, sender.finishAudio(160, 160)), port, HOST);
    },
    press(port: number): void {
      const event = new RtpSender({
        ssrc,
        payloadType: 101,
        firstSequence: 9_000,
        firstTimestamp: 9_000,
        maxPayloadBytes: 160,
        tailBytes: 0,
      });
      event.packet.set([5, 0x8a, 3, 0x20], event.payloadStart);
      socket.send(event.packet.slice(0, event.finishEvent(101, true, 160, 4)), port, HOST);
    },
  };
}

type Speaker = Awaited<ReturnType<typeof openSpeaker>>;

/** A call over the media thread that sends a tone all the while, and its events. */
async function openCall(far: Speaker) {
  const host = new MediaHost({ log: createLog("error") });
  closers.push(() => host.close());
  const { socketId, port } = await host.openSocket(HOST);
  const target = { remote: far.address, codec: "PCMU", payloadType: 0, eventPayloadType: 101, srtp: null } as const;
  const rules = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 60_000 } as const;
  const heard = { theirs: 0, false: 0, digits: 0, strangers: [] as CallMediaEvent[] };
  const source = { kind: "RTP", socketId, ...target } as const;
  const call = host.open({ source, ...rules, recording: null, carrierVerdict: null }, (events) => {
    if (events.kind === "DIGIT") heard.digits++;
    if (events.kind === "STRANGER") heard.strangers.push(events);
    if (events.kind !== "AUDIO") return;
    if (measureTone(events.samples, THEIRS) > 5_000) heard.theirs++;
    if (measureTone(events.samples, FALSE) > 300) heard.false++;
  });
  call.begin(1);
  for (let i = 0; i < 1_500; i++) call.add(1, toneOf(OURS));
  call.complete(1);
  return { host, socketId, port, heard };
}

test("a thousand packets of strangers in each phase of a call: none is heard, none is answered, the far end misses nothing", async () => {
  const far = await openSpeaker(HOST, THEIRS, 7);
  const moved = await openSpeaker(HOST, THEIRS, 7);
  const stranger = await openSpeaker(STRANGER, FALSE, 8);
  const { host, socketId, port, heard } = await openCall(far);
  await once(far.socket, "message");
  /** Sends 1,000 packets of a stranger in 0.5 s, while the far end speaks, or does not. */
  const disturb = async (speaker: Speaker | null, isForged = false): Promise<void> => {
    const spoofed = isForged && speaker ? await openForger(speaker) : null;
    for (let i = 0; i < 25; i++) {
      for (let j = 0; j < 40; j++) stranger.say(port);
      stranger.press(port);
      spoofed?.(port);
      speaker?.say(port);
      await sleep(20);
    }
  };
  const before = (speaker: Speaker) => ({ frames: speaker.heard.frames, theirs: heard.theirs });
  const expectBoth = (speaker: Speaker, since: ReturnType<typeof before>): void => {
    expect(speaker.heard.frames - since.frames).toBeGreaterThan(10);
    expect(heard.theirs - since.theirs).toBeGreaterThan(1);
  };
  const speak = async (speaker: Speaker, frames: number): Promise<void> => {
    for (let i = 0; i < frames; i++) {
      speaker.say(port);
      await sleep(20);
    }
  };

  // Before the far end's first packet.
  await disturb(null);
  let since = before(far);
  await speak(far, 40);
  expectBoth(far, since);
  // While it speaks, with packets that bear its address, too.
  since = before(far);
  await disturb(far, true);
  expectBoth(far, since);
  // While it is muted, for longer than a router keeps a port.
  since = before(far);
  await disturb(null);
  await sleep(1_500);
  await disturb(null);
  await speak(far, 40);
  expectBoth(far, since);
  // After its re-INVITE, on hold and back.
  host.redirectSocket(socketId, { host: HOST, port: 0 }, true);
  await disturb(null);
  host.redirectSocket(socketId, moved.address, false);
  since = before(moved);
  await disturb(moved);
  await speak(moved, 40);
  expectBoth(moved, since);
  // Near the end.
  await disturb(moved);
  host.closeSocket(socketId);

  expect(heard.false).toBe(0);
  expect(heard.digits).toBe(0);
  expect(stranger.heard.datagrams).toBe(0);
  expect([far.heard.ours, moved.heard.ours].every((count) => count > 20)).toBe(true);
  expect(heard.strangers).toEqual([{ kind: "STRANGER", host: STRANGER, signalledHost: HOST }]);
  while (host.load.foreignPackets === 0) await sleep(50);
}, 60_000);

/** Sends packets from the far end's own address, with a source that is not its own. */
async function openForger(speaker: Speaker): Promise<(port: number) => void> {
  const sender = new RtpSender({
    ssrc: 666,
    payloadType: 0,
    firstSequence: 1,
    firstTimestamp: 160,
    maxPayloadBytes: 160,
    tailBytes: 0,
  });
  const sound = encodeMuLaw(toneOf(FALSE));
  return (port) => {
    for (let i = 0; i < 3; i++) {
      sender.packet.set(sound, sender.payloadStart);
      speaker.socket.send(sender.packet.slice(0, sender.finishAudio(160, 160)), port, HOST);
    }
  };
}
