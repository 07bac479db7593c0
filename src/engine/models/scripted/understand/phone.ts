import type { Lexicon } from "#src/engine/models/scripted/lexicon-shape.ts";
import { wholeWords } from "#src/engine/models/scripted/words.ts";
import { parseWords } from "./number.ts";

const WRITTEN = /\+?\d[\d\s()./-]{5,25}\d/;
const PLAUSIBLE = /^\+?\d{7,15}$/;

const TAIL = wholeWords(
  "last (?:\\p{L}{3,5} |\\d )?(?:digits?|numbers?|figures?)|(?:letzten?|hinteren) (?:\\p{L}{3,6} )?(?:ziffern?|zahlen?|stellen?)|últim[oa]s? (?:\\p{L}{3,6} )?(?:dígitos?|números?|cifras?)|(?:\\p{L}{4,6} )?derniers? (?:chiffres?|numéros?)|sista (?:\\p{L}{2,4} )?(?:siffran|siffrorna|siffror)",
);

/** Digits that are said again alone: the last ones are meant. The whole number is read back then. */
const MAX_TAIL = 4;
const AT_END = wholeWords("(?:at|in) the end|am (?:ende|schluss)|hinten|al final|à la fin|(?:på|i) slutet");

/** Returns a number with its last digits replaced: "the last three digits are one two four". */
export function patchPhone(known: string, text: string, lexicon: Lexicon): string | undefined {
  const tail = TAIL.exec(text);
  const end = AT_END.exec(text);
  const said = tail ? text.slice(tail.index + tail[0].length) : text.slice(0, end?.index);
  const [run = ""] = spokenRuns(said, lexicon).filter((digits) => digits !== "");
  if (!tail && !end && (run.length < 2 || run.length > MAX_TAIL)) return undefined;
  return run === "" || run.length >= known.length ? undefined : known.slice(0, -run.length) + run;
}

/** Returns a telephone number, in digits, or spoken digit by digit or in pairs; undefined when there is none. */
export function parsePhone(text: string, lexicon: Lexicon): string | undefined {
  const written = WRITTEN.exec(text)?.[0].replaceAll(/[^\d+]/g, "");
  const spoken = spokenRuns(text, lexicon).toSorted((a, b) => b.length - a.length)[0] ?? "";
  const isSpoken = PLAUSIBLE.test(spoken) && spoken.length > (written?.length ?? 0);
  if (written !== undefined && PLAUSIBLE.test(written) && !isSpoken) return written;
  return isSpoken ? spoken : undefined;
}

/**
 * Returns a code of digits that the field accepts ("four two oh nine"); undefined when there is none, or when letters
 * would be accepted as well.
 */
export function parseCode(text: string, lexicon: Lexicon, accepts: (code: string) => boolean): string | undefined {
  return spokenRuns(text, lexicon).find((run) => run !== "" && accepts(run) && !accepts(run.replaceAll(/\d/g, "a")));
}

/** Returns every run of words that are digits, as digits. */
function spokenRuns(text: string, lexicon: Lexicon): string[] {
  const runs: string[] = [""];
  let times = 1;
  let tens = 0;
  const spoken = text.toLowerCase().replaceAll(/(?<=double|triple|treble|doppel)-/g, " ");
  for (const word of spoken.match(/\+|[\p{L}\p{N}'-]+/gu) ?? []) {
    if (/^(?:hundred|hundert)$/.test(word) && /[1-9]$/.test(runs.at(-1) ?? "")) {
      runs[runs.length - 1] += "00";
      continue;
    }
    if (lexicon.twice.includes(word) || lexicon.thrice.includes(word)) {
      times = lexicon.twice.includes(word) ? 2 : 3;
      continue;
    }
    const digits = digitsOf(word, lexicon);
    const run = runs.length - 1;
    if (digits === undefined) {
      if (lexicon.numberJoiners.includes(word)) continue;
      if (runs[run] !== "") runs.push("");
      tens = 0;
    } else if (digits === "+") runs[run] = "+";
    else if (tens > 0 && /^[1-9]$/.test(digits)) {
      // "Forty six" is one pair in two words.
      runs[run] = `${runs[run]?.slice(0, -2)}${tens + Number(digits)}`;
      tens = 0;
    } else {
      runs[run] += digits.repeat(times);
      tens = times === 1 && /^[2-9]0$/.test(digits) && !/^\d/.test(word) ? Number(digits) : 0;
    }
    times = 1;
  }
  return runs;
}

function digitsOf(word: string, lexicon: Lexicon): string | undefined {
  if (word === "+") return "+";
  if (/^\d+$/.test(word)) return word;
  if (Object.hasOwn(lexicon.phoneWords, word)) return lexicon.phoneWords[word];
  const tokens = word.split("-");
  const value = parseWords(tokens, lexicon);
  const isAllNumber = tokens.every(
    (token) => parseWords([token], lexicon) !== undefined || lexicon.numberJoiners.includes(token),
  );
  return value === undefined || !isAllNumber || value > 999 ? undefined : String(value);
}
