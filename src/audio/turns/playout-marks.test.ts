import { expect, test } from "vitest";
import { PlayoutMarks } from "./playout-marks.ts";

const SECOND = 8_000;

function twoSentences(): PlayoutMarks {
  const marks = new PlayoutMarks();
  marks.add("Good morning. ", SECOND);
  marks.add("How may I help you?", SECOND);
  marks.extend(SECOND);
  return marks;
}

test.each([
  [0, ""],
  [200, ""],
  [600, "Good"],
  [1_000, "Good morning."],
  [1_500, "Good morning. How"],
  [2_000, "Good morning. How may I"],
  [2_900, "Good morning. How may I help"],
  [3_000, "Good morning. How may I help you?"],
  [60_000, "Good morning. How may I help you?"],
])("after %i ms of three seconds, %j was heard", (playedMs, heard) => {
  expect(twoSentences().textHeard(playedMs)).toBe(heard);
});

test("nothing is heard of an utterance without sound", () => {
  const marks = new PlayoutMarks();
  marks.extend(SECOND);
  expect(marks.textHeard(1_000)).toBe("");
});
