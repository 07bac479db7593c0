import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countBase64, readBase64, writeBase64 } from "./base64.ts";
import type { MediaSocketCodec, SocketAudio, SocketEvent } from "./media-socket.ts";
import { createTelnyxSocket } from "./telnyx/telnyx-socket.ts";
import { createTwilioSocket } from "./twilio/twilio-socket.ts";
import { VonageMediaSocket } from "./vonage/vonage-socket.ts";

const FRAME = Uint8Array.from({ length: 160 }, (_, i) => (i * 37) & 0xff);
const PAYLOAD = Buffer.from(FRAME).toString("base64");

const TWILIO_START = {
  event: "start",
  sequenceNumber: "1",
  start: {
    accountSid: "AC1",
    streamSid: "MZ1",
    callSid: "CA1",
    tracks: ["inbound"],
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    customParameters: { session: "s1" },
  },
  streamSid: "MZ1",
};

const TELNYX_START = {
  event: "start",
  sequence_number: "1",
  stream_id: "T1",
  start: {
    user_id: "u",
    call_control_id: "v2:1",
    media_format: { encoding: "PCMU", sample_rate: 8000, channels: 1 },
    custom_parameters: [{ name: "session", value: "s2" }],
  },
};

const VONAGE_START = {
  event: "websocket:connected",
  "content-type": "audio/l16;rate=16000",
  session: "s3",
  uuid: "U1",
};

function say(socket: MediaSocketCodec, message: unknown): SocketEvent {
  return socket.read(Buffer.from(JSON.stringify(message)), false);
}

function heard(event: SocketEvent): { bytes: number[]; position: number } {
  const { payload, payloadBytes, position } = event as SocketAudio;
  return { bytes: [...payload.subarray(0, payloadBytes)], position };
}

function startTwilio(): MediaSocketCodec {
  const socket = createTwilioSocket();
  say(socket, TWILIO_START);
  return socket;
}

function startTelnyx(): MediaSocketCodec {
  const socket = createTelnyxSocket({ linear16: "L16_BE" });
  say(socket, TELNYX_START);
  return socket;
}

function startVonage(): MediaSocketCodec {
  const socket = new VonageMediaSocket();
  say(socket, VONAGE_START);
  return socket;
}

const media = (chunk: unknown, payload: unknown = PAYLOAD, track: unknown = "inbound") => ({
  event: "media",
  sequenceNumber: "4",
  media: { track, chunk, timestamp: "5", payload },
  streamSid: "MZ1",
});

describe("Twilio's socket", () => {
  test("tells start, sound, keys, marks and stop", () => {
    const socket = createTwilioSocket();
    expect(say(socket, { event: "connected", protocol: "Call", version: "1.0.0" })).toEqual({ kind: "CONNECTED" });
    expect(say(socket, TWILIO_START)).toMatchObject({
      kind: "STARTED",
      streamId: "MZ1",
      callId: "CA1",
      format: { codec: { name: "PCMU" }, rateHz: 8_000 },
      parameters: { session: "s1" },
    });
    expect(heard(say(socket, media("2")))).toEqual({ bytes: [...FRAME], position: 160 });
    expect(heard(say(socket, media("1")))).toEqual({ bytes: [...FRAME], position: 0 });
    expect(say(socket, media("3", PAYLOAD, "outbound"))).toEqual({ kind: "IGNORED" });
    const dtmf = { track: "inbound_track", digit: "1" };
    expect(say(socket, { event: "dtmf", streamSid: "MZ1", dtmf })).toEqual({ kind: "KEY", key: "1", durationMs: null });
    expect(say(socket, { event: "mark", streamSid: "MZ1", mark: { name: "m7" } })).toEqual({
      kind: "MARK",
      name: "m7",
    });
    expect(say(socket, { event: "dtmf", streamSid: "MZ1", dtmf: { digit: "11" } })).toMatchObject({ kind: "FAULT" });
    expect(say(socket, { event: "news", streamSid: "MZ1" })).toEqual({ kind: "IGNORED" });
    expect(say(socket, { event: "stop", streamSid: "MZ1", stop: {} })).toEqual({ kind: "STOPPED" });
    expect(say(socket, media("4"))).toEqual({ kind: "FAULT", fault: "OUT_OF_ORDER" });
  });

  test("takes sound, marks and clears as Twilio reads them", () => {
    const socket = startTwilio();
    const out = Buffer.alloc(socket.countAudio(160));
    expect(socket.writeAudio(FRAME, 160, out)).toBe(out.length);
    expect(out.toString()).toBe(`{"event":"media","streamSid":"MZ1","media":{"payload":"${PAYLOAD}"}}`);
    expect(socket.mark('a"b')).toBe(String.raw`{"event":"mark","streamSid":"MZ1","mark":{"name":"a\"b"}}`);
    expect(socket.clear()).toBe('{"event":"clear","streamSid":"MZ1"}');
    expect(() => socket.writeAudio(FRAME, 160, Buffer.alloc(50))).toThrow(RangeError);
    expect(() => createTwilioSocket().writeAudio(FRAME, 160, out)).toThrow(RangeError);
  });

  test.each([
    ["OUT_OF_ORDER", TWILIO_START],
    ["WRONG_STREAM", { ...media("1"), streamSid: "MZ2" }],
    ["BAD_AUDIO", media("1", "not base64!!")],
    ["BAD_AUDIO", media("1", "AAA")],
    ["BAD_AUDIO", media("1", "")],
    ["BAD_AUDIO", media("1", Buffer.alloc(25_000).toString("base64"))],
    ["MALFORMED", media("1", 7)],
    ["MALFORMED", { event: "media", streamSid: "MZ1" }],
    ["MALFORMED", { event: 5 }],
    ["MALFORMED", [1]],
    ["TOO_LARGE", media("1", "A".repeat(70_000))],
  ])("counts a fault of %s", (fault, message) => {
    const socket = startTwilio();
    expect(say(socket, message)).toEqual({ kind: "FAULT", fault });
    expect(socket.faults).toMatchObject({ [fault]: 1 });
    expect(heard(say(socket, media("1"))).bytes).toEqual([...FRAME]);
  });

  test("refuses other formats, binary messages and sound before the start", () => {
    const socket = createTwilioSocket();
    const start = structuredClone(TWILIO_START);
    start.start.mediaFormat.sampleRate = 16_000;
    expect(say(socket, start)).toEqual({ kind: "FAULT", fault: "BAD_FORMAT" });
    expect(say(socket, media("1"))).toEqual({ kind: "FAULT", fault: "OUT_OF_ORDER" });
    expect(socket.read(FRAME, true)).toEqual({ kind: "FAULT", fault: "WRONG_KIND" });
    expect(socket.format).toBeNull();
  });
});

describe("Telnyx's socket", () => {
  const sound = (chunk: string, payload = PAYLOAD) => ({
    event: "media",
    sequence_number: "4",
    stream_id: "T1",
    media: { track: "inbound", chunk, timestamp: "5", payload },
  });

  test("tells start, sound in any order, keys, marks, errors and stop", () => {
    const socket = createTelnyxSocket({ linear16: "L16_BE" });
    expect(say(socket, { event: "connected", version: "1.0.0" })).toEqual({ kind: "CONNECTED" });
    expect(say(socket, TELNYX_START)).toMatchObject({
      kind: "STARTED",
      streamId: "T1",
      callId: "v2:1",
      format: { codec: { name: "PCMU" }, rateHz: 8_000 },
      parameters: { session: "s2" },
    });
    const positions = ["3", "1", "2"].map((chunk) => heard(say(socket, sound(chunk))).position);
    expect(positions).toEqual([320, 0, 160]);
    expect(say(socket, { event: "dtmf", stream_id: "T1", dtmf: { digit: "#" } })).toMatchObject({ key: "#" });
    expect(say(socket, { event: "mark", stream_id: "T1", mark: { name: "x" } })).toEqual({ kind: "MARK", name: "x" });
    const error = { code: 100_002, title: "malformed_frame", detail: "bad" };
    expect(say(socket, { event: "error", stream_id: "T1", payload: error })).toEqual({
      kind: "CARRIER_ERROR",
      code: "100002",
      message: "bad",
    });
    expect(say(socket, { event: "stop", stream_id: "T1", stop: {} })).toEqual({ kind: "STOPPED" });
  });

  test("takes sound, marks and clears without a stream's name", () => {
    const socket = startTelnyx();
    const out = Buffer.alloc(socket.countAudio(160));
    socket.writeAudio(FRAME, 160, out);
    expect(out.toString()).toBe(`{"event":"media","media":{"payload":"${PAYLOAD}"}}`);
    expect(socket.mark("x")).toBe('{"event":"mark","mark":{"name":"x"}}');
    expect(socket.clear()).toBe('{"event":"clear"}');
  });

  test.each([
    ["PCMA", 8_000, "PCMA"],
    ["L16", 16_000, "L16_LE"],
    ["G722", 8_000, null],
    ["PCMU", 16_000, null],
    ["L16", 44_100, null],
  ])("hears %s at %i Hz as %s", (encoding, sampleRate, codec) => {
    const socket = createTelnyxSocket({ linear16: "L16_LE" });
    const start = structuredClone(TELNYX_START);
    start.start.media_format = { encoding, sample_rate: sampleRate, channels: 1 };
    expect(say(socket, start).kind).toBe(codec ? "STARTED" : "FAULT");
    expect(socket.format?.codec.name ?? null).toBe(codec);
  });

  test("counts samples, not bytes, and refuses half a sample", () => {
    const socket = createTelnyxSocket({ linear16: "L16_BE" });
    const start = structuredClone(TELNYX_START);
    start.start.media_format = { encoding: "L16", sample_rate: 16_000, channels: 1 };
    say(socket, start);
    expect(heard(say(socket, sound("4", Buffer.alloc(640).toString("base64")))).position).toBe(960);
    expect(say(socket, sound("5", "AAAA"))).toEqual({ kind: "FAULT", fault: "BAD_AUDIO" });
  });
});

describe("Vonage's socket", () => {
  test("tells start with its headers, sound, keys, clears and marks", () => {
    const socket = new VonageMediaSocket();
    expect(socket.read(new Uint8Array(640), true)).toEqual({ kind: "FAULT", fault: "OUT_OF_ORDER" });
    expect(say(socket, VONAGE_START)).toMatchObject({
      kind: "STARTED",
      callId: "U1",
      format: { codec: { name: "L16_LE" }, rateHz: 16_000 },
      parameters: { session: "s3", uuid: "U1" },
    });
    const frame = Uint8Array.from({ length: 640 }, (_, i) => i & 0xff);
    expect(heard(socket.read(frame, true))).toEqual({ bytes: [...frame], position: 0 });
    expect(heard(socket.read(frame, true)).position).toBe(320);
    expect(socket.read(new Uint8Array(639), true)).toEqual({ kind: "FAULT", fault: "BAD_AUDIO" });
    expect(socket.read(new Uint8Array(0), true)).toEqual({ kind: "FAULT", fault: "BAD_AUDIO" });
    expect(socket.read(new Uint8Array(640 * 26), true)).toEqual({ kind: "FAULT", fault: "TOO_LARGE" });
    const dtmf = { event: "websocket:dtmf", digit: "5", duration: 260 };
    expect(say(socket, dtmf)).toEqual({ kind: "KEY", key: "5", durationMs: 260 });
    expect(say(socket, { event: "websocket:cleared" })).toEqual({ kind: "CLEARED" });
    expect(say(socket, { event: "websocket:notify", payload: { mark: "m" } })).toEqual({ kind: "MARK", name: "m" });
    expect(say(socket, { event: "websocket:notify", payload: 1 })).toEqual({ kind: "IGNORED" });
    expect(say(socket, VONAGE_START)).toEqual({ kind: "FAULT", fault: "OUT_OF_ORDER" });
  });

  test.each([
    [8_000, 320],
    [16_000, 640],
    [24_000, 960],
  ])("takes frames of exactly 20 ms: at %i Hz %i bytes", (rateHz, bytes) => {
    const socket = new VonageMediaSocket();
    say(socket, { ...VONAGE_START, "content-type": `audio/l16;rate=${rateHz}` });
    const out = new Uint8Array(1_000);
    expect(socket.writeAudio(new Uint8Array(bytes).fill(3), bytes, out)).toBe(bytes);
    expect([out[0], out[bytes - 1], out[bytes]]).toEqual([3, 3, 0]);
    expect(() => socket.writeAudio(new Uint8Array(bytes), bytes - 2, out)).toThrow(RangeError);
    expect(socket.mark("m")).toBe('{"action":"notify","payload":{"mark":"m"}}');
    expect(socket.clear()).toBe('{"action":"clear"}');
  });

  test.each(["audio/l16;rate=44100", "audio/pcmu", 5, undefined])("refuses the format %s", (contentType) => {
    const start = { event: "websocket:connected", "content-type": contentType };
    expect(say(new VonageMediaSocket(), start)).toEqual({ kind: "FAULT", fault: "BAD_FORMAT" });
  });
});

describe("every socket", () => {
  const SOCKETS = [createTwilioSocket, startTwilio, startTelnyx, startVonage];
  const KINDS = "CONNECTED STARTED AUDIO KEY MARK CLEARED CARRIER_ERROR STOPPED IGNORED FAULT".split(" ");
  const FIELDS = [
    "event",
    "start",
    "media",
    "payload",
    "chunk",
    "streamSid",
    "stream_id",
    "mark",
    "name",
    "dtmf",
    "__proto__",
  ];
  const EVENTS = [
    "connected",
    "start",
    "media",
    "dtmf",
    "mark",
    "stop",
    "error",
    "clear",
    "websocket:dtmf",
    "websocket:notify",
  ];

  test("answers any bytes with an event or a counted fault, and never with text of the wrong kind", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(...EVENTS),
        fc.string(),
        fc.double(),
        fc.constantFrom(null, true, "MZ1", "T1", PAYLOAD, 2 ** 60, "-1"),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...FIELDS), tie("value"), { maxKeys: 6 }),
      ),
    }));
    const withEvent = fc
      .tuple(fc.constantFrom(...EVENTS), fc.dictionary(fc.constantFrom(...FIELDS), value))
      .map(([event, fields]) => JSON.stringify({ ...fields, event }));
    const text = fc.oneof(withEvent, fc.json(), fc.string()).map((json) => Buffer.from(json));
    const message = fc.record({ bytes: fc.oneof(text, fc.uint8Array({ maxLength: 2_000 })), isBinary: fc.boolean() });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 20 }), fc.constantFrom(...SOCKETS), (messages, create) => {
        const socket = create();
        let faults = 0;
        for (const { bytes, isBinary } of messages) {
          const event = socket.read(bytes, isBinary);
          expect(KINDS).toContain(event.kind);
          if (event.kind === "FAULT") faults++;
          const position = event.kind === "AUDIO" ? event.position : 0;
          const payloadBytes = event.kind === "AUDIO" ? event.payloadBytes : 1;
          expect(Number.isSafeInteger(position) && position >= 0).toBe(true);
          expect(payloadBytes).toBeGreaterThan(0);
        }
        expect(Object.values(socket.faults).reduce((sum, count) => sum + count, 0)).toBe(faults);
      }),
      { numRuns: 1_500 },
    );
  });

  test("does not let parameters reach the prototype of anything, and keeps them few and short", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, "v"]));
    const start = JSON.stringify({
      ...TWILIO_START,
      start: { ...TWILIO_START.start, customParameters: { long: "x".repeat(3_000), nested: {}, ...many } },
    }).replace('"nested":{}', '"__proto__":"evil"');
    const event = createTwilioSocket().read(Buffer.from(start), false);
    const { parameters } = event as Extract<SocketEvent, { kind: "STARTED" }>;
    expect(Object.keys(parameters)).toHaveLength(64);
    expect(parameters["long"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["evil"]).toBeUndefined();
    expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
  });
});

describe("base64", () => {
  test("is written as the platform writes it, and read back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(5), (bytes, at) => {
        const out = Buffer.alloc(at + countBase64(bytes.length));
        expect(writeBase64(bytes, 0, bytes.length, out, at)).toBe(countBase64(bytes.length));
        const text = out.toString("latin1", at);
        expect(text).toBe(Buffer.from(bytes).toString("base64"));
        const read = Buffer.alloc(100);
        expect(readBase64(text, read)).toBe(bytes.length);
        expect(read.subarray(0, bytes.length).equals(bytes)).toBe(true);
      }),
    );
  });

  test.each(["A", "AAA", "AA=A", "AAAA AAA", "A===", "====", "AA\nAAAAA", "éAAA"])("refuses %j", (text) => {
    expect(readBase64(text, Buffer.alloc(100))).toBe(-1);
  });
});
