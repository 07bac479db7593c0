/** Control characters and halves of surrogate pairs; line breaks and tabs stay. */
const UNSPEAKABLE = /\p{Surrogate}|\ufffd|(?![\n\t])\p{Control}/gu;
const TAGS = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/gi;
const LINKS = /!?\[([^\]]*)\]\([^)\s]*\)/g;
const ADDRESSES = /\bhttps?:\/\/(?:www\.)?([^\s/?#<>"')\]]+)[^\s<>"')\]]*/gi;
const FENCES = /```[a-z]*/gi;
const EMPHASIS = /(\*\*|__|\*|`|~~)(?=\S)(.*?\S)\1/g;
const LINE_MARKS = /^\s*(?:#{1,6}\s+|>\s+|[-*•]\s+)/gm;

/**
 * Returns words that TTS can say: without control characters and the marks of Markdown and HTML, and with only the host
 * name of an address.
 */
export function toSpeakable(text: string): string {
  const bare = text
    .replace(UNSPEAKABLE, "")
    .replace(TAGS, " ")
    .replace(LINKS, "$1")
    .replace(ADDRESSES, (address, host: string) => host + (/[.,!?;:]+$/.exec(address)?.[0] ?? ""))
    .replace(FENCES, " ")
    .replace(LINE_MARKS, "")
    .replace(EMPHASIS, "$2");
  return bare === text
    ? text
    : bare
        .replaceAll(/[^\S\n]+/g, " ")
        .replaceAll(/ +([.,!?;:])/g, "$1")
        .trim();
}
