import { inWorkspace, send } from "#web/api/http.ts";
import { toPlainNumber } from "#web/domain/number/written-number.ts";
import { t } from "#web/i18n/t.ts";

/** A number that gets neither calls nor messages. */
export interface DoNotCallEntry {
  number: string;
  source: "STOP_KEYWORD" | "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";
  note: string | null;
  createdAt: string;
}

/** A page of them. */
export interface EntryPage {
  content: DoNotCallEntry[];
  totalElements: number;
  totalIsExact: boolean;
}

/** API path of the do-not-call list. */
export const DO_NOT_CALL_PATH = "/do-not-call";

/** Labels of the reasons why a number is on the list. */
export const SOURCES: Record<DoNotCallEntry["source"], string> = {
  STOP_KEYWORD: t`Wrote STOP`,
  SPOKEN_REFUSAL: t`Asked for it in a call`,
  OPERATOR: t`Added by hand`,
  SANDBOX: t`Sample of the sandbox`,
};

/** Numbers of a pasted text or a file, the first of each line, and the lines without one. */
export interface ReadNumbers {
  numbers: string[];
  bad: { line: number; text: string }[];
}

const E164 = /^\+[1-9]\d{6,14}$/;
/** A plus sign, or 00 that is no part of another figure, such as a year or a number without its country. */
const NUMBER_IN_LINE = /(?:\+|(?<![\w.,:/-])00)[\d\u0020\u00A0\u202F().\p{Dash_Punctuation}\p{Format}/]{7,25}/u;
const SHOWN_OF_A_LINE = 60;

/** Reads a number from each line in any notation; a heading without digits is skipped. */
export function readNumbers(text: string): ReadNumbers {
  const found = new Set<string>();
  const bad: ReadNumbers["bad"] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || (index === 0 && !/\d/.test(trimmed))) continue;
    const number = toPlainNumber(NUMBER_IN_LINE.exec(trimmed)?.[0] ?? "");
    if (E164.test(number)) found.add(number);
    else bad.push({ line: index + 1, text: trimmed.slice(0, SHOWN_OF_A_LINE) });
  }
  return { numbers: [...found], bad };
}

const NUMBERS_A_REQUEST = 10_000;

/** Adds numbers in batches; batches already added stay when a later one fails. */
export async function addNumbers(
  workspaceId: string,
  numbers: string[],
  onProgress: (done: number) => void,
): Promise<void> {
  for (let from = 0; from < numbers.length; from += NUMBERS_A_REQUEST) {
    const part = numbers.slice(from, from + NUMBERS_A_REQUEST);
    await send("POST", inWorkspace(workspaceId, DO_NOT_CALL_PATH), { body: { numbers: part } });
    onProgress(from + part.length);
  }
}
