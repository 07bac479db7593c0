import { expect, test } from "vitest";
import { findAnswer } from "./knowledge.ts";

const FOUND = JSON.stringify([
  {
    title: "Branches",
    headings: ["Vienna"],
    text: "Vienna\n\nThe Vienna branch is in Market Street. It is closed on Wednesdays.",
    score: 1,
  },
  {
    title: "Errors",
    headings: [],
    text: "E47 means that the filter is full.\n\nE12 means that there is no water.",
    score: 0.8,
  },
  {
    title: "Models",
    headings: [],
    text: "| Model | Power | Price |\n|---|---|---|\n| NW-6 | 6 kW | 900 |\n| NW-9 | 16 kW | 1200 |",
    score: 0.7,
  },
  {
    title: "Paying",
    headings: [],
    text: "You can pay in three instalments. There is a discount for paying at once.",
    score: 0.6,
  },
]);

test.each([
  ["Where is the branch in Vienna?", "The Vienna branch is in Market Street. It is closed on Wednesdays."],
  ["What does error E12 mean?", "E12 means that there is no water."],
  ["Which model has 16 kW?", "NW-9, 16 kW, 1200."],
  ["How much is the NW-9 model?", "NW-9, 16 kW, 1200."],
  ["Can I pay in instalments?", "You can pay in three instalments. There is a discount for paying at once."],
  ["Do you have a branch in Berlin?", undefined],
  ["What is error E99?", undefined],
  ["Is the blender dishwasher safe?", undefined],
])("%s", (question, answer) => {
  expect(findAnswer(FOUND, question)).toBe(answer);
});

test("the search's own score decides between sentences that share as much with the question", () => {
  const of = (a: number, b: number) =>
    findAnswer(
      JSON.stringify([
        { title: "", text: "Parking costs two euros an hour in the garage below.", score: a },
        { title: "", text: "Parking costs nothing in the yard behind the house today.", score: b },
      ]),
      "What does parking cost?",
    );
  expect(of(1, 0.5)).toContain("two euros");
  expect(of(0.5, 1)).toContain("nothing");
});
