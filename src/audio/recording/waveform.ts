import { setImmediate as nextTurn } from "node:timers/promises";
import { SAMPLES_PER_MS, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { linear16LittleEndian } from "#src/audio/codec/linear16.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { countWavHeader, readWavHeader } from "#src/audio/codec/wav.ts";
import { PeakMeter } from "./peaks.ts";
import type { Recording } from "./recording.ts";

/** Most samples that are measured: no call is longer, and one request must not work without end. */
const MAX_SAMPLES = 4 * 3_600 * VOICE_RATE_HZ;
const CHANNELS = 2;

/** Loudness of both channels of a recording, for drawing. */
export interface Waveform {
  durationMs: number;
  /** Per channel, the loudest sample of every tenth of a second, 0 to 255. */
  peaks: [Uint8Array, Uint8Array];
}

/** Measures a two-channel recording by reading it through, at most its first four hours. */
export async function measureWaveform(recording: Recording): Promise<Waveform> {
  const start = await readStart(recording);
  const shape = readWavHeader(start);
  if (!shape || shape.channels !== CHANNELS) throw new Error("This is not a recording of two channels.");
  const codec = shape.encoding === "PCM16" ? linear16LittleEndian : muLawCodec;
  const frameBytes = CHANNELS * codec.bytesPerSample;
  const from = countWavHeader(shape.encoding);
  const total = shape.dataBytes / frameBytes;
  const measured = Math.min(total, MAX_SAMPLES);
  const meters = [new PeakMeter(), new PeakMeter()] as const;
  let position = 0;
  for await (const piece of recording.read({ start: from, end: from + measured * frameBytes })) {
    const samples = new Int16Array(piece.length / codec.bytesPerSample);
    codec.decodeInto(piece, 0, piece.length, samples);
    for (const [channel, meter] of meters.entries()) {
      const side = takeChannel(samples, channel);
      meter.add(position, side, 0, side.length);
    }
    position += samples.length / CHANNELS;
    // Rendered audio never waits for a disk: without a pause here it would block everything else.
    await nextTurn();
  }
  return { durationMs: total / SAMPLES_PER_MS, peaks: [meters[0].read(measured), meters[1].read(measured)] };
}

function takeChannel(samples: Int16Array, channel: number): Int16Array {
  const side = new Int16Array(samples.length / CHANNELS);
  for (let i = 0, from = channel; i < side.length; i++, from += CHANNELS) side[i] = samples[from] as number;
  return side;
}

async function readStart(recording: Recording): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const end = Math.min(recording.byteLength, countWavHeader("MU_LAW"));
  for await (const piece of recording.read({ start: 0, end })) pieces.push(piece);
  return Buffer.concat(pieces);
}
