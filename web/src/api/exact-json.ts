/** What newer engines give a reviver, and what writes a text into JSON as it is. */
interface NewerJson {
  parse: (text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown) => unknown;
  rawJSON?: (text: string) => unknown;
}

/**
 * Parses JSON so that JSON.stringify writes every number as it came: 12345678901234567890 and 1.0 are no others when
 * they are sent back. Such numbers are no values to compute with.
 */
export function parseExactly(text: string): unknown {
  const { parse, rawJSON } = JSON as unknown as NewerJson;
  if (rawJSON === undefined) return JSON.parse(text) as unknown;
  return parse(text, (_key, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && source !== String(value) ? rawJSON(source) : value;
  });
}
