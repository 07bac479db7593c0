import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { resample } from "#src/audio/codec/resample.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import { toneEngine, type Speaker, type SpeechEngine } from "#src/audio/recording/speech-engine.ts";
import { findProgram } from "#src/audio/speech-providers/find-program.ts";
import { withScratchFolder } from "#src/audio/speech-providers/scratch-folder.ts";
import { TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";

const VOICES: Record<Speaker, string> = { ASSISTANT: "slt", USER: "rms" };
/**
 * A phrase takes some 50 ms and a text of 5,000 characters about 5 s, so this is exceeded only when the program hangs.
 */
const TIMEOUT_MS = 20_000;

const run = promisify(execFile);

/** The program flite. `say` returns 8 kHz samples, and rejects when flite cannot say the text or the signal aborts. */
export interface FliteProgram {
  voices: ReadonlySet<string>;
  say(text: string, voice: string, signal?: AbortSignal): Promise<Int16Array>;
}

/**
 * Returns the engine that speaks with flite. It falls back to tones, with a warning, for a text that flite cannot say
 * (another script, a fault, 20 s passed).
 */
export function createFliteEngine(program: FliteProgram, log: Log): SpeechEngine {
  return {
    name: "flite",
    async speak(text, speaker) {
      try {
        return await program.say(text, VOICES[speaker]);
      } catch (error) {
        log.warn("Flite could not say a text, so it is said in tones.", { error: toError(error).message });
        return await toneEngine.speak(text, speaker);
      }
    },
  };
}

/**
 * Finds the program `flite` with the two voices used here; null when it is missing. `searchPath` is a list of folders
 * such as PATH.
 */
export async function findFliteProgram(options: {
  searchPath: string;
  timeoutMs?: number;
}): Promise<FliteProgram | null> {
  const { searchPath, timeoutMs = TIMEOUT_MS } = options;
  const path = findProgram("flite", searchPath);
  const voices = path ? await listVoices(path, timeoutMs) : new Set<string>();
  if (!path || !Object.values(VOICES).every((voice) => voices.has(voice))) return null;
  return { voices, say: (text, voice, signal) => speakWith(path, text, voice, { timeoutMs, signal }) };
}

async function listVoices(program: string, timeoutMs: number): Promise<Set<string>> {
  try {
    const { stdout } = await run(program, ["-lv"], { timeout: timeoutMs, killSignal: "SIGKILL", env: {} });
    return new Set(stdout.split(/\s+/));
  } catch {
    return new Set();
  }
}

/**
 * Runs flite on one text. The text goes through a file that only its owner can read: arguments are visible to everyone
 * on the machine.
 */
async function speakWith(
  program: string,
  text: string,
  voice: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<Int16Array> {
  const words = toAscii(text);
  if (!/[a-z0-9]/i.test(words)) throw new Error("The text has no letters or digits of the Latin script.");
  return withScratchFolder(async (folder) => {
    const textFile = join(folder, "text");
    const wavFile = join(folder, "speech.wav");
    await writeFile(textFile, words, { mode: 0o600 });
    const args = ["-voice", voice, "-f", textFile, "-o", wavFile];
    await run(program, args, { timeout: timeoutMs, killSignal: "SIGKILL", env: {}, signal });
    return readSpeech(await readFile(wavFile));
  });
}

function readSpeech(file: Buffer): Int16Array {
  const wav = parseWav(file);
  const samples = wav.channels[0];
  if (!samples || samples.length === 0) throw new Error("Flite gave no sound.");
  return resample(samples, wav.sampleRateHz, TONE_RATE_HZ);
}

/**
 * Converts a text to ASCII, which is all that flite reads: accents are dropped, and characters without a Latin form
 * become spaces.
 */
function toAscii(text: string): string {
  return text
    .replaceAll("ß", "ss")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[–—]/g, ", ")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\x20-\x7e]+/g, " ");
}
