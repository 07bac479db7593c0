import { expect, test } from "vitest";
import { PickupGreetings } from "./pickup-greetings.ts";

test("a greeting is before our first sound, whatever is said later, and is taken once", () => {
  const greetings = new PickupGreetings();
  const hello = { text: "Hello?", startMs: 100, endMs: 400 };
  expect(greetings.isBeforeFirstSound(hello)).toBe(true);
  greetings.noteSound(500);
  greetings.noteSound(9_000);
  expect(greetings.isBeforeFirstSound(hello)).toBe(true);
  expect(greetings.isBeforeFirstSound({ ...hello, endMs: 501 })).toBe(false);
  greetings.add(hello);
  expect(greetings.take()).toEqual([hello]);
  expect(greetings.take()).toEqual([]);
});
