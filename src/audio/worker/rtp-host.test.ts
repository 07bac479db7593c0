import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { RtpSender } from "#src/audio/rtp/rtp-sender.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { MediaHost } from "./media-host.ts";
import type { CallMediaEvent } from "./messages.ts";

const HOST = "127.0.0.1";
let host: MediaHost;
afterEach(() => host.close());

test("a socket is opened in the media thread, becomes a call's, and its far end is heard and spoken to", async () => {
  host = new MediaHost({ log: createLog("error") });
  const { socketId, port } = await host.openSocket(HOST);
  expect(port % 2).toBe(0);
  const far = createSocket("udp4").bind(0, HOST);
  await once(far, "listening");
  const remote = { host: HOST, port: far.address().port };
  const target = { remote, codec: "PCMU", payloadType: 0, eventPayloadType: 101, srtp: null } as const;
  const rules = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;
  const rest = { recording: null, carrierVerdict: null };
  const events: CallMediaEvent[] = [];
  const ended = Promise.withResolvers<void>();
  const options = { source: { kind: "RTP", socketId, ...target }, ...rules, ...rest } as const;
  const call = host.open(options, (event) => {
    events.push(event);
    if (event.kind === "ENDED") ended.resolve();
  });
  await once(far, "message");
  const numbers = { ssrc: 1, payloadType: 101, firstSequence: 1, firstTimestamp: 160 };
  const sender = new RtpSender({ ...numbers, maxPayloadBytes: 160, tailBytes: 0 });
  sender.packet.set([5, 0x8a, 3, 0x20], sender.payloadStart);
  far.send(sender.packet.slice(0, sender.finishEvent(101, true, 160, 4)), port, HOST);
  while (!events.some(({ kind }) => kind === "DIGIT")) await once(far, "message");
  expect(events.find(({ kind }) => kind === "DIGIT")).toMatchObject({ digit: "5" });
  call.close();
  await ended.promise;
  far.close();
});

test("a socket that cannot be had is told, and a call without its socket is lost", async () => {
  host = new MediaHost({ log: createLog("error") });
  await expect(host.openSocket("192.0.2.1")).rejects.toThrow("No pair of ports");
  const { socketId } = await host.openSocket(HOST);
  const target = { remote: { host: HOST, port: 9 }, codec: "PCMU", payloadType: 0, eventPayloadType: null, srtp: null };
  const rules = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;
  const source = { kind: "RTP", socketId: socketId + 1_000, ...target } as never;
  const events: CallMediaEvent[] = [];
  await new Promise<void>((resolve) => {
    host.open({ source, ...rules, recording: null, carrierVerdict: null }, (event) => {
      events.push(event);
      if (event.kind === "ENDED") resolve();
    });
  });
  expect(events).toMatchObject([{ kind: "CLOSED", by: "LOST" }, { fault: "The socket of this call is not open." }]);
});

test("a far end that hung up before its audio was opened has hung up, and nothing has broken", async () => {
  host = new MediaHost({ log: createLog("error") });
  const { socketId } = await host.openSocket(HOST);
  host.closeSocket(socketId);
  const target = { remote: { host: HOST, port: 9 }, codec: "PCMU", payloadType: 0, eventPayloadType: null, srtp: null };
  const rules = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;
  const source = { kind: "RTP", socketId, ...target } as never;
  const events: CallMediaEvent[] = [];
  await new Promise<void>((resolve) => {
    host.open({ source, ...rules, recording: null, carrierVerdict: null }, (event) => {
      events.push(event);
      if (event.kind === "ENDED") resolve();
    });
  });
  expect(events).toMatchObject([{ kind: "CLOSED", by: "REMOTE" }, { fault: null }]);
});

test("a far end that moves by its signalling is sent to there, and one that hung up ends the call", async () => {
  host = new MediaHost({ log: createLog("error") });
  const { socketId } = await host.openSocket(HOST);
  const [first, second] = [createSocket("udp4").bind(0, HOST), createSocket("udp4").bind(0, HOST)];
  await Promise.all([once(first, "listening"), once(second, "listening")]);
  const remote = { host: HOST, port: first.address().port };
  const target = { remote, codec: "PCMU", payloadType: 0, eventPayloadType: null, srtp: null } as const;
  const rules = { language: "en", vad: "ENERGY", hasStt: false, endpointingMs: 500, bargeInMs: 300 } as const;
  const events: CallMediaEvent[] = [];
  const ended = Promise.withResolvers<void>();
  const rest = { recording: null, carrierVerdict: null };
  host.open({ source: { kind: "RTP", socketId, ...target }, ...rules, ...rest }, (event) => {
    events.push(event);
    if (event.kind === "ENDED") ended.resolve();
  });
  await once(first, "message");
  host.redirectSocket(socketId, { host: HOST, port: second.address().port }, false);
  await once(second, "message");
  host.closeSocket(socketId);
  await ended.promise;
  expect(events.filter(({ kind }) => kind === "CLOSED")).toMatchObject([{ by: "REMOTE" }]);
  first.close();
  second.close();
});
