import { cleanText, readItems, readSeconds } from "#src/audio/batch-stt/provider-reply.ts";
import { parseObject } from "#src/platform/kernel/json-object.ts";

const MAX_TEXT_CHARACTERS = 10_000;

/** Result of Deepgram's streaming STT. */
export interface DeepgramResult {
  /** Seconds from the first sample of this connection to the end of the result. */
  endSeconds: number;
  isFinal: boolean;
  /** True for the answer to a Finalize. */
  fromFinalize: boolean;
  text: string;
  confidence: number | null;
}

/**
 * Reads a message: a result, "OTHER" for one that needs no answer, "UNREADABLE" for one outside Deepgram's protocol.
 */
export function readDeepgramMessage(data: string | Buffer): DeepgramResult | "OTHER" | "UNREADABLE" {
  const message = typeof data === "string" ? parseObject(data) : null;
  if (!message || typeof message.type !== "string" || message.type === "Error") return "UNREADABLE";
  if (message.type !== "Results") return "OTHER";
  const start = readSeconds(message.start);
  const duration = readSeconds(message.duration);
  const channel = message.channel as { alternatives?: unknown } | null | undefined;
  const [best] = readItems(channel?.alternatives);
  if (start === null || duration === null || typeof best?.transcript !== "string") return "UNREADABLE";
  return {
    endSeconds: start + duration,
    isFinal: message.is_final === true,
    fromFinalize: message.from_finalize === true,
    text: cleanText(best.transcript).trim().slice(0, MAX_TEXT_CHARACTERS),
    confidence: readConfidence(best.confidence),
  };
}

function readConfidence(value: unknown): number | null {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : null;
}
