/**
 * Parses a JSON text. A whole number with more digits than JavaScript holds, such as an id of another system in
 * `contextData`, becomes the text of its digits instead of another number. Node 20 does not tell them, and rounds it.
 */
export function parseExactly(text: string): unknown {
  // Most texts have no such number, and are read several times as fast without a look at each value.
  return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? "";
  if (!Number.isFinite(value) || !/^-?\d+$/.test(source) || String(value) === source) return value;
  return BigInt(source) === BigInt(value as number) ? value : source;
}
