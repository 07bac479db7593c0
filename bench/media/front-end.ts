import { createSocket, type Socket } from "node:dgram";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";

const HOST = "127.0.0.1";
const HEADER_BYTES = 12;
const FRAME_SAMPLES = 160;
const FRAME_MS = 20;
/** Calls take their turns in four groups, as in the service. */
const GROUPS = 4;

/** Application behind a socket: takes the audio heard and supplies the audio to play. */
export interface FrontEndCall {
  /** Receives one frame; the buffer is reused. */
  hear(samples: Int16Array): void;
  /** Fills the next 20 ms; false for silence. */
  say(samples: Int16Array): boolean;
}

/**
 * Minimal front end for G.711 over RTP, for peers that have none: one socket per call, packets decoded as they arrive,
 * no jitter buffer, one ticker on an absolute schedule. Returns the ports.
 */
export async function openFrontEnd(calls: FrontEndCall[]): Promise<number[]> {
  const groups: (() => void)[][] = Array.from({ length: GROUPS }, () => []);
  const ports: number[] = [];
  for (const [i, call] of calls.entries()) {
    const socket = createSocket({ type: "udp4", lookup: lookup as never });
    socket.on("error", () => undefined);
    await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
    ports.push(socket.address().port);
    groups[i % GROUPS]?.push(connect(socket, call, i));
  }
  runTicker(groups);
  return ports;
}

/** Skips the DNS: addresses are already numeric. */
function lookup(host: string, _options: unknown, done: (error: null, host: string, family: number) => void): void {
  done(null, host, 4);
}

/** Receives a call's packets; returns the function that sends the next one. */
function connect(socket: Socket, call: FrontEndCall, index: number): () => void {
  const packet = Buffer.alloc(HEADER_BYTES + FRAME_SAMPLES);
  packet[0] = 0x80;
  packet.writeUInt32BE(index + 1, 8);
  const heard = new Int16Array(FRAME_SAMPLES);
  const said = new Int16Array(FRAME_SAMPLES);
  let [isUp, sequence, timestamp] = [false, 0, 0];
  socket.on("message", (bytes, from) => {
    if (!isUp) {
      isUp = true;
      socket.connect(from.port, HOST);
    }
    if (bytes.length !== packet.length) return;
    muLawCodec.decodeInto(bytes, HEADER_BYTES, FRAME_SAMPLES, heard);
    call.hear(heard);
  });
  return () => {
    if (!isUp) return;
    if (!call.say(said)) said.fill(0);
    packet.writeUInt16BE(sequence++ & 0xffff, 2);
    packet.writeUInt32BE(timestamp, 4);
    timestamp = (timestamp + FRAME_SAMPLES) >>> 0;
    muLawCodec.encodeInto(said, FRAME_SAMPLES, packet, HEADER_BYTES);
    socket.send(packet);
  };
}

function runTicker(groups: (() => void)[][]): void {
  const stepMs = FRAME_MS / GROUPS;
  const startedAtMs = performance.now();
  let steps = 0;
  const run = () => {
    for (; startedAtMs + steps * stepMs <= performance.now(); steps++) {
      for (const tick of groups[steps % GROUPS] ?? []) tick();
    }
    setTimeout(run, Math.max(1, startedAtMs + steps * stepMs - performance.now()));
  };
  run();
}
