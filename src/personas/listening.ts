import { RE2JS } from "re2js";
import { wholeWords } from "#src/models/scripted/words.ts";
import type { Listened } from "./persona-schema.ts";

/** More of a text than this is not searched. */
const LONGEST_SEARCHED = 10_000;

/** A check whether a text holds what is listened for. Patterns are RE2, so no text makes them slow; throws for a bad one. */
export function createListener(listened: Listened): (text: string) => boolean {
  if (typeof listened === "object" && !Array.isArray(listened)) {
    const pattern = RE2JS.compile(listened.matches);
    return (text) => pattern.matcher(text.slice(0, LONGEST_SEARCHED)).find();
  }
  const words = [listened].flat().map((word) => word.trim().replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const pattern = wholeWords(words.join("|"));
  return (text) => pattern.test(text.slice(0, LONGEST_SEARCHED));
}
