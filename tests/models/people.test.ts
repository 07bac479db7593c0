import { expect, test } from "vitest";
import { hearAnswer, meant, readAnswers } from "../kit/dialogues/people/answers.ts";
import type { Person } from "../kit/dialogues/people/person.ts";
import { isListed, measurePeople, readRows, type Wish } from "../kit/dialogues/people/shares.ts";

const PEOPLE = new URL("../kit/dialogues/people/", import.meta.url);
const MOST_MISSED = 12;
const MOST_WRONG = 0;

/**
 * People in five languages, written by authors who had not read the code. `known`, 650 of them, were used to improve the
 * scripted model; `held-out`, 250, were not, and two loops that they found were mended. The floors are what was
 * measured: raise them, never lower them. `node tests/kit/dialogues/people/measure.ts FILE` measures other people.
 */
test.each([
  ["known", { right: 98.5, wrong: 0.5, needless: 2 }],
  ["held-out", { right: 78, wrong: 9.6, needless: 19 }],
])("the scripted model understands the people of %s as well as it once did", async (name, floor) => {
  const { shares } = await measurePeople(readRows<Person>(new URL(`${name}.jsonl`, PEOPLE)));
  expect(shares.loops).toBe(0);
  expect(shares.right).toBeGreaterThanOrEqual(floor.right);
  expect(shares.wrong).toBeLessThanOrEqual(floor.wrong);
  expect(shares.needless).toBeLessThanOrEqual(floor.needless);
});

/** Sentences in twelve languages; who is asked back says the same again. */
test.each([
  ["opt-outs", { missed: 0, listed: 0 }],
  ["held-out-wishes", { missed: 7, listed: 1 }],
])("wishes for no more contact in %s list the number, and what looks alike does not", async (name, most) => {
  const missed: string[] = [];
  const listed: string[] = [];
  for (const wish of readRows<Wish>(new URL(`${name}.jsonl`, PEOPLE))) {
    const isOut = await isListed(wish);
    if (wish.kind === "OPT_OUT" && !isOut) missed.push(wish.text);
    if (wish.kind === "NOT" && isOut) listed.push(wish.text);
  }
  expect(missed.slice(most.missed)).toEqual([]);
  expect(listed.slice(most.listed)).toEqual([]);
});

/** Answers to single questions by families of ways to speak, each written before the family was improved. */
test("single answers are understood as well as they once were", () => {
  const answers = readAnswers();
  const missed = answers.filter((answer) => hearAnswer(answer) !== meant(answer));
  const wrong = missed.filter((answer) => hearAnswer(answer) !== "null");
  expect(missed.map(({ say }) => say).slice(MOST_MISSED)).toEqual([]);
  expect(wrong.map(({ say }) => say).slice(MOST_WRONG)).toEqual([]);
});
