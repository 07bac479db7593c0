import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { resample } from "#src/audio/codec/resample.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import type { Part, RecordingPlan } from "./recordings.ts";
import { mix, noise, RATE_HZ, silence } from "./sounds.ts";

const run = promisify(execFile);
const TAIL_MS = 3_000;
/** Points in an utterance at which STT emits partial words, and the latency of its words. */
const PARTIAL_AT = [0.4, 0.75];
const PARTIAL_LATENCY_MS = 200;
const FINAL_LATENCY_MS = 300;

/** STT event at a time. */
export interface TimedWords {
  atMs: number;
  kind: "PARTIAL" | "FINAL";
  text: string;
}

/** A recording as it was made: the person's audio, and what is needed to judge the decisions on it. */
export interface MadeRecording {
  plan: RecordingPlan;
  samples: Int16Array;
  /** Words of an STT that hears everything right. */
  words: TimedWords[];
  /** End of the last speech of each part. */
  speechEndsMs: number[];
  /** End of the voicemail's beep; null without one. */
  beepEndMs: number | null;
  agent: { samples: Int16Array; atMs: number; echo: number } | null;
}

/** Speaks a text at 8 kHz, without the silence around it. */
export type Speak = (text: string, voice: string) => Promise<Int16Array>;

/**
 * Opens a speaker on the program flite, which speaks each text once and caches it; null where flite is not installed.
 */
export async function openFlite(): Promise<Speak | null> {
  try {
    await run("flite", ["-lv"]);
  } catch {
    return null;
  }
  const known = new Map<string, Promise<Int16Array>>();
  return (text, voice) => {
    const key = `${voice} ${text}`;
    const spoken = known.get(key) ?? speakOnce(text, voice);
    known.set(key, spoken);
    return spoken;
  };
}

async function speakOnce(text: string, voice: string): Promise<Int16Array> {
  const folder = await mkdtemp(join(tmpdir(), "parley-corpus-"));
  try {
    const file = join(folder, "speech.wav");
    await run("flite", ["-voice", voice, "-t", text, "-o", file]);
    const wav = parseWav(await readFile(file));
    return trim(resample(wav.channels[0] ?? new Int16Array(), wav.sampleRateHz, RATE_HZ));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function trim(samples: Int16Array): Int16Array {
  const isLoud = (sample: number) => Math.abs(sample) > 300;
  return samples.slice(Math.max(0, samples.findIndex(isLoud)), samples.findLastIndex(isLoud) + 1);
}

/** Makes one recording. The same plan gives the same samples wherever flite gives the same speech. */
export async function makeRecording(plan: RecordingPlan, speak: Speak): Promise<MadeRecording> {
  const pieces = await Promise.all(plan.parts.map((part) => soundOf(part, speak)));
  const agent = plan.agent && { ...plan.agent, samples: await speak(plan.agent.text, "slt") };
  const ms = pieces.reduce((sum, piece) => sum + lengthMs(piece), 0);
  const agentMs = agent ? agent.atMs + lengthMs(agent.samples) + 3_000 : 0;
  const track = silence(Math.ceil(Math.max(ms, agentMs) / 20) * 20 + TAIL_MS);
  const made: MadeRecording = { plan, samples: track, words: [], speechEndsMs: [], beepEndMs: null, agent };
  let atMs = 0;
  for (const [at, part] of plan.parts.entries()) {
    const piece = pieces[at] ?? new Int16Array();
    mix(track, piece, atMs);
    const endMs = atMs + lengthMs(piece);
    if (part.kind === "SPEECH") {
      made.words.push(...describeWords(part.text, atMs, endMs));
      made.speechEndsMs.push(endMs);
    }
    if (part.kind === "SOUND" && part.isBeep) made.beepEndMs = endMs;
    atMs = endMs;
  }
  if (plan.under) mix(track, plan.under, 0);
  mix(track, noise(lengthMs(track), plan.noiseLevel, plan.name.length + 1), 0);
  made.samples = decodeMuLaw(encodeMuLaw(track));
  return made;
}

async function soundOf(part: Part, speak: Speak): Promise<Int16Array> {
  if (part.kind === "PAUSE") return silence(part.ms);
  if (part.kind === "SOUND") return part.samples;
  const speech = await speak(part.text, part.voice);
  return speech.slice((part.clipMs * RATE_HZ) / 1_000).map((sample) => sample * part.gain);
}

function describeWords(text: string, startMs: number, endMs: number): TimedWords[] {
  const words = text.split(" ");
  const partials = PARTIAL_AT.map((share) => ({
    atMs: startMs + share * (endMs - startMs) + PARTIAL_LATENCY_MS,
    kind: "PARTIAL" as const,
    text: words.slice(0, Math.floor(share * words.length)).join(" "),
  }));
  const whole: TimedWords[] = [
    { atMs: endMs + PARTIAL_LATENCY_MS, kind: "PARTIAL", text },
    { atMs: endMs + FINAL_LATENCY_MS, kind: "FINAL", text },
  ];
  return [...partials.filter((partial) => partial.text !== ""), ...whole];
}

const lengthMs = (samples: Int16Array) => (samples.length * 1_000) / RATE_HZ;
