/**
 * Parses a tool's answer: a JSON value where the text is one (or begins with one, before an empty line), else the text.
 */
export function parseJsonText(text: string): unknown {
  for (const part of [text, text.split("\n\n")[0] ?? ""]) {
    if (!/^\s*[[{]/.test(part)) continue;
    try {
      return JSON.parse(part) as unknown;
    } catch {
      // Not JSON: the next reading, or the text itself.
    }
  }
  return text;
}
