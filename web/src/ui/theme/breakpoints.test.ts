import { DEFAULT_THEME } from "@mantine/core";
import { expect, test } from "vitest";
import { BREAKPOINTS, resolveBreakpoints } from "./breakpoints.ts";

test("a range ends right below the width at which components change", () => {
  expect(resolveBreakpoints("@media (--below-sm) { a { b: c } }")).toBe("@media (max-width: 47.99em) { a { b: c } }");
  expect(() => resolveBreakpoints("@media (--below-tablet) {}")).toThrow("(--below-tablet)");
  const { laptop: _, ...shared } = BREAKPOINTS;
  const texts = Object.entries(shared).map(([name, width]) => [name, `${width}em`]);
  expect(DEFAULT_THEME.breakpoints).toMatchObject(Object.fromEntries(texts));
});
