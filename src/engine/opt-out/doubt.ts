import { judgeOptOut, languageOfQuestion, readOptOutAnswer } from "./judge.ts";

/**
 * NOT_RECORDED: the person asked for no more contact, and the ledger could not be written. UNANSWERED: they were asked
 * whether contact should end, and gave no clear answer. UNHEEDED: they used words that may mean an opt-out, and the
 * agent did not ask.
 */
export const DOUBT_REASONS = ["NOT_RECORDED", "UNANSWERED", "UNHEEDED"] as const;

/** One stored line of a session. */
export interface SessionLine {
  role: string;
  content: string;
  /** Milliseconds of call time since the answer; absent in chats. */
  startMs?: number;
  /** ISO 8601; absent in calls. */
  at?: string;
}

/** Words of a person that may be an opt-out. */
export interface Quote {
  text: string;
  /** Milliseconds of call time since the answer; null in chats. */
  startMs: number | null;
  /** ISO 8601; null in calls. */
  at: string | null;
}

/** An opt-out that a session left open: it is unclear whether the person may be contacted again. */
export interface OptOutDoubt {
  reason: (typeof DOUBT_REASONS)[number];
  /** ISO 639-1, of the first quote; null where no language was recognised. */
  language: string | null;
  quotes: Quote[];
}

const MAX_QUOTES = 5;
const MAX_CHARACTERS = 500;

/**
 * Searches a whole session for an opt-out without effect; null when there is none. A clear "no" to the question whether
 * contact should end settles all words before it. So does `settled`, the number of lines that the guard has settled.
 * The caller checks whether the number is in the ledger. `usual` is a BCP 47 language.
 */
export function findDoubt(lines: readonly SessionLine[], usual: string, settled = 0): OptOutDoubt | null {
  let words: SessionLine[] = [];
  let language: string | null = null;
  let wasAsked = false;
  let hasFailed = false;
  for (let i = settled; i < lines.length; i++) {
    const line = lines[i] as SessionLine;
    if (line.role === "TOOL") {
      hasFailed = readListing(line.content) ?? hasFailed;
    } else if (line.role === "USER") {
      const judged = judgeOptOut(line.content, usual);
      if (judged.verdict !== "CERTAIN" && judged.verdict !== "UNCERTAIN") continue;
      words.push(line);
      language ??= judged.language;
    } else if (line.role === "ASSISTANT") {
      const asked = languageOfQuestion(line.content);
      if (asked === null) continue;
      wasAsked = true;
      const { from, to } = findAnswers(lines, i + 1);
      const answers = lines.slice(from, to).map(({ content }) => content);
      if (answers.length === 0 || readOptOutAnswer(answers.join(". "), asked) !== false) continue;
      words = [];
      language = null;
      wasAsked = false;
      i = to - 1;
    }
  }
  if (!hasFailed && !wasAsked && words.length === 0) return null;
  const reason = hasFailed ? "NOT_RECORDED" : wasAsked ? "UNANSWERED" : "UNHEEDED";
  return { reason, language, quotes: toQuotes(words.length > 0 ? words : lastSaid(lines)) };
}

/** True when the line reports that the ledger could not be written, false when it was, null for anything else. */
function readListing(content: string): boolean | null {
  if (!content.includes("add_to_do_not_call")) return null;
  const { name, result } = JSON.parse(content) as { name?: unknown; result?: unknown };
  return name === "add_to_do_not_call" ? !String(result).startsWith("ok") : null;
}

/** Returns the range of the person's next lines, up to the next line of another role. */
function findAnswers(lines: readonly SessionLine[], start: number): { from: number; to: number } {
  const from = lines.findIndex(({ role }, i) => i >= start && role === "USER");
  if (from < 0) return { from: lines.length, to: lines.length };
  const to = lines.findIndex(({ role }, i) => i > from && role !== "USER");
  return { from, to: to < 0 ? lines.length : to };
}

function lastSaid(lines: readonly SessionLine[]): SessionLine[] {
  const last = lines.findLast(({ role }) => role === "USER");
  return last ? [last] : [];
}

function toQuotes(lines: readonly SessionLine[]): Quote[] {
  return lines.slice(0, MAX_QUOTES).map(({ content, startMs = null, at = null }) => {
    return { text: content.slice(0, MAX_CHARACTERS).toWellFormed(), startMs, at };
  });
}
