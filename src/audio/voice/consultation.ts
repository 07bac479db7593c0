import { isCertain } from "#src/audio/amd/amd-verdict.ts";
import type { Heard, Line, TransferFailure, TransferOrder } from "#src/audio/line/line.ts";

/** Call time to wait for the target's hello before a consultation begins. */
const GREETING_MS = 1_500;
/** Longest wait for an AMD verdict on person or machine. */
const VERDICT_MS = 8_000;
const ANSWER_MS = 8_000;
/** Most times that the target is asked to take the call. */
const MAX_QUESTIONS = 3;
const KEY_MS = 250;
/** Pause characters of a key sequence. */
const PAUSES_MS: Readonly<Record<string, number>> = { w: 500, W: 1_000, ",": 2_000 };
const YES_KEY = "1";

/** Question to the target of a transfer, and the parser of its answer. */
export interface Consultation {
  /** Asks the target to take the call. */
  question: string;
  /** Returns true for yes, false for no; undefined when neither. */
  understand(text: string): boolean | undefined;
}

/**
 * Consults the target before the parties are joined: keys, the check for a person, the information for the target, and
 * its consent, as the order asks. Null: they may be joined.
 */
export async function consultTarget(
  line: Line,
  order: TransferOrder,
  consultation: Consultation,
  signal: AbortSignal,
): Promise<TransferFailure | null> {
  if (order.dtmfSequence) await pressKeys(line, order.dtmfSequence, signal);
  if (order.transferOnlyIfHuman) {
    const failure = await awaitHuman(line, signal);
    if (failure) return failure;
  } else if (order.mode !== "COLD") await line.listen(GREETING_MS, signal);
  if (order.mode === "COLD") return null;
  if (order.whisperMessage && !(await sayWhole(line, order.whisperMessage, signal))) return LEFT;
  if (order.mode === "WARM") return null;
  if (order.summary && !(await sayWhole(line, order.summary, signal))) return LEFT;
  return askToTake(line, consultation, signal);
}

const LEFT: TransferFailure = { kind: "FAILED", reason: "REJECTED", message: "The target hung up." };

async function pressKeys(line: Line, sequence: string, signal: AbortSignal): Promise<void> {
  for (const part of sequence.match(/[wW,]|[^wW,]+/g) ?? []) {
    const pauseMs = PAUSES_MS[part];
    if (pauseMs === undefined) await line.sendDigits(part.toUpperCase(), signal);
    await pause(line, pauseMs ?? part.length * KEY_MS, signal);
  }
}

/** Lets call time pass. Anything heard meanwhile comes from a menu and is ignored. */
async function pause(line: Line, ms: number, signal: AbortSignal): Promise<void> {
  const untilMs = line.elapsedMs() + ms;
  for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = untilMs - line.elapsedMs()) {
    if (isGone(await line.listen(leftMs, signal))) return;
  }
}

async function awaitHuman(line: Line, signal: AbortSignal): Promise<TransferFailure | null> {
  const { answers } = line;
  const untilMs = line.elapsedMs() + VERDICT_MS;
  const stop = new AbortController();
  try {
    while (answers && !answers.verdict && line.elapsedMs() < untilMs && !signal.aborted) {
      const wake = new AbortController();
      answers.onChange(() => wake.abort(), stop.signal);
      if (isGone(await line.listen(untilMs - line.elapsedMs(), signal, wake.signal))) return LEFT;
    }
  } finally {
    stop.abort();
  }
  const verdict = answers?.verdict ?? null;
  switch (verdict === null || isCertain(verdict) ? verdict?.answeredBy : "UNCERTAIN") {
    case "HUMAN":
    case "UNCERTAIN":
      return null;
    case undefined:
    case "SILENCE":
      return { kind: "FAILED", reason: "NO_ANSWER", message: "Nobody spoke." };
    default:
      return { kind: "FAILED", reason: "MACHINE", message: "A machine answered." };
  }
}

/** Says a text, again when it was talked over; false when the target has gone. */
async function sayWhole(line: Line, text: string, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < 2; tries++) {
    const spoken = await line.say(text, signal);
    if (spoken.hungUp) return false;
    if (!spoken.interrupted) return true;
    await line.listen(GREETING_MS, signal);
  }
  return true;
}

async function askToTake(line: Line, consultation: Consultation, signal: AbortSignal): Promise<TransferFailure | null> {
  line.expect?.({ type: "boolean" });
  for (let questions = 0; questions < MAX_QUESTIONS && !signal.aborted; questions++) {
    const spoken = await line.say(consultation.question, signal);
    if (spoken.hungUp) return LEFT;
    const heard = await line.listen(ANSWER_MS, signal);
    if (isGone(heard)) return LEFT;
    const takes = readAnswer(heard, consultation);
    if (takes === true) return null;
    if (takes === false) return { kind: "FAILED", reason: "REJECTED", message: "The target does not take the call." };
  }
  return { kind: "FAILED", reason: "NO_ANSWER", message: "The target did not say that it takes the call." };
}

function readAnswer(heard: Heard, consultation: Consultation): boolean | undefined {
  if (heard.kind === "DIGITS") return heard.digits.startsWith(YES_KEY);
  return heard.kind === "SPEECH" ? consultation.understand(heard.text) : undefined;
}

function isGone(heard: Heard): boolean {
  return heard.kind === "HUNG_UP" || heard.kind === "DROPPED";
}
