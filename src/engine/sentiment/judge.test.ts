import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { judgeSentiment, Mood, type Tone } from "./judge.ts";

const FOLDER = new URL("held-out/", import.meta.url);
const SIGNS: Record<string, Tone> = { "!": "ANGRY", "-": "NEGATIVE", "=": "NEUTRAL", "+": "POSITIVE" };

/** Reads the sentences of a language, each with the tone that its sign stands for. */
function read(file: string): { text: string; tone: Tone }[] {
  const lines = readFileSync(new URL(file, FOLDER), "utf8").trim().split("\n");
  return lines.map((line) => ({ text: line.slice(2), tone: SIGNS[line.charAt(0)] as Tone }));
}

describe.each(readdirSync(FOLDER))("held-out sentences of %s", (file) => {
  const own = file.slice(0, 2);
  const judged = (usual: string) => read(file).map((one) => ({ ...one, found: judgeSentiment(one.text, usual).tone }));
  const share = (found: { tone: Tone; found: Tone }[]) =>
    found.filter((one) => one.tone === one.found).length / found.length;

  it("are judged right, nine in ten of each tone", () => {
    for (const tone of Object.values(SIGNS)) {
      const all = judged(own).filter((one) => one.tone === tone);
      const missed = all.filter(({ found }) => found !== tone).map(({ text, found }) => `${found}: ${text}`);
      expect(share(all), missed.join("\n")).toBeGreaterThanOrEqual(0.9);
    }
  });

  it("never call somebody angry who is not", () => {
    const wronged = judged(own).filter(({ tone, found }) => found === "ANGRY" && tone !== "ANGRY");
    expect(wronged).toEqual([]);
  });

  it("are mostly judged right in a conversation planned in another language, and nobody is wronged", () => {
    const elsewhere = judged(own === "en" ? "sv-SE" : "en-US");
    expect(share(elsewhere)).toBeGreaterThan(0.8);
    expect(elsewhere.filter(({ tone, found }) => found === "ANGRY" && tone !== "ANGRY")).toEqual([]);
  });
});

test.each([
  ["", "NEUTRAL"],
  ["\u0000\ud800", "NEUTRAL"],
  ["not good. Terrible, really terrible", "ANGRY"],
  ["I am not happy", "NEGATIVE"],
  ["no. happy to help", "POSITIVE"],
  ["This is not terrible", "NEUTRAL"],
  ["good ".repeat(20_000), "POSITIVE"],
  ["not never no don t ".repeat(5_000), "NEUTRAL"],
])("%j is %s", (text, tone) => {
  expect(judgeSentiment(text.slice(0, 60_000)).tone).toBe(tone);
});

test("an utterance is judged once, however often it is asked about", () => {
  expect(judgeSentiment("I am so angry")).toBe(judgeSentiment("I am so angry"));
});

test("a mood follows the latest words, and forgets", () => {
  const mood = new Mood();
  const after = (text: string) => {
    mood.hear(text, "en-US");
    return mood.tone;
  };
  expect(after("Yes, Tuesday")).toBe("NEUTRAL");
  expect(after("I am fed up with you")).toBe("ANGRY");
  expect(after("Fine, at ten")).toBe("NEGATIVE");
  expect(after("Wonderful, thank you so much")).not.toBe("NEGATIVE");
  expect(after("That is perfect, I love it")).toBe("POSITIVE");
});
