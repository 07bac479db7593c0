import { expect, test } from "vitest";
import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { LoudVad } from "./loud-vad.ts";

function judge(samples: Int16Array): boolean[] {
  const vad = new LoudVad();
  const frames = Math.floor(samples.length / FRAME_SAMPLES);
  return Array.from({ length: frames }, (_, i) =>
    vad.hear(samples.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES)),
  );
}

function chord(seconds: number, ...frequenciesHz: number[]): Int16Array {
  return Int16Array.from({ length: seconds * VOICE_RATE_HZ }, (_, i) =>
    Math.round(frequenciesHz.reduce((sum, hz) => sum + 2_000 * Math.sin((2 * Math.PI * hz * i) / VOICE_RATE_HZ), 0)),
  );
}

test.each(["Hello, this is Ada. Do you have a minute?", "+1 202 555 0147", "33333 UUUUU", "¿Diga?"])(
  "all of %j in tone speech is speech but for what a pause may take",
  (text) => {
    const judged = judge(encodeToneSpeech(text));
    const gaps = judged
      .map((isSpeech) => (isSpeech ? " " : "x"))
      .join("")
      .split(" ");
    expect(Math.max(...gaps.map((gap) => gap.length)) * 20).toBeLessThanOrEqual(160);
  },
);

test("silence and what is hardly louder is none", () => {
  expect(judge(new Int16Array(VOICE_RATE_HZ))).not.toContain(true);
  expect(judge(chord(1, 700).map((sample) => sample / 20))).not.toContain(true);
});

test.each([
  ["a chord", [400, 500, 600]],
  ["a beep", [1_000]],
  ["a fax", [2_100]],
])("%s is no speech after its first 160 ms, however long it is held", (_title, frequenciesHz) => {
  expect(judge(chord(5, ...frequenciesHz)).lastIndexOf(true)).toBeLessThan(9);
});

test("speech after a held sound is speech at once", () => {
  const speech = encodeToneSpeech("Hello?");
  const both = new Int16Array(VOICE_RATE_HZ + speech.length);
  both.set(chord(1, 400, 500, 600));
  both.set(speech, VOICE_RATE_HZ);
  expect(judge(both).indexOf(true, 10)).toBe(50);
});
