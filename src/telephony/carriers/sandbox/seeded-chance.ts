/**
 * Returns a 32-bit hash of a text: FNV-1a with the finisher of MurmurHash3, because FNV alone gives neighbouring
 * telephone numbers neighbouring hashes. Not for secrets.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns a number in [0, 1) that depends only on the text. */
export function chanceOf(text: string): number {
  return hashText(text) / 0x1_0000_0000;
}
