import { wavHeader } from "#src/audio/codec/wav.ts";
import { prepareRecording } from "#src/audio/recording/recording.ts";
import { toneEngine } from "#src/audio/recording/speech-engine.ts";
import { encodeToneSpeech, TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";

/** A WAV file of one channel. */
export function wavOf(samples: Int16Array, sampleRateHz: number = TONE_RATE_HZ): Buffer<ArrayBuffer> {
  const header = wavHeader({ channels: 1, sampleRateHz, dataBytes: samples.byteLength });
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)]);
}

/** A text as tone speech in a WAV file of one channel. */
export function saidInTones(text: string): Buffer<ArrayBuffer> {
  return wavOf(encodeToneSpeech(text));
}

/** A call's recording as the service makes it: left the agent, right the customer. */
export async function recordCall(
  turns: { role: "ASSISTANT" | "USER"; content: string; startMs: number }[],
  durationMs: number,
): Promise<Buffer<ArrayBuffer>> {
  const placed = turns.map((turn) => ({ ...turn, endMs: turn.startMs }));
  const recording = await prepareRecording({ turns: placed, durationMs, speech: toneEngine });
  const pieces: Uint8Array[] = [];
  for await (const piece of recording.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}
