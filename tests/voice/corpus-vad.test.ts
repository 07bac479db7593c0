import { describe, expect, test } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { EnergyVad } from "#src/audio/vad/energy-vad.ts";
import { babble, bang, mix, noise, silence, tone } from "../kit/voice-corpus/sounds.ts";

const SPEECH_LEVEL = 3_000;
/** Times of speech in the track of ten seconds. */
const SPEECH_MS = [
  [2_000, 3_000],
  [5_000, 6_500],
  [8_000, 8_400],
] as const;

/** Returns true for each frame of a track that is speech to the detector. */
function hear(track: Int16Array): boolean[] {
  const vad = new EnergyVad();
  const frames: boolean[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= track.length; at += FRAME_SAMPLES) {
    frames.push(vad.hear(track.subarray(at, at + FRAME_SAMPLES)));
  }
  return frames;
}

function trackWithSpeech(noiseLevel: number): Int16Array {
  const track = silence(10_000);
  for (const [fromMs, toMs] of SPEECH_MS) mix(track, babble(toMs - fromMs, SPEECH_LEVEL, fromMs), fromMs);
  mix(track, noise(10_000, noiseLevel), 0);
  return track;
}

const share = (frames: boolean[], fromMs: number, toMs: number) => {
  const part = frames.slice(fromMs / 20, toMs / 20);
  return part.filter(Boolean).length / part.length;
};

describe("the energy VAD", () => {
  test.each([
    ["digital silence", 0, 0.8],
    ["a clean line", 8, 0.8],
    ["noise 20 dB below the speech", 300, 0.7],
    ["noise 10 dB below the speech", 950, 0.6],
    ["noise 5 dB below the speech", 1_700, 0.35],
  ])("finds speech and little else over %s", (_title, level, least) => {
    const frames = hear(trackWithSpeech(level));
    for (const [fromMs, toMs] of SPEECH_MS) expect(share(frames, fromMs, toMs)).toBeGreaterThan(least);
    for (const [fromMs, toMs] of [
      [0, 1_900],
      [3_200, 4_900],
      [6_700, 7_900],
      [8_600, 10_000],
    ] as const) {
      expect(share(frames, fromMs, toMs)).toBeLessThan(0.02);
    }
  });

  test("does not hear noise from the call's first frame on as speech", () => {
    expect(hear(noise(3_000, 1_200)).filter(Boolean).length).toBeLessThanOrEqual(3);
  });

  test("hears a call that begins in the middle of a word", () => {
    const track = silence(2_000);
    mix(track, babble(700, SPEECH_LEVEL), -60);
    expect(share(hear(track), 0, 600)).toBeGreaterThan(0.6);
  });

  test.each([
    ["a fan", noise(3_000, 600)],
    ["a tone", tone(3_000, [440])],
  ])("takes %s that begins for no voice before 300 ms have passed", (_title, sound) => {
    const track = silence(5_000);
    mix(track, sound, 1_000);
    const frames = hear(track);
    expect(share(frames, 1_300, 4_000)).toBeLessThan(0.02);
    expect(share(frames, 1_000, 1_300)).toBeLessThan(0.75);
  });

  test("hears speech again at once after a loud noise has ended", () => {
    const track = silence(6_000);
    mix(track, noise(3_000, 4_000), 500);
    mix(track, babble(1_000, 800), 4_000);
    expect(share(hear(track), 4_000, 5_000)).toBeGreaterThan(0.7);
  });

  test("is not disturbed by mains hum, DC, full scale or a bang", () => {
    const hum = trackWithSpeech(8);
    mix(hum, tone(10_000, [50], 3_000), 0);
    mix(hum, silence(10_000).fill(1_500), 0);
    const frames = hear(hum);
    for (const [fromMs, toMs] of SPEECH_MS) expect(share(frames, fromMs, toMs)).toBeGreaterThan(0.6);
    expect(share(frames, 3_300, 4_900)).toBe(0);
    const square = Int16Array.from({ length: 16_000 }, (_, at) => (at % 8 < 4 ? 32_767 : -32_768));
    expect(hear(square).at(-1)).toBe(false);
    const bangs = silence(2_000);
    mix(bangs, bang(), 1_000);
    expect(share(hear(bangs), 1_000, 1_400)).toBeLessThan(0.75);
  });
});
