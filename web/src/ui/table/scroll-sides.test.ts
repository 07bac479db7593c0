import { expect, it } from "vitest";
import { sidesWithMore } from "./scroll-sides.ts";

it.each([
  [0, 400, 400, ""],
  [0, 400.6, 400, ""],
  [0, 700, 400, "right"],
  [120, 700, 400, "left right"],
  [299.5, 700, 400, "left"],
])("scrolled by %d of %d in %d has more on: %s", (scrollLeft, scrollWidth, clientWidth, sides) => {
  expect(sidesWithMore({ scrollLeft, scrollWidth, clientWidth })).toBe(sides);
});
