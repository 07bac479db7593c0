import { execFile } from "node:child_process";
import { accessSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { resample } from "#src/audio/codec/resample.ts";
import { findProgram } from "#src/audio/speech-providers/find-program.ts";
import { withScratchFolder } from "#src/audio/speech-providers/scratch-folder.ts";
import { type Grammar, SOUND_WORDS } from "./grammar.ts";

const PROGRAM = "pocketsphinx_batch";
/** An utterance of 3 s takes 0.25 s with a grammar's own dictionary. */
const TIMEOUT_MS = 8_000;
/** Sample rate of the acoustic model. */
const MODEL_RATE_HZ = 16_000;

const END_SAMPLES = 0.2 * VOICE_RATE_HZ;
const MAX_WORDS = 5_000;
/**
 * Penalty of one more word. Measured with bench/spoken.ts: at 0.65, the program's default, answers become sounds; below
 * 0.05 other speech becomes an answer.
 */
const WORD_PENALTY = "0.1";
const SOUNDS = [...SOUND_WORDS].map(([word, sound]) => `${word} ${sound}\n`).join("");
/** Filler words before an answer; sound before it is often taken for one. */
const FILLERS = /^(?:(?:uh|um|well|so) )+(?=.)/;

const run = promisify(execFile);

/** The program pocketsphinx with its English model. */
export interface Sphinx {
  isKnown(word: string): boolean;
  /**
   * Returns the words of the grammar that were said, or "" for none or others. Rejects when the program fails or the
   * signal aborts.
   */
  hear(samples: Int16Array, grammar: Grammar, signal: AbortSignal): Promise<string>;
}

/** Finds pocketsphinx with its English model next to it, as packages install both; null when it is missing. */
export async function findSphinx(options: { searchPath: string; timeoutMs?: number }): Promise<Sphinx | null> {
  const program = findProgram(PROGRAM, options.searchPath);
  if (!program) return null;
  const folder = join(dirname(dirname(program)), "share", "pocketsphinx", "model", "en-us");
  const model = join(folder, "en-us");
  try {
    const file = join(folder, "cmudict-en-us.dict");
    for (const path of [join(model, "mdef"), file]) accessSync(path);
    const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    await tryProgram(program, model, timeoutMs);
    let opened: Dictionary | undefined;
    // 3 MB, which take 3 ms at the first word of a call instead of each start.
    const dictionary: Dictionary = (word) => (opened ??= createDictionary(readFileSync(file, "latin1")))(word);
    return {
      isKnown: (word) => dictionary(word) !== "",
      hear: (samples, grammar, signal) => hearWith({ program, model, dictionary, timeoutMs, signal }, samples, grammar),
    };
  } catch {
    return null;
  }
}

interface Hearing {
  program: string;
  model: string;
  dictionary: Dictionary;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Rejects for a program that is found and cannot run, because it lacks a library, or cannot read its model. It listens to
 * nothing for an empty list of words: that needs no files, and not the language model, whose reading takes 80 ms.
 */
async function tryProgram(program: string, model: string, timeoutMs: number): Promise<void> {
  const nothing = ["dict", "kws", "ctl", "logfn"].flatMap((name) => [`-${name}`, "/dev/null"]);
  const args = ["-hmm", model, ...nothing];
  await run(program, args, { timeout: timeoutMs, killSignal: "SIGKILL", env: {} });
}

/** Runs one process for one utterance, with files that only their owner can read: arguments are visible to everyone. */
async function hearWith(hearing: Hearing, samples: Int16Array, { jsgf, words }: Grammar): Promise<string> {
  const { program, model, dictionary, timeoutMs, signal } = hearing;
  return withScratchFolder(async (folder) => {
    const file = (name: string) => join(folder, name);
    const write = (name: string, content: string | Uint8Array) => writeFile(file(name), content, { mode: 0o600 });
    await Promise.all([
      write("said.raw", toBytes(resample(withEnd(samples), VOICE_RATE_HZ, MODEL_RATE_HZ))),
      write("answer.gram", jsgf),
      write("answer.dict", words.map(dictionary).join("") + SOUNDS),
      write("files", "said\n"),
    ]);
    const options = {
      hmm: model,
      dict: file("answer.dict"),
      jsgf: file("answer.gram"),
      ctl: file("files"),
      cepdir: folder,
      cepext: ".raw",
      adcin: "yes",
      wip: WORD_PENALTY,
      samprate: `${MODEL_RATE_HZ}`,
      hyp: file("heard"),
      logfn: "/dev/null",
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`-${name}`, value]);
    await run(program, args, { timeout: timeoutMs, killSignal: "SIGKILL", env: {}, signal });
    return readHypothesis(await readFile(file("heard"), "latin1"));
  });
}

/** Appends silence: a word at the very end of the audio is missed, and the silence after it varies with the line. */
function withEnd(samples: Int16Array): Int16Array {
  const longer = new Int16Array(samples.length + END_SAMPLES);
  longer.set(samples);
  return longer;
}

function toBytes(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let i = 0; i < samples.length; i++) bytes.writeInt16LE(samples[i] as number, i * 2);
  return bytes;
}

/** Returns a word's lines: its own, and its other pronunciations as "word(2)"; empty for an unknown word. */
type Dictionary = (word: string) => string;

/** Creates a dictionary that caches its look-ups: a word takes a fifth of a millisecond, and the same few recur. */
function createDictionary(file: string): Dictionary {
  // Lines such as "read(2) R IY D"; the line end before the first makes all of them alike.
  const dictionary = `\n${file}`;
  const known = new Map<string, string>();
  const sections = new Map<string, number>();
  // Words of one letter are adjacent, so most of 3 MB is skipped; none of them precedes the first.
  const sectionOf = (letter: string) => {
    const start = sections.get(letter) ?? dictionary.indexOf(`\n${letter}`);
    sections.set(letter, start);
    return start;
  };
  return (word) => {
    const lines = known.get(word) ?? pronounce(dictionary, word, sectionOf(word.charAt(0)));
    if (known.size < MAX_WORDS) known.set(word, lines);
    return lines;
  };
}

function pronounce(dictionary: string, word: string, section: number): string {
  const first = section < 0 ? -1 : dictionary.indexOf(`\n${word} `, section);
  let lines = "";
  for (let at = first; at >= 0;) {
    const end = dictionary.indexOf("\n", at + 1);
    lines += `${dictionary.slice(at + 1, end < 0 ? undefined : end)}\n`;
    at = end >= 0 && dictionary.startsWith(`${word}(`, end + 1) ? end : -1;
  }
  return lines;
}

/** Reads a line such as "yes please (said -2345)"; a line with sounds is speech outside the grammar. */
function readHypothesis(line: string): string {
  const words = line.replace(/\(said -?\d+\)\s*$/, "").replaceAll(/\s+/g, " ");
  if (words.split(" ").some((word) => SOUND_WORDS.has(word))) return "";
  return words.trim().replace(FILLERS, "");
}
