import type { Lexicon } from "./lexicon-shape.ts";
import { toSentences } from "./words.ts";

const MAX_CHARACTERS = 300;
const MAX_SENTENCES = 2;
const MAX_PARTS = 4;
/** Members under which tools put text for people. */
const TELLING = ["message", "text", "summary", "answer", "result", "content", "description", "status"];

/** Returns a sentence or two about a tool's result; empty when it holds nothing to say. */
export function describeResult(content: string, { phrases }: Lexicon): string {
  const text = content.trim();
  if (text.startsWith("failed")) return phrases.toolFailed;
  if (/^(?:started|not done yet)\b/.test(text)) return phrases.toolStarted;
  const reported = toPlainText(parse(text.replace(/^ok(?:: |$)/i, "")), 0)
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return shorten(reported);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toPlainText(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (value === null || typeof value !== "object" || depth > 2) return "";
  if (Array.isArray(value)) {
    const parts = value.slice(0, MAX_PARTS).map((part) => toPlainText(part, depth + 1));
    return parts.filter((part) => part !== "").join(", ");
  }
  const members = Object.entries(value);
  for (const name of TELLING) {
    const reported = toPlainText(members.find(([key]) => key === name)?.[1], depth + 1);
    if (reported !== "") return reported;
  }
  const parts = members.flatMap(([name, member]) => {
    const reported = typeof member === "object" ? "" : toPlainText(member, depth + 1);
    return reported === "" ? [] : [`${name}: ${reported}`];
  });
  return parts.slice(0, MAX_PARTS).join(", ");
}

function shorten(text: string): string {
  if (text === "") return "";
  const sentences = toSentences(text.slice(0, 2 * MAX_CHARACTERS)).slice(0, MAX_SENTENCES);
  const short = sentences.join(" ");
  if (short.length <= MAX_CHARACTERS) return /[.!?…]$/.test(short) ? short : `${short}.`;
  const end = short.lastIndexOf(" ", MAX_CHARACTERS);
  return `${short.slice(0, end > 0 ? end : MAX_CHARACTERS)}…`;
}
