import { SYSTEM_TOOL_SPECS } from "#src/engine/conversation/system-tool-list.ts";
import { isFailure } from "#src/engine/conversation/tool-results.ts";
import type { FieldValue } from "./field-values.ts";

/** Facts of a call that are counted beside its extracted fields, and like them: tools that it used, a wish. */
export const MARK_KINDS = ["TOOL", "WISH"] as const;

/** True for a mark, false for the value of a field. */
export function isMark({ kind }: Pick<FieldValue, "kind">): boolean {
  return (MARK_KINDS as readonly string[]).includes(kind);
}

/** The wish for a human that no transfer could fulfil, as it is counted. */
export const HUMAN_WISH = { field: "human", value: "true" } as const;

/** Results of a tool in a call: FAILED where it failed at least once. */
export const TOOL_RESULTS = ["DONE", "FAILED"] as const;

const MAX_TOOLS = 30;
const MAX_NAME = 120;
const OF_THE_SERVICE = new Set(["request_human", ...SYSTEM_TOOL_SPECS.map(({ name }) => name)]);

/**
 * Returns the marks of a call: each tool once, and the wish for a human. `toolLines` are the contents of the transcript's
 * lines with the role TOOL. The service's own tools do not count.
 */
export function readMarks(toolLines: readonly string[], isHumanRequested: boolean): FieldValue[] {
  const tools = new Map<string, (typeof TOOL_RESULTS)[number]>();
  for (const { name, result } of readToolLines(toolLines)) {
    if (tools.size === MAX_TOOLS && !tools.has(name)) continue;
    if (isFailure(result)) tools.set(name, "FAILED");
    else if (!tools.has(name)) tools.set(name, "DONE");
  }
  const marks = [...tools].map(([field, value]): FieldValue => ({ field, kind: "TOOL", value, total: 0 }));
  return isHumanRequested ? [...marks, { ...HUMAN_WISH, kind: "WISH", total: 0 }] : marks;
}

/** True where a tool of the flow failed and was not used again with success. The service's own tools do not count. */
export function leftFailed(toolLines: readonly string[]): boolean {
  const last = new Map(readToolLines(toolLines).map(({ name, result }) => [name, isFailure(result)]));
  return [...last.values()].includes(true);
}

/** Returns the calls of the flow's own tools, in their order. */
function readToolLines(toolLines: readonly string[]): { name: string; result: string }[] {
  return toolLines.flatMap((line) => readToolLine(line) ?? []).filter(({ name }) => !OF_THE_SERVICE.has(name));
}

function readToolLine(content: string): { name: string; result: string } | null {
  try {
    const { name, result } = JSON.parse(content) as { name?: unknown; result?: unknown };
    if (typeof name !== "string" || typeof result !== "string") return null;
    return { name: name.slice(0, MAX_NAME).replaceAll("\u0000", "").toWellFormed(), result };
  } catch {
    return null; // a line that was forgotten or cut
  }
}
