import { findTranslation } from "./catalogue.ts";
import { LANGUAGE, LOCALE } from "./language.ts";

/** Value that a message shows. */
export type Value = string | number;

const messages = new WeakMap<TemplateStringsArray, string>();
const plurals = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE);

/**
 * Returns a text in the page's language: t`Call ${name}?` is the message `Call {0}?` of the catalogue. A word that stands
 * for several things says which, in brackets that nobody sees: t`[verb] Call`.
 */
export function t(strings: TemplateStringsArray, ...values: Value[]): string {
  return fill(translateTemplate(strings), values);
}

/**
 * Returns the text for a count in the page's language. `{n}` stands for the count, as the language writes it, `{0}` for
 * the first of the other values.
 */
export function plural(count: number, one: string, other: string, ...values: Value[]): string {
  const form = plurals.select(count);
  const known = findTranslation(`${one}|${other}`);
  const english = form === "one" ? one : other;
  const text = known === null || typeof known === "string" ? english : (known[form] ?? known.other);
  return fill(text, values).replaceAll("{n}", numbers.format(count));
}

/** Marks the messages that are names of constants: `Open` as a state is another word than `Open` on a button. */
export const NAME_MARK = "[name] ";

/** Returns the translation of a constant's English name, which is known at run time only, or that name. */
export function translateName(name: string): string {
  const known = findTranslation(NAME_MARK + name);
  return typeof known === "string" ? known : name;
}

/** Returns the translation of a template's message, with the places of its values. */
export function translateTemplate(strings: TemplateStringsArray): string {
  const text = messages.get(strings);
  if (text !== undefined) return text;
  const message = messageOf(strings);
  const known = findTranslation(message);
  const found = typeof known === "string" ? known : message.replace(/^\[\w+\] /, "");
  messages.set(strings, found);
  return found;
}

/** Returns the message of a template: its text, with `{0}` for the first value. */
export function messageOf(strings: readonly string[]): string {
  return strings.reduce((text, part, i) => `${text}{${i - 1}}${part}`);
}

function fill(text: string, values: Value[]): string {
  return values.length === 0
    ? text
    : text.replaceAll(/\{(\d)\}/g, (place, i: string) => String(values[Number(i)] ?? place));
}

/** Returns a label as it is written within a sentence: without its capital letter, which German nouns keep. */
export function inSentence(label: string): string {
  return LANGUAGE === "de" ? label : label.toLowerCase();
}
