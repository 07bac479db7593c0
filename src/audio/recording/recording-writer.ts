import type { FrameCodec } from "#src/audio/codec/frame-codec.ts";
import { SAMPLES_PER_MS, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { linear16LittleEndian } from "#src/audio/codec/linear16.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { countWavHeader, wavHeader, type WavEncoding } from "#src/audio/codec/wav.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { PeakMeter } from "./peaks.ts";
import { RECORDING_CHUNK_BYTES, type RecordingSink } from "./recording-sink.ts";

/** Channels of a recording. */
export const CHANNELS = 2;
/** Samples by which the call must be past a chunk before it is written; samples later than that are not recorded. */
const SLACK_SAMPLES = 1_000 * SAMPLES_PER_MS;
/** Most chunks that wait for a slow disk: 16 s of mu-law. Beyond that, audio is lost and replaced with silence. */
const MAX_WAITING = 4;
const MAX_SAMPLES = 24 * 3_600 * VOICE_RATE_HZ;

/** Channel of a recording: left is the agent, right the customer. */
export type RecordingChannel = 0 | 1;

/** Summary of a recording. `failure` is the fault after which nothing more was written. */
export interface RecordingSummary {
  byteLength: number;
  durationMs: number;
  /** Per channel, the loudest sample of every tenth of a second, 0 to 255. */
  peaks: [Uint8Array, Uint8Array];
  /** Samples that arrived too late, and samples that the disk was too slow for. */
  lateSamples: number;
  lostSamples: number;
  failure: Error | null;
}

interface Waiting {
  index: number;
  /** Null for a chunk of silence. */
  bytes: Uint8Array | null;
  byteCount: number;
}

/**
 * Writes a call as a two-channel WAV file while it goes on. Frames are placed by position; gaps are silence. A frame
 * allocates nothing and makes no system call. A chunk goes to the store every few seconds, and the header after it, so
 * that a recording cut off by a crash is whole up to there.
 */
export class RecordingWriter {
  readonly #store: RecordingSink;
  readonly #encoding: WavEncoding;
  readonly #codec: FrameCodec;
  readonly #frameBytes: number;
  readonly #chunkSamples: number;
  readonly #slackSamples: number;
  readonly #peaks = [new PeakMeter(), new PeakMeter()] as const;
  readonly #free: Uint8Array[] = [];
  readonly #waiting: Waiting[] = [];
  #buffers = 0;
  /** The open chunks: the first one's number, and the bytes of it and the next, null before their first frame. */
  #first = 0;
  readonly #open: [Uint8Array | null, Uint8Array | null] = [null, null];
  #end = 0;
  #writing: Promise<void> | null = null;
  #writtenBytes = 0;
  #lateSamples = 0;
  #lostSamples = 0;
  #failure: Error | null = null;
  #closing: Promise<RecordingSummary> | null = null;

  /**
   * Writes the header of an empty file at once. Chunks are written `patienceSamples` later than they could be: without
   * that, calls that began together write at once and their frames stall for 20 ms (500 calls, bench/media).
   */
  constructor(store: RecordingSink, encoding: WavEncoding, patienceSamples = 0) {
    this.#store = store;
    this.#encoding = encoding;
    this.#slackSamples = SLACK_SAMPLES + patienceSamples;
    this.#codec = encoding === "PCM16" ? linear16LittleEndian : muLawCodec;
    this.#frameBytes = CHANNELS * this.#codec.bytesPerSample;
    this.#chunkSamples = RECORDING_CHUNK_BYTES / this.#frameBytes;
    this.#writing = this.#begin();
  }

  /** The fault after which nothing more is written; null while all is well. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Takes the samples of one side, the first of which has the number `position` since the answer. */
  write(channel: RecordingChannel, position: number, samples: Int16Array, count: number): void {
    const isSane = position >= 0 && position + count <= MAX_SAMPLES && count <= samples.length;
    if (this.#closing || this.#failure || !isSane) {
      this.#lostSamples += count;
      return;
    }
    this.#end = Math.max(this.#end, position + count);
    for (let done = 0; done < count;) {
      const at = position + done;
      const chunk = Math.floor(at / this.#chunkSamples);
      const part = Math.min(count - done, (chunk + 1) * this.#chunkSamples - at);
      while (chunk > this.#first + 1) this.#seal();
      if (chunk < this.#first) this.#lateSamples += part;
      else this.#put(channel, at, samples, done, part);
      done += part;
    }
    if (this.#end >= (this.#first + 1) * this.#chunkSamples + this.#slackSamples) this.#seal();
  }

  /** Writes the rest, up to `samples` of the call when it ended later than its last sound. Idempotent. */
  close(samples = 0): Promise<RecordingSummary> {
    this.#closing ??= this.#finish(samples);
    return this.#closing;
  }

  /** Ends the recording with a fault, at once: of what is not written yet, nothing more will be. */
  abandon(fault: Error): RecordingSummary {
    this.#failure ??= fault;
    return this.#summarise();
  }

  async #finish(samples: number): Promise<RecordingSummary> {
    this.#end = Math.max(this.#end, Math.min(MAX_SAMPLES, Math.floor(samples)));
    while (this.#first * this.#chunkSamples < this.#end && !this.#failure) this.#seal();
    while (this.#writing) await this.#writing;
    await this.#attempt(() => this.#store.sync());
    return this.#summarise();
  }

  #summarise(): RecordingSummary {
    const recorded = this.#failure ? this.#writtenBytes / this.#frameBytes : this.#end;
    return {
      byteLength: countWavHeader(this.#encoding) + this.#writtenBytes,
      durationMs: recorded / SAMPLES_PER_MS,
      peaks: [this.#peaks[0].read(recorded), this.#peaks[1].read(recorded)],
      lateSamples: this.#lateSamples,
      lostSamples: this.#lostSamples,
      failure: this.#failure,
    };
  }

  #put(channel: RecordingChannel, position: number, samples: Int16Array, from: number, count: number): void {
    const slot = position < (this.#first + 1) * this.#chunkSamples ? 0 : 1;
    const bytes = (this.#open[slot] ??= this.#takeBuffer());
    if (!bytes) {
      this.#lostSamples += count;
      return;
    }
    const width = this.#codec.bytesPerSample;
    for (let done = 0; done < count;) {
      const at = position + done;
      const size = Math.min(count - done, PeakMeter.samplesLeft(at));
      const to = (at % this.#chunkSamples) * this.#frameBytes + channel * width;
      const loudest = this.#codec.encodeChannel(samples, from + done, size, bytes, to, this.#frameBytes);
      this.#peaks[channel].addLoudest(at, loudest);
      done += size;
    }
  }

  /** Queues the first open chunk for writing. */
  #seal(): void {
    const start = this.#first * this.#chunkSamples;
    const samples = Math.min(this.#chunkSamples, this.#end - start);
    this.#waiting.push({ index: this.#first, bytes: this.#open[0], byteCount: samples * this.#frameBytes });
    this.#first++;
    this.#open[0] = this.#open[1];
    this.#open[1] = null;
    this.#writing ??= this.#drain();
  }

  #takeBuffer(): Uint8Array | null {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#buffers >= MAX_WAITING + 2) return null;
    this.#buffers++;
    return new Uint8Array(RECORDING_CHUNK_BYTES).fill(this.#codec.silence);
  }

  async #begin(): Promise<void> {
    await this.#attempt(() => this.#store.writeHeader(this.#header()));
    await this.#drain();
  }

  async #drain(): Promise<void> {
    for (let chunk = this.#waiting.shift(); chunk; chunk = this.#waiting.shift()) {
      const { index, bytes, byteCount } = chunk;
      const content = bytes ?? silenceOf(this.#codec);
      await this.#attempt(async () => {
        await this.#store.writeChunk(index, content.subarray(0, byteCount));
        this.#writtenBytes += byteCount;
        await this.#store.writeHeader(this.#header());
      });
      if (bytes) this.#free.push(bytes.fill(this.#codec.silence));
    }
    this.#writing = null;
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    if (this.#failure) return;
    try {
      await step();
    } catch (error) {
      this.#failure = toError(error);
    }
  }

  #header(): Uint8Array {
    const shape = { channels: CHANNELS, sampleRateHz: VOICE_RATE_HZ, encoding: this.#encoding };
    return wavHeader({ ...shape, dataBytes: this.#writtenBytes });
  }
}

const silences = new Map<FrameCodec, Uint8Array>();

function silenceOf(codec: FrameCodec): Uint8Array {
  const known = silences.get(codec) ?? new Uint8Array(RECORDING_CHUNK_BYTES).fill(codec.silence);
  silences.set(codec, known);
  return known;
}
