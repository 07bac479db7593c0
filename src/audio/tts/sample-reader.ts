import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { decodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { StreamResampler } from "#src/audio/codec/stream-resampler.ts";
import { SpeechError } from "#src/audio/speech-faults/speech-error.ts";

/** Raw audio: mu-law at 8 kHz, or 16-bit samples, low byte first, at a rate. */
export type AudioEncoding = { mulaw: true } | { pcmHz: number };

/** Turns bytes, cut anywhere, into samples at 8 kHz. */
export interface SampleReader {
  push(bytes: Buffer): Int16Array;
  end(): Int16Array;
}

/** First bytes of audio files; raw audio begins like this once in four thousand million. */
const FILES = ["RIFF", "ID3", "OggS", "fLaC"];
const MAGIC_BYTES = 4;
const NONE = new Int16Array(0);

/** Creates the reader of one answer. `push` throws a SpeechError when the answer is a file instead of raw audio. */
export function createSampleReader(provider: string, encoding: AudioEncoding): SampleReader {
  const decoder = "mulaw" in encoding ? readMuLaw() : readPcm(encoding.pcmHz);
  let head: Buffer | null = Buffer.alloc(0);
  const passHead = (): Int16Array => {
    const bytes = head ?? Buffer.alloc(0);
    head = null;
    if (FILES.some((magic) => bytes.toString("latin1", 0, magic.length) === magic)) {
      throw new SpeechError("UNREADABLE", `${provider} sent a file instead of raw sound.`);
    }
    return decoder.push(bytes);
  };
  return {
    push(bytes) {
      if (head === null) return decoder.push(bytes);
      head = Buffer.concat([head, bytes]);
      return head.length < MAGIC_BYTES ? NONE : passHead();
    },
    end() {
      const first = head === null ? NONE : passHead();
      const rest = decoder.end();
      return first.length === 0 ? rest : Int16Array.from([...first, ...rest]);
    },
  };
}

function readMuLaw(): SampleReader {
  return { push: (bytes) => decodeMuLaw(bytes), end: () => NONE };
}

function readPcm(rateHz: number): SampleReader {
  const resampler = rateHz === VOICE_RATE_HZ ? null : new StreamResampler(rateHz, VOICE_RATE_HZ);
  let odd = Buffer.alloc(0);
  return {
    push(bytes) {
      const all = odd.length > 0 ? Buffer.concat([odd, bytes]) : bytes;
      const samples = new Int16Array(all.length >> 1);
      for (let i = 0; i < samples.length; i++) samples[i] = all.readInt16LE(i * 2);
      odd = Buffer.from(all.subarray(samples.length * 2));
      return resampler ? resampler.push(samples) : samples;
    },
    end: () => resampler?.end() ?? NONE,
  };
}
