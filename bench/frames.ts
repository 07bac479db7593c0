import { codecNamed } from "#src/audio/codec/codecs.ts";
import type { CodecName } from "#src/audio/codec/frame-codec.ts";
import { StreamResampler } from "#src/audio/codec/stream-resampler.ts";
import { RecordingWriter } from "#src/audio/recording/recording-writer.ts";
import { JitterBuffer } from "#src/audio/rtp/jitter-buffer.ts";
import { RtpSender } from "#src/audio/rtp/rtp-sender.ts";
import { RtpSource } from "#src/audio/rtp/rtp-source.ts";
import { createRtpHeader, parseRtp, writeUint16 } from "#src/audio/rtp/rtp.ts";
import { createMasterKey } from "#src/audio/rtp/srtp-keys.ts";
import { SRTP_TAIL_BYTES, SrtpContext } from "#src/audio/rtp/srtp.ts";
import type { MediaSocketCodec } from "#src/telephony/carriers/media-socket.ts";
import { createTwilioSocket } from "#src/telephony/carriers/twilio/twilio-socket.ts";
import { VonageMediaSocket } from "#src/telephony/carriers/vonage/vonage-socket.ts";

const FRAMES = 100_000;
const ROUNDS = 5;

/** One thing that is done to a frame of 20 ms; `i` is the frame's number. */
interface Work {
  name: string;
  run: (i: number) => void;
}

const voice = Int16Array.from({ length: 1_600 }, (_, i) =>
  Math.round(6_000 * Math.sin(i / 9) + 3_000 * Math.sin(i / 4) + (i % 7) * 20),
);
/** Ten different frames, so that nothing is measured on one and the same. */
const frames = Array.from({ length: 10 }, (_, i) => voice.slice(i * 160, (i + 1) * 160));
const codes = Uint8Array.from({ length: 320 }, (_, i) => (i * 37) & 0xff);
const out = new Int16Array(480);

function frameOf(i: number): Int16Array {
  return frames[i % 10] as Int16Array;
}

function measureCodecs(): Work[] {
  const bytes = new Uint8Array(320);
  return (["PCMU", "PCMA", "L16_LE"] satisfies CodecName[]).flatMap((name) => {
    const codec = codecNamed(name);
    const count = 160 * codec.bytesPerSample;
    return [
      { name: `encode ${name}`, run: (i: number) => void codec.encodeInto(frameOf(i), 160, bytes, 0) },
      { name: `decode ${name}`, run: () => void codec.decodeInto(codes, 0, count, out) },
    ];
  });
}

function measureResamplers(): Work[] {
  return [
    { fromHz: 8_000, toHz: 16_000 },
    { fromHz: 16_000, toHz: 8_000 },
    { fromHz: 24_000, toHz: 8_000 },
  ].map(({ fromHz, toHz }) => {
    const count = fromHz / 50;
    const resampler = new StreamResampler(fromHz, toHz);
    const frame = voice.subarray(0, count);
    return { name: `resample ${fromHz / 1_000}k to ${toHz / 1_000}k`, run: () => void resampler.push(frame) };
  });
}

function createSender(): RtpSender {
  const numbers = { ssrc: 1, payloadType: 0, firstSequence: 0, firstTimestamp: 0 };
  return new RtpSender({ ...numbers, maxPayloadBytes: 160, tailBytes: SRTP_TAIL_BYTES });
}

function measureRtp(): Work[] {
  const sender = createSender();
  const source = new RtpSource();
  const header = createRtpHeader();
  const packet = createSender().packet;
  packet[1] = 0;
  return [
    { name: "write RTP", run: () => void sender.finishAudio(160, 160) },
    {
      name: "parse RTP and follow the source",
      run: (i) => {
        writeUint16(packet, 2, i & 0xffff);
        parseRtp(packet, 172, header);
        source.accept(header, i * 20);
      },
    },
  ];
}

function measureSrtp(): Work[] {
  const master = createMasterKey();
  const near = new SrtpContext("AES_CM_128_HMAC_SHA1_80", master);
  const far = new SrtpContext("AES_CM_128_HMAC_SHA1_80", master);
  const alone = new SrtpContext("AES_CM_128_HMAC_SHA1_80", master);
  const sender = createSender();
  const other = createSender();
  return [
    { name: "protect SRTP", run: () => void alone.protect(other.packet, other.finishAudio(160, 160)) },
    {
      name: "protect and unprotect SRTP",
      run: () => void far.unprotect(sender.packet, near.protect(sender.packet, sender.finishAudio(160, 160))),
    },
  ];
}

function measureJitterBuffers(): Work[] {
  const good = new JitterBuffer();
  const bad = new JitterBuffer();
  return [
    {
      name: "jitter buffer, push and pop, good line",
      run: (i) => {
        good.push((i * 160) >>> 0, frameOf(i), 160, i * 20 + 3);
        good.pop(out, i * 20 + 10);
      },
    },
    {
      name: "jitter buffer, push and pop, 5 % lost",
      run: (i) => {
        if (i % 20 !== 7) bad.push((i * 160) >>> 0, frameOf(i), 160, i * 20 + ((i * 7) % 20));
        bad.pop(out, i * 20 + 10);
      },
    },
  ];
}

function measureSocket(name: string, socket: MediaSocketCodec, start: unknown, message: Uint8Array): Work[] {
  socket.read(Buffer.from(JSON.stringify(start)), false);
  const bytes = socket.isAudioBinary ? 640 : 160;
  const payload = new Uint8Array(bytes);
  const made = new Uint8Array(socket.countAudio(bytes));
  return [
    { name: `read a message of ${name}`, run: () => void socket.read(message, socket.isAudioBinary) },
    { name: `write a message of ${name}`, run: () => void socket.writeAudio(payload, bytes, made) },
  ];
}

function measureSockets(): Work[] {
  const payload = Buffer.from(codes.subarray(0, 160)).toString("base64");
  const media = { track: "inbound", chunk: "2", timestamp: "5", payload };
  const message = Buffer.from(JSON.stringify({ event: "media", sequenceNumber: "4", media, streamSid: "MZ1" }));
  const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
  const twilioStart = { event: "start", start: { streamSid: "MZ1", callSid: "CA1", mediaFormat }, streamSid: "MZ1" };
  const vonageStart = { event: "websocket:connected", "content-type": "audio/l16;rate=16000" };
  return [
    ...measureSocket("Twilio", createTwilioSocket(), twilioStart, message),
    ...measureSocket("Vonage", new VonageMediaSocket(), vonageStart, new Uint8Array(640)),
  ];
}

function measureRecorder(): Work[] {
  const nowhere = {
    writeHeader: () => Promise.resolve(),
    writeChunk: () => Promise.resolve(),
    sync: () => Promise.resolve(),
  };
  return (["MU_LAW", "PCM16"] as const).map((encoding) => {
    let writer = new RecordingWriter(nowhere, encoding);
    return {
      name: `record a frame of both sides, ${encoding}`,
      run: (i) => {
        // Ten minutes a call, as a call has.
        const position = (i % 30_000) * 160;
        if (position === 0) writer = new RecordingWriter(nowhere, encoding);
        writer.write(0, position, frameOf(i), 160);
        writer.write(1, position, frameOf(i + 3), 160);
      },
    };
  });
}

/** Microseconds of processor time a frame, in the median of the rounds: what else the machine does is left out. */
async function measureTime({ run }: Work): Promise<number> {
  const times: number[] = [];
  let i = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.cpuUsage();
    // In pieces, as in the service: between ticks the event loop does what was begun.
    for (const roundEnd = i + FRAMES; i < roundEnd;) {
      for (const end = i + 1_000; i < end; i++) run(i);
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The first round is for the compiler.
    const { user, system } = process.cpuUsage(before);
    if (round > 0) times.push((user + system) / FRAMES);
  }
  return times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}

/** Bytes of garbage a frame, in the median of short runs in which nothing was collected. */
function measureGarbage({ run }: Work): number {
  const runs: number[] = [];
  for (let i = (ROUNDS + 1) * FRAMES; runs.length < 50;) {
    const before = process.memoryUsage();
    for (const end = i + 500; i < end; i++) run(i);
    const after = process.memoryUsage();
    const grown = after.heapUsed + after.external - before.heapUsed - before.external;
    if (grown >= 0) runs.push(grown / 500);
  }
  return runs.toSorted((a, b) => a - b)[25] ?? 0;
}

/** Prints what each step of the media path costs per frame of 20 ms. */
export async function benchFrames(print: (line: string) => void): Promise<void> {
  print(`## Frames of 20 ms: one core, median of ${ROUNDS} rounds of ${FRAMES} frames`);
  print("");
  print("| step | us per frame | frames a core | bytes of garbage |");
  print("|---|---|---|---|");
  const works = [
    ...measureCodecs(),
    ...measureResamplers(),
    ...measureRtp(),
    ...measureSrtp(),
    ...measureJitterBuffers(),
    ...measureSockets(),
    ...measureRecorder(),
  ];
  for (const work of works) {
    const us = await measureTime(work);
    const perSecond = Math.round(1_000_000 / us).toLocaleString("en-US");
    print(`| ${work.name} | ${us.toFixed(2)} | ${perSecond}/s | ${measureGarbage(work).toFixed(0)} |`);
  }
}
