import { isDeepStrictEqual } from "node:util";
import { holdDialogue } from "./hold-dialogue.ts";
import type { Script } from "./script.ts";

/** Holds one dialogue and returns the differences from what was expected, with the transcript. */
export async function findFaults(script: Script): Promise<string[]> {
  const { end, fields, inOrder = [], never, calls = [], asked } = script.expected;
  const held = await holdDialogue(script);
  const { outcome, lines, agent } = held;
  const faults: string[] = [];
  const compare = (what: string, found: unknown, wanted: unknown): void => {
    if (!isDeepStrictEqual(found, wanted))
      faults.push(`${what} is ${JSON.stringify(found)} and not ${JSON.stringify(wanted)}`);
  };
  compare("end", outcome.endReason, end);
  compare("error", outcome.error, null);
  compare("fields", outcome.extractedFields, fields);
  compare("calls", held.calls, calls);
  compare("unrepeated", held.unrepeated, []);
  compare("missing in its order", missingInOrder(lines, inOrder), null);
  compare("said against the rule", never?.exec(agent.join("\n"))?.[0] ?? null, null);
  if (asked) compare(asked[0], agent.filter((line) => line.includes(asked[0])).length, asked[1]);
  return faults.length === 0 ? [] : [...faults, ...lines];
}

/** Returns the first of the parts that does not follow those before it; null when all do. */
function missingInOrder(lines: string[], parts: string[]): string | null {
  let line = 0;
  let from = 0;
  for (const part of parts) {
    let at = (lines[line] ?? "").indexOf(part, from);
    while (at === -1 && ++line < lines.length) at = (lines[line] as string).indexOf(part);
    if (at === -1) return part;
    from = at + part.length;
  }
  return null;
}
