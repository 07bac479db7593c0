import { expect, it } from "vitest";
import { isComposing } from "./composing.ts";

it.each([
  ["Enter alone", { isComposing: false, keyCode: 13 }, false],
  ["Enter that ends a composition in Chromium and Firefox", { isComposing: true, keyCode: 229 }, true],
  ["Enter that ends a composition in Safari", { isComposing: false, keyCode: 229 }, true],
])("%s", (_name, event, expected) => expect(isComposing(event)).toBe(expected));
