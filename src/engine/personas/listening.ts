import { RE2JS } from "re2js";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import type { Listened } from "./persona-schema.ts";

type Listener = (text: string) => boolean;

/** Length up to which a text is searched. */
const LONGEST_SEARCHED = 10_000;

/**
 * Cached by the object in the file: a file is read once for thousands of personas, and a pattern takes some 250 µs to
 * compile.
 */
const compiled = new WeakMap<object, Listener>();

/**
 * Creates a check whether a text contains the expected words. Patterns are RE2, so no text makes them slow; throws for
 * an invalid one.
 */
export function createListener(listened: Listened): Listener {
  if (typeof listened === "string") return listenForWords([listened]);
  const known = compiled.get(listened);
  if (known) return known;
  const listener = Array.isArray(listened) ? listenForWords(listened) : listenForPattern(listened.matches);
  compiled.set(listened, listener);
  return listener;
}

function listenForPattern(pattern: string): Listener {
  const expression = RE2JS.compile(pattern);
  return (text) => expression.matcher(text.slice(0, LONGEST_SEARCHED)).find();
}

function listenForWords(words: string[]): Listener {
  const escaped = words.map((word) => word.trim().replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const expression = wholeWords(escaped.join("|"));
  return (text) => expression.test(text.slice(0, LONGEST_SEARCHED));
}
