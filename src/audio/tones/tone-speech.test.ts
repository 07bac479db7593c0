import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { countToneSpeechSamples, decodeToneSpeech, encodeToneSpeech } from "./tone-speech.ts";

const TEXTS = [
  "a",
  "Yes.",
  "Hello, this is the Riverside practice. Would Tuesday at half past nine suit you?",
  "Grüße aus Köln, straße 12: 45,50 €",
  "はい、火曜日でお願いします。",
  "مرحبا, как дела?",
  "👩‍👩‍👧‍👦 🇨🇭 👍🏽 done",
  "\uFEFFmark first, then\ttab\nand NUL \0 inside",
  "x".repeat(1_000),
  "né 🙂 ".repeat(200),
];

/** A small generator, so that noise and positions are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function placeAt(speech: Int16Array, offset: number, tail = 777): Int16Array {
  const line = new Int16Array(offset + speech.length + tail);
  line.set(speech, offset);
  return line;
}

function addNoise(samples: Int16Array, peak: number, random: () => number): Int16Array {
  return samples.map((sample) => Math.max(-32_768, Math.min(32_767, sample + (random() + random() - 1) * peak)));
}

function overTheLine(samples: Int16Array): Int16Array {
  return decodeMuLaw(encodeMuLaw(samples));
}

describe("tone speech", () => {
  test.each(TEXTS)("gives %j back", (text) => {
    expect(decodeToneSpeech(encodeToneSpeech(text))).toEqual([text]);
  });

  test("gives any text back from any place, through mu-law and noise of a quarter of its strength", () => {
    const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 });
    const property = fc.property(anyText, fc.nat(400), fc.nat(), (text, offset, seed) => {
      const noisy = addNoise(placeAt(encodeToneSpeech(text), offset), 3_500, createRandom(seed));
      expect(decodeToneSpeech(overTheLine(noisy))).toEqual([text]);
    });
    fc.assert(property, { numRuns: 60, seed: 42 });
  });

  test("is heard at every offset within a symbol, loud and quiet", () => {
    const speech = encodeToneSpeech("Tuesday");
    for (let offset = 0; offset < 80; offset++) {
      expect(decodeToneSpeech(placeAt(speech, offset))).toEqual(["Tuesday"]);
      expect(
        decodeToneSpeech(
          placeAt(
            speech.map((sample) => sample / 16),
            offset,
          ),
        ),
      ).toEqual(["Tuesday"]);
      expect(
        decodeToneSpeech(
          placeAt(
            speech.map((sample) => sample * 4),
            offset,
          ),
        ),
      ).toEqual(["Tuesday"]);
    }
  });

  test("keeps utterances apart, with and without a pause", () => {
    const first = encodeToneSpeech("one ".repeat(90));
    const second = encodeToneSpeech("two");
    const line = new Int16Array(first.length + second.length * 2 + 4_000);
    line.set(first, 0);
    line.set(second, first.length);
    line.set(second, first.length + second.length + 3_333);
    expect(decodeToneSpeech(line)).toEqual(["one ".repeat(90), "two", "two"]);
  });

  test("loses text but never gives a wrong one when parts of the line are missing", () => {
    const random = createRandom(7);
    const text = Array.from({ length: 120 }, (_, i) => `word${i}`).join(" ");
    let heardWhole = 0;
    for (let run = 0; run < 30; run++) {
      const line = encodeToneSpeech(text);
      for (let at = 0; at + 160 <= line.length; at += 160) if (random() < 0.002) line.fill(0, at, at + 160);
      const heard = decodeToneSpeech(line);
      let from = 0;
      for (const part of heard) {
        expect(text.indexOf(part, from)).toBeGreaterThanOrEqual(from);
        from = text.indexOf(part, from) + part.length;
      }
      if (heard.join("") === text) heardWhole++;
    }
    expect(heardWhole).toBeLessThan(30);
  });

  test("gives the beginning of an utterance that was cut off", () => {
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(12);
    const line = encodeToneSpeech(text);
    const heard = decodeToneSpeech(line.subarray(0, line.length / 2));
    expect(heard).toHaveLength(1);
    expect(text.startsWith(heard[0] as string)).toBe(true);
    expect((heard[0] as string).length).toBeGreaterThan(100);
  });

  test("hears nothing in silence, noise, a dial tone or nothing at all", () => {
    const random = createRandom(3);
    const noise = Int16Array.from({ length: 80_000 }, () => (random() - 0.5) * 20_000);
    const dialTone = Int16Array.from({ length: 16_000 }, (_, i) => 8_000 * Math.sin((2 * Math.PI * 440 * i) / 8_000));
    for (const samples of [new Int16Array(16_000), noise, dialTone, new Int16Array(0), new Int16Array(50)]) {
      expect(decodeToneSpeech(samples)).toEqual([]);
    }
  });

  test("stays inside the telephone's band and its length is known before", () => {
    for (const text of ["", ...TEXTS]) expect(encodeToneSpeech(text)).toHaveLength(countToneSpeechSamples(text));
    expect(countToneSpeechSamples("")).toBe(0);
    const seconds = countToneSpeechSamples("A sentence of about fifty letters, spoken calmly.") / 8_000;
    expect(seconds).toBeGreaterThan(1.5);
    expect(seconds).toBeLessThan(4);
  });

  test("says half a surrogate pair as the replacement character", () => {
    expect(decodeToneSpeech(encodeToneSpeech("a\ud83d!"))).toEqual(["a\ufffd!"]);
  });
});
