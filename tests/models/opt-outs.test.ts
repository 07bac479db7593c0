import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judgeOptOut, readOptOutAnswer } from "#src/engine/opt-out/judge.ts";
import { digestOf, readBlind, readSentences, type Sentence } from "../kit/opt-outs/sentences.ts";

const blind = readBlind();

/** Returns the share of these sentences with one of the verdicts. */
function share(sentences: readonly Sentence[], ...verdicts: string[]): number {
  const found = sentences.filter(({ text, language }) => verdicts.includes(judgeOptOut(text, language).verdict));
  return found.length / sentences.length;
}

const bySign = (sign: Sentence["sign"]) => blind.filter((sentence) => sentence.sign === sign);

test("of opt-outs in words that nobody has prepared, nearly all are heard", () => {
  expect(share(bySign("+"), "CERTAIN", "UNCERTAIN")).toBeGreaterThan(0.97);
});

test("of what only sounds like an opt-out, hardly anything lists a number, and little is asked about", () => {
  expect(share(bySign("-"), "CERTAIN")).toBeLessThan(0.01);
  expect(share(bySign("-"), "UNCERTAIN")).toBeLessThan(0.1);
});

test("of ordinary talk, a turn in four hundred at most is asked about, and none lists a number", () => {
  expect(bySign("o").length).toBeGreaterThan(2_500);
  expect(share(bySign("o"), "UNCERTAIN")).toBeLessThan(1 / 400);
  expect(share(bySign("o"), "CERTAIN")).toBe(0);
});

test("a wish in the middle of a long speech is heard", () => {
  const talk = "and then we drove to the market and bought apples and pears for the cake of my aunt ".repeat(4);
  expect(
    judgeOptOut(`${talk} please make this the very last time that my phone rings because of you ${talk}`, "en").verdict,
  ).toBe("UNCERTAIN");
});

test("the weights are learnt from the sentences as they are", () => {
  const bytes = readFileSync(new URL("../../src/engine/opt-out/weights.bin", import.meta.url));
  // Otherwise run `node tests/kit/opt-outs/learn.ts`.
  expect(bytes.subarray(-32).toString("hex")).toBe(digestOf(readSentences()).toString("hex"));
});

/** Answers to the question whether contact should end, by people who had seen neither patterns nor sentences. */
test("an answer to the question ends contact where the person wants that, and hardly ever otherwise", () => {
  const read = (sign: "y" | "n") => bySign(sign).map(({ text, language }) => readOptOutAnswer(text, language));
  const count = (answers: (boolean | null)[], wanted: boolean | null) => answers.filter((one) => one === wanted).length;
  const [yes, no] = [read("y"), read("n")];
  expect([yes.length, no.length]).toEqual([150, 150]);
  expect(count(yes, true)).toBeGreaterThanOrEqual(136);
  expect(count(yes, false)).toBeLessThanOrEqual(2);
  expect(count(no, true)).toBeLessThanOrEqual(3);
  expect(count(no, false)).toBeGreaterThanOrEqual(125);
});
