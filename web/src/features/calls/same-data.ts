import { formatJson, JsonText, parseReply, stringifyExactly } from "#web/api/exact-json.ts";

/** True when the body of a session's webhook has this contextData digit for digit, in the same order. */
export function isSameData(body: string, contextData: unknown): boolean {
  const returned = readReturned(body);
  return returned !== undefined && returned === formatJson(stringifyExactly(contextData) ?? "null");
}

/** The contextData in a webhook's body, formatted; undefined when the body is not JSON or has none. */
function readReturned(body: string): string | undefined {
  try {
    const found = (parseReply(body, true) as { session?: { contextData?: unknown } } | null)?.session?.contextData;
    if (found === undefined) return undefined;
    return formatJson(found instanceof JsonText ? found.text : (stringifyExactly(found) ?? "null"));
  } catch {
    return undefined;
  }
}
