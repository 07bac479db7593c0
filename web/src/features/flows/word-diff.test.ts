import { expect, it } from "vitest";
import { diffWords } from "./word-diff.ts";

const changed = (parts: { text: string; isChanged: boolean }[] = []) =>
  parts.filter(({ isChanged }) => isChanged).map(({ text }) => text.trim());
const whole = (parts: { text: string }[] = []) => parts.map(({ text }) => text).join("");

it("marks the words that went and came, and nothing else", () => {
  const [before, after] = ["You call about the appointment on Monday.", "You call about an appointment on Tuesday."];
  const words = diffWords(before, after);
  expect([changed(words?.before), changed(words?.after)]).toEqual([
    ["the", "Monday"],
    ["an", "Tuesday"],
  ]);
  expect([whole(words?.before), whole(words?.after)]).toEqual([before, after]);
});

it("finds few changes in a prompt of thousands of words", () => {
  const text = Array.from({ length: 8_000 }, (_, i) => `word${i}`);
  const before = ["Start", ...text, "end"].join(" ");
  const after = ["Begin", ...text.slice(0, 4_000), "new", ...text.slice(4_000), "finish"].join(" ");
  const words = diffWords(before, after);
  expect([changed(words?.before), changed(words?.after)]).toEqual([
    ["Start", "end"],
    ["Begin", "new", "finish"],
  ]);
});

it("leaves lines whole that have little in common", () => {
  expect(diffWords("Greet the person by name.", "Never sell anything, to nobody")).toBeUndefined();
  expect(diffWords("", "All of it is new")).toBeUndefined();
  const letters = (from: string) => Array.from({ length: 1_000 }, (_, i) => `${from}${i}`).join(" ");
  expect(diffWords(letters("a"), letters("b"))).toBeUndefined();
});

it("keeps both texts whole, whatever changed", () => {
  const words = ["a", "b", " ", ",", "c"];
  for (let seed = 0; seed < 200; seed++) {
    const make = (factor: number) => Array.from({ length: 12 }, (_, i) => words[(seed * factor + i * i) % 5]).join("");
    const found = diffWords(make(3), make(7));
    if (!found) continue;
    expect([whole(found.before), whole(found.after)]).toEqual([make(3), make(7)]);
    const same = ({ before, after }: typeof found) =>
      [before, after].map((parts) => whole(parts.filter(({ isChanged }) => !isChanged)));
    expect(same(found)[0]).toBe(same(found)[1]);
  }
});
