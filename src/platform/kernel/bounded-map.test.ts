import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("a full map drops what was set longest ago; setting a key again makes it the newest", () => {
  const map = new BoundedMap<string, number>(2).set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});

test("a value is made once, also when it is undefined", () => {
  const map = new BoundedMap<string, undefined>(2);
  let made = 0;
  for (let i = 0; i < 2; i++) map.getOrMake("a", () => void made++);
  expect(made).toBe(1);
});
