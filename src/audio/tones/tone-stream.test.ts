import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { decodeToneSpeech, encodeToneSpeech } from "./tone-speech.ts";
import { ToneStream } from "./tone-stream.ts";

function listen(samples: Int16Array, pieceSamples = 160) {
  const soFar: string[] = [];
  const texts: string[] = [];
  const stream = new ToneStream({
    onSoFar: (text) => void soFar.push(text),
    onUtterance: (text) => void texts.push(text),
  });
  for (let at = 0; at < samples.length; at += pieceSamples) stream.push(samples.subarray(at, at + pieceSamples));
  const beforeFlush = [...texts];
  stream.flush();
  return { soFar, texts, beforeFlush };
}

function join(...parts: Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

/** Noise that is the same in every run. */
function noise(count: number, amplitude: number, seed: number): Int16Array {
  let state = seed;
  return Int16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.round((state / 2 ** 31) * amplitude);
  });
}

test("a text is told when its last sample came, and growing parts of it before", () => {
  const text = "The order number is twenty-three.";
  const { soFar, texts, beforeFlush } = listen(encodeToneSpeech(text));
  expect([texts, beforeFlush]).toEqual([[text], [text]]);
  expect(soFar.length).toBeGreaterThan(4);
  expect(soFar.filter((part) => !text.startsWith(part))).toEqual([]);
});

test("how much of an utterance was heard grows with its sound, to the whole", () => {
  const shares: number[] = [];
  const stream = new ToneStream({ onSoFar: (_text, share) => void shares.push(share), onUtterance: () => undefined });
  const samples = encodeToneSpeech("Hello, this is Ada. Do you have a minute?");
  stream.push(samples.subarray(0, samples.length / 2));
  expect(shares.at(-1)).toBeGreaterThan(0.35);
  expect(shares.at(-1)).toBeLessThan(0.55);
  for (let at = samples.length / 2; at < samples.length; at += 160) stream.push(samples.subarray(at, at + 160));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBeGreaterThan(0.9);
});

test("long texts come through blocks, with what was said so far", () => {
  const text = "Zürich, Łódź and Αθήνα are cities. ".repeat(12).trim();
  const { soFar, texts } = listen(encodeToneSpeech(text));
  expect(texts).toEqual([text]);
  expect(soFar.at(-1)?.length).toBeGreaterThan(300);
});

test("pieces of any size, shifted and through a telephone line, give what the whole gives", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 3 });
  const gaps = fc.array(fc.nat(3_000), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(texts, gaps, fc.integer({ min: 1, max: 9_000 }), (said, [before = 0, ...after], pieceSamples) => {
      const parts = said.flatMap((text, i) => [encodeToneSpeech(text), noise(after[i] ?? 0, 300, i + 1)]);
      const line = decodeMuLaw(encodeMuLaw(join(new Int16Array(before), ...parts)));
      expect(listen(line, pieceSamples).texts).toEqual(decodeToneSpeech(line));
    }),
    { numRuns: 25 },
  );
});

test("lost and repeated frames lose text and never make a wrong one", () => {
  const text = "One two three four five six seven eight nine ten. ".repeat(6).trim();
  const samples = encodeToneSpeech(text);
  for (let seed = 0; seed < 12; seed++) {
    const cut = 4_000 + seed * 7_901;
    const line = join(samples.subarray(0, cut), samples.subarray(cut + (seed % 3) * 160 + 77), new Int16Array(4_000));
    for (const heard of listen(line).texts) expect(text).toContain(heard);
  }
});

test("an utterance whose last block is lost is told without a flush, once the block is overdue", () => {
  const samples = encodeToneSpeech("A".repeat(120) + "B".repeat(50));
  const { beforeFlush } = listen(join(samples.subarray(0, 45_000), new Int16Array(20_000)));
  expect(beforeFlush).toEqual(["A".repeat(120)]);
});

test("a text made of what looks like preambles is still told", () => {
  const text = "3f".repeat(200);
  expect(listen(join(encodeToneSpeech(text), new Int16Array(800))).texts).toEqual([text]);
});

test("noise, silence and speech-like sounds tell nothing", () => {
  const chirp = Int16Array.from({ length: 80_000 }, (_, i) => 9_000 * Math.sin(i / 3 + 40 * Math.sin(i / 4_000)));
  for (const sound of [noise(80_000, 20_000, 5), new Int16Array(80_000), chirp]) {
    expect(listen(sound).texts).toEqual([]);
  }
});
