import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue, Translation } from "../../../../web/src/i18n/keys.ts";
import { collectMessages, type Message } from "./messages.ts";

const FOLDER = join(import.meta.dirname, "../../../../web/src/i18n/catalogues");

/** The languages that have a catalogue. */
export const TRANSLATED = ["de", "es"] as const;

/** Reads the catalogue of a language: translations by English message. */
export function readCatalogue(language: string): Catalogue {
  return JSON.parse(readFileSync(join(FOLDER, `${language}.json`), "utf8")) as Catalogue;
}

/** Brings a catalogue up to date: adds what is missing, untranslated, and drops what no text needs any more. */
export function updateCatalogue(language: string): { added: number; dropped: number } {
  const before = readCatalogue(language);
  const messages = [...collectMessages().values()].toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const after = Object.fromEntries(messages.map((message) => [message.text, before[message.text] ?? toEmpty(message)]));
  writeFileSync(join(FOLDER, `${language}.json`), `${JSON.stringify(after, null, 2)}\n`);
  const added = Object.keys(after).filter((text) => before[text] === undefined).length;
  return { added, dropped: Object.keys(before).length + added - Object.keys(after).length };
}

/** Returns what is wrong with a translation: it is absent or empty, or lost a place or a space. */
export function checkTranslation({ text, isPlural }: Message, translation: Translation | undefined): string[] {
  if (translation === undefined) return ["is missing"];
  if ((typeof translation === "string") === isPlural) return ["has not the forms of its message"];
  const [one = text, other = one] = isPlural ? text.split("|") : [text];
  const forms = typeof translation === "string" ? { other: translation } : translation;
  return Object.entries(forms).flatMap(([form, words]) => compare(form === "one" ? one : other, words));
}

function compare(english: string, words: string): string[] {
  if (words.trim() === "") return ["is empty"];
  const faults: string[] = [];
  if (places(english) !== places(words)) faults.push(`has not the places of “${english}”`);
  if (edges(english) !== edges(words)) faults.push(`begins or ends with another space than “${english}”`);
  return faults;
}

function places(text: string): string {
  return [...new Set(text.match(/\{[\dn]\}/g))].toSorted().join(" ");
}

function edges(text: string): string {
  return `${/^\s*/.exec(text)?.[0]}|${/\s*$/.exec(text)?.[0]}`;
}

function toEmpty({ isPlural }: Message): Translation {
  return isPlural ? { one: "", other: "" } : "";
}
