import { expect, test } from "vitest";
import { Speech } from "./speech.ts";
import type { TranscribedLine } from "./transcribed-line.ts";

/** Opens a speech on a line that says every part until it is released. */
function openSpeech() {
  const said: string[] = [];
  const playing = Promise.withResolvers<void>();
  const line: Pick<TranscribedLine, "say" | "elapsedMs" | "prepare"> = {
    prepare: undefined,
    elapsedMs: () => 0,
    async say(words) {
      said.push(words);
      await playing.promise;
      return { heard: words, startMs: 0, endMs: 0, interrupted: false, hungUp: false };
    },
  };
  const options = { citations: [], untilMs: Number.POSITIVE_INFINITY, isText: false };
  const speech = new Speech(line as TranscribedLine, options, () => undefined);
  return { speech, said, release: () => playing.resolve() };
}

test("a sentence of marks only says nothing, and the line counts as quiet until words follow", async () => {
  const { speech, said, release } = openSpeech();
  speech.add("![](chart.png!) ");
  await expect.poll(() => speech.quietMs).toBeGreaterThan(0);
  expect(said).toEqual([]);
  speech.add("Here it is. ");
  await expect.poll(() => said).toEqual(["Here it is."]);
  expect(speech.quietMs).toBe(0);
  release();
  expect(await speech.end()).toBeNull();
  await expect.poll(() => speech.quietMs).toBeGreaterThan(0);
});

test.each([
  ["今天很好。我们", "今天很好。"],
  ["您来吗？「好！」然后", "您来吗？「好！」"],
  ["The price is 3.5", ""],
  ["Well... then. And", "Well... then."],
])("of %j so far, %j is said: a full-width mark ends a sentence without a space", async (soFar, first) => {
  const { speech, said, release } = openSpeech();
  speech.add(soFar);
  await expect.poll(() => said).toEqual(first === "" ? [] : [first]);
  release();
  await speech.end();
  expect(said.join(" ").replaceAll(" ", "")).toBe(soFar.replaceAll(" ", ""));
});
