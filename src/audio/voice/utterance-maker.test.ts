import { expect, test } from "vitest";
import type { Tts } from "#src/audio/tts/tts.ts";
import { UtteranceMaker } from "./utterance-maker.ts";

test("a prepared text is synthesised once when it is said, and stopped when another one is", () => {
  const begun: string[] = [];
  const stopped: string[] = [];
  const tts: Tts = {
    name: "silent",
    async *speak(text, _options, signal) {
      begun.push(text);
      signal.addEventListener("abort", () => stopped.push(text));
      await new Promise(() => undefined);
      yield new Int16Array(0);
    },
  };
  const maker = new UtteranceMaker(tts, { language: "en", voiceId: null });
  maker.prepare("One");
  expect(maker.take("One").text).toBe("One");
  expect(begun).toEqual(["One"]);
  maker.prepare("Two");
  maker.prepare("Three");
  expect(maker.take("Four").text).toBe("Four");
  expect(begun).toEqual(["One", "Two", "Three", "Four"]);
  expect(stopped).toEqual(["Two", "Three"]);
});
