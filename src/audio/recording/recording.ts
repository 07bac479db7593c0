import { wavHeader } from "#src/audio/codec/wav.ts";
import { TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";
import type { Speaker, SpeechEngine } from "./speech-engine.ts";

const SAMPLES_PER_MS = TONE_RATE_HZ / 1000;
/** Two channels of 16 bits. */
const FRAME_BYTES = 4;
const CHUNK_FRAMES = TONE_RATE_HZ;
const CHUNK_BYTES = CHUNK_FRAMES * FRAME_BYTES;
/** Samples over which a cut utterance fades out: 5 ms, because a hard edge is heard as a click. */
const FADE_SAMPLES = 5 * SAMPLES_PER_MS;
/** Left is the agent, right the customer. */
const CHANNELS: readonly Speaker[] = ["ASSISTANT", "USER"];

/** One turn of a transcript. Times are milliseconds since the answer; turns of roles without a voice are left out. */
export interface RecordedTurn {
  role: Speaker | "SYSTEM" | "TOOL";
  content: string;
  startMs: number;
  endMs: number;
}

/** Input of a rendered recording. */
export interface RecordingRequest {
  turns: readonly RecordedTurn[];
  durationMs: number;
  speech: SpeechEngine;
}

/** A part of the file: from byte `start` to before byte `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * A recording of known length. `read` returns the whole file or a part of it in pieces of at most one second, as often
 * as called; with tone speech the bytes are the same on every machine.
 */
export interface Recording {
  byteLength: number;
  read(range?: ByteRange): AsyncIterable<Uint8Array>;
}

interface Utterance {
  text: string;
  speaker: Speaker;
  start: number;
  end: number;
  /** Samples that were spoken to learn their number; null for engines that can count without speaking. */
  samples: Int16Array | null;
}

/**
 * Lays out a two-channel WAV file (8 kHz, left the agent, right the customer). Every turn starts at its time and is cut
 * at the same speaker's next turn. The file is as long as the call or its last word. Throws a RangeError when it would
 * be longer than a WAV file can hold (37 hours).
 */
export async function prepareRecording(request: RecordingRequest): Promise<Recording> {
  const channels: Utterance[][] = [];
  for (const speaker of CHANNELS) channels.push(await placeTurns(request, speaker));
  const frames = Math.max(toSamples(request.durationMs), ...channels.map((placed) => placed.at(-1)?.end ?? 0));
  const dataBytes = frames * FRAME_BYTES;
  const header = wavHeader({ channels: CHANNELS.length, sampleRateHz: TONE_RATE_HZ, dataBytes });
  const byteLength = header.length + dataBytes;
  const read = (range: ByteRange = { start: 0, end: byteLength }) =>
    streamFile({ header, channels, frames, speech: request.speech }, range);
  return { byteLength, read };
}

function toSamples(ms: number): number {
  return Math.max(0, Math.round(ms * SAMPLES_PER_MS));
}

async function placeTurns({ turns, speech }: RecordingRequest, speaker: Speaker): Promise<Utterance[]> {
  const own = turns.filter((turn) => turn.role === speaker).toSorted((a, b) => a.startMs - b.startMs);
  const placed: Utterance[] = [];
  let free = 0;
  for (const [i, turn] of own.entries()) {
    const samples = speech.countSamples ? null : await speech.speak(turn.content, speaker);
    const length = samples ? samples.length : (speech.countSamples?.(turn.content, speaker) ?? 0);
    const start = Math.max(toSamples(turn.startMs), free);
    const following = own[i + 1];
    const next = following ? toSamples(following.startMs) : Number.POSITIVE_INFINITY;
    // Turns of one speaker that start at the same moment leave no room to cut: they are said one after the other.
    const end = next > start ? Math.min(start + length, next) : start + length;
    placed.push({ text: turn.content, speaker, start, end, samples });
    free = end;
  }
  return placed;
}

interface Layout {
  header: Uint8Array;
  channels: Utterance[][];
  frames: number;
  speech: SpeechEngine;
}

async function* streamFile(layout: Layout, range: ByteRange): AsyncGenerator<Uint8Array> {
  const { header, channels, frames, speech } = layout;
  if (range.start < header.length) yield header.subarray(range.start, Math.max(range.start, range.end));
  const firstChunk = Math.max(0, Math.floor((range.start - header.length) / CHUNK_BYTES));
  const tracks = channels.map((utterances) => createTrack(utterances, speech));
  for (let from = firstChunk * CHUNK_FRAMES; from < frames; from += CHUNK_FRAMES) {
    const offset = header.length + from * FRAME_BYTES;
    if (offset >= range.end) return;
    const to = Math.min(from + CHUNK_FRAMES, frames);
    const bytes = new Uint8Array((to - from) * FRAME_BYTES);
    const view = new DataView(bytes.buffer);
    for (const [channel, mixInto] of tracks.entries()) await mixInto(view, channel, from, to);
    yield bytes.subarray(Math.max(0, range.start - offset), Math.min(bytes.length, range.end - offset));
  }
}

type Track = (view: DataView, channel: number, from: number, to: number) => Promise<void>;

/** Creates the writer of one channel, second by second; it holds one utterance's samples at a time. */
function createTrack(utterances: Utterance[], speech: SpeechEngine): Track {
  let spoken: { utterance: Utterance; samples: Int16Array } | null = null;
  return async (view, channel, from, to) => {
    for (const utterance of utterances) {
      if (utterance.end <= from || utterance.start >= to) continue;
      if (spoken?.utterance !== utterance) {
        const samples = utterance.samples ?? (await speech.speak(utterance.text, utterance.speaker));
        spoken = { utterance, samples };
      }
      copyPart(view, channel, spoken, from, to);
    }
  };
}

function copyPart(
  view: DataView,
  channel: number,
  { utterance, samples }: { utterance: Utterance; samples: Int16Array },
  from: number,
  to: number,
): void {
  const { start, end } = utterance;
  const isCut = end - start < samples.length;
  for (let at = Math.max(from, start); at < Math.min(to, end); at++) {
    const fade = isCut ? Math.min(1, (end - at) / FADE_SAMPLES) : 1;
    const sample = Math.round((samples[at - start] ?? 0) * fade);
    view.setInt16((at - from) * FRAME_BYTES + channel * 2, sample, true);
  }
}
