import type { MessageChannel } from "#src/telephony/carriers/messages.ts";
import { CARRIER_PROVIDERS } from "#src/telephony/carriers/registry.ts";

/** Ends of sentences and paragraphs, then of words. A part is cut at the first kind that fills half of it. */
const BOUNDARIES = [/(?:[.!?…][)"'”’»]*\s|[。！？]|\n)\s*/g, /\s+/g];

/**
 * Returns the UTF-16 units that a provider takes in one message with such characters; infinite for the sandbox and for
 * chats that no carrier brings.
 */
export function limitText(provider: string, channel: string, text: string): number {
  const carrier = CARRIER_PROVIDERS.find(({ name }) => name === provider.toUpperCase());
  return carrier?.textLimit?.(channel as MessageChannel, text) ?? Number.POSITIVE_INFINITY;
}

/** Splits a text into parts of at most `limit` UTF-16 units, at the ends of sentences or else of words. */
export function splitText(text: string, limit: number): string[] {
  if (text.length <= limit) return [text];
  const at = findCut(text, limit);
  const [part, rest] = [text.slice(0, at).trim(), text.slice(at).trim()];
  return [part, ...splitText(rest, limit)].filter((one) => one !== "");
}

function findCut(text: string, limit: number): number {
  // Space behind the last word that fits is dropped, so it may be over the limit.
  const head = text.slice(0, limit + 1);
  for (const boundary of BOUNDARIES) {
    const ends = [...head.matchAll(boundary)].map(({ index, 0: found }) => index + found.length);
    const at = ends.findLast((end) => text.slice(0, end).trimEnd().length <= limit) ?? 0;
    if (at >= limit / 2) return at;
  }
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return isHalf ? limit - 1 : limit;
}
