import type { Turn } from "#src/engine/conversation/plan.ts";
import { readQuestion } from "#src/engine/personas/question.ts";
import { readExchanges } from "./exchanges.ts";
import { parseJsonText } from "./json-text.ts";
import { PersonalData, type Removed } from "./personal-data.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { capitalsOf, COMMON_WORDS, MOST_NAME_WORDS, readWords } from "./words.ts";

/** A call without personal data, and the counts of removed data. */
export interface CleanedCall {
  call: RecordedCall;
  /** The flow that was sent along with the call; null where there is none. */
  document: object | null;
  removed: Removed[];
  /** Puts the same stand-ins into other words about the call. */
  clean: (text: string) => string;
}

const NAME_KEY = /name|nombre|apellido|vorname|nachname|prenom|prénom|^nom$|namn$/i;
const NAMES_OF_THINGS = /file|user|host|tool|flow|company|product|brand|store/i;
const ADDRESS_KEY =
  /address|street|city|town|zip|postal|postcode|direcci|calle|ciudad|adresse|stra(?:ß|ss)e|stadt|plz|rue|ville|adress|gata|postnummer|postort/i;
const INTRODUCES =
  /(?<!\p{L})(?:my name is|name is|this is|i am|i'm|speaking with|me llamo|mi nombre es|soy|habla|ich heiße|ich heisse|mein name ist|ich bin|hier ist|hier spricht|je m'appelle|mon nom est|je suis|ici|jag heter|mitt namn är|jag är|det är|här är)\s+((?:\p{Lu}[\p{L}\p{M}'’-]*\s?){1,4})/giu;
const MOST_DEPTH = 20;
/** Members of a flow whose texts are written for people; all other texts are words of the service. */
const TEXT_KEYS = new Set(["name", "description", "masterPrompt", "firstMessage", "message", "defaultValue"]);
const TEMPLATE_TAG = /(\{\{.*?\}\}|\{%.*?%\})/s;

/**
 * Returns the call with a stand-in for each personal thing, the same one wherever it occurs. A flow that was sent along
 * with the call may have been written for this person, so it is cleaned as well.
 */
export function cleanCall(call: RecordedCall, vocabulary: string, document: object | null = null): CleanedCall {
  const data = learn(call, vocabulary);
  data.read(JSON.stringify(document));
  const { contact } = call;
  const cleaned: RecordedCall = {
    ...call,
    contact: {
      name: contact.name === null ? null : data.clean(contact.name),
      phone: contact.phone === null ? null : data.clean(contact.phone),
      email: contact.email === null ? null : data.clean(contact.email),
    },
    rowData: data.cleanValue(call.rowData) as Record<string, unknown>,
    contextData: data.cleanValue(call.contextData) as Record<string, unknown>,
    fields: data.cleanValue(call.fields) as Record<string, unknown>,
    outputs: data.cleanValue(call.outputs) as RecordedCall["outputs"],
    transcript: call.transcript.map((turn) => cleanTurn(turn, data)),
  };
  const cleanedDocument = cleanDocument(document, data, 0) as object | null;
  return { call: cleaned, document: cleanedDocument, removed: data.removed, clean: (text) => data.clean(text) };
}

function cleanDocument(value: unknown, data: PersonalData, depth: number): unknown {
  if (value === null || typeof value !== "object") return value;
  if (depth > MOST_DEPTH) return null;
  if (Array.isArray(value)) return value.map((one) => cleanDocument(one, data, depth + 1));
  const entries = Object.entries(value).map(([key, one]): [string, unknown] =>
    typeof one === "string" && TEXT_KEYS.has(key)
      ? [key, cleanTemplate(one, data)]
      : [key, cleanDocument(one, data, depth + 1)],
  );
  return Object.fromEntries(entries);
}

/** Cleans a template outside of its tags, which hold names of variables. */
function cleanTemplate(text: string, data: PersonalData): string {
  const parts = text.split(TEMPLATE_TAG);
  return parts.map((part, i) => (i % 2 === 1 ? part : data.clean(part))).join("");
}

function learn(call: RecordedCall, vocabulary: string): PersonalData {
  const data = new PersonalData(new Date(call.at).getUTCFullYear(), vocabulary);
  const { contact, transcript } = call;
  for (const own of [contact.phone, contact.email]) if (own !== null) data.addOwn(own);
  if (contact.name !== null) data.addName(contact.name);
  for (const value of [call.rowData, call.contextData]) {
    learnByKey(value, data, 0);
    data.addValue(value);
  }
  learnByKey(call.fields, data, 0);
  for (const name of findSpokenNames(transcript)) data.addName(name);
  for (const { content } of transcript) data.read(content);
  data.read(JSON.stringify([call.fields, call.outputs]));
  return data;
}

/** Learns values by their keys: under lastName or street, any value is personal, whatever its form. */
function learnByKey(value: unknown, data: PersonalData, depth: number): void {
  if (value === null || typeof value !== "object" || depth > MOST_DEPTH) return;
  for (const [key, one] of Object.entries(value)) {
    if (typeof one !== "string") learnByKey(one, data, depth + 1);
    else if (NAME_KEY.test(key) && !NAMES_OF_THINGS.test(key)) data.addName(one);
    else if (ADDRESS_KEY.test(key)) data.addValue(one);
  }
}

/** Returns names that people introduced themselves with, or gave when asked for one. */
function findSpokenNames(transcript: readonly Turn[]): string[] {
  return readExchanges(transcript).flatMap(({ asked, said }) => {
    if (said === null) return [];
    const introduced = [...said.matchAll(INTRODUCES)].map((match) => match[1] ?? "");
    const given = readQuestion(asked).kind === "NAME" ? said : "";
    return [...introduced.map(capitalsOf), capitalsOf(given) || plainName(given)].filter((name) => name !== "");
  });
}

/** Returns a text that is nothing but a name, in the form of STT without capitals; empty for any other text. */
function plainName(text: string): string {
  const words = readWords(text);
  const isName =
    words.length > 0 && words.length <= MOST_NAME_WORDS && words.every(({ folded }) => /^\p{L}+$/u.test(folded));
  return isName
    ? words
        .filter(({ folded }) => !COMMON_WORDS.has(folded))
        .map(({ folded }) => folded)
        .join(" ")
    : "";
}

function cleanTurn(turn: Turn, data: PersonalData): Turn {
  const { citations: _citations, latency: _latency, ...plain } = turn;
  if (turn.role !== "TOOL") return { ...plain, content: data.clean(turn.content) };
  try {
    const { name, input, result } = JSON.parse(turn.content) as Record<string, unknown>;
    const reported = { name, input: data.cleanValue(input), result: cleanResult(result, data) };
    return { ...plain, content: JSON.stringify(reported) };
  } catch {
    return { ...plain, content: data.clean(turn.content) };
  }
}

/** Cleans a tool's result. JSON is cleaned value by value, so that it stays JSON. */
function cleanResult(result: unknown, data: PersonalData): unknown {
  const value = typeof result === "string" ? parseJsonText(result) : result;
  return typeof value === "object" ? JSON.stringify(data.cleanValue(value)) : data.cleanValue(result);
}
