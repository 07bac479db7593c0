import { expect, test } from "vitest";
import { answerKeyword, readKeyword } from "./keywords.ts";

test.each([
  ["STOP", "STOP"],
  [" stop. ", "STOP"],
  ["Stop all!", "STOP"],
  ["ARRÊT", "STOP"],
  ["arre\u0302t", "STOP"],
  ["Baja", "STOP"],
  ["Abmelden", "STOP"],
  ["Стоп", "STOP"],
  ["start", "START"],
  ["Alta", "START"],
  ["HELP", "HELP"],
  ["Hilfe?", "HELP"],
  ["stop by at nine", null],
  ["Please help me", null],
  ["constructor", null],
  ["", null],
  [`stop${" ".repeat(200)}`, null],
])("%j is %s", (text, keyword) => {
  expect(readKeyword(text)).toBe(keyword);
});

test("the answer is in the flow's language, English where there is none, and names the sender as it is", () => {
  expect(answerKeyword("STOP", "de-AT", "x")).toContain("abgemeldet");
  expect(answerKeyword("STOP", "fi-FI", "x")).toContain("unsubscribed");
  expect(answerKeyword("HELP", "en-US", "A $& B")).toContain("This is A $& B.");
});
