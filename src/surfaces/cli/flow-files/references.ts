import type { Content, Kind } from "./folder.ts";

/** Returns what another definition is called elsewhere: its id, or the name of its file. */
export type Rename = (kind: Kind, name: string, field: string) => string;

/** Returns a definition with the names of the tools, outputs and flows that it uses replaced. */
export function renameReferences(kind: Kind, content: Content, rename: Rename): Content {
  const renamed = { ...content };
  const replaceAll = (field: string, of: Kind) => {
    const names = content[field];
    if (Array.isArray(names))
      renamed[field] = names.map((name) => replaceText(name, (text) => rename(of, text, field)));
  };
  if (kind === "flows") {
    replaceAll("toolIds", "tools");
    replaceAll("structuredOutputIds", "structuredOutputs");
    if (content.stages !== undefined) renamed.stages = renameInStages(content.stages, rename);
  }
  if (kind === "tools" && Array.isArray(content.executionPlan)) {
    renamed.executionPlan = content.executionPlan.map((step: unknown) => {
      const { toolId } = (step ?? {}) as { toolId?: unknown };
      if (typeof toolId !== "string") return step;
      return { ...(step as object), toolId: rename("tools", toolId, "executionPlan") };
    });
  }
  return renamed;
}

const NAMED_IN_STAGES = new Map<string, Kind>([
  ["toolId", "tools"],
  ["toolIds", "tools"],
  ["flowId", "flows"],
]);
/** Values that the author passes to a tool or compares with: their members mean nothing here. */
const OWN_VALUES = new Set(["arguments", "value"]);

/** Replaces names in stages, whose tools stand in actions and conditions as well. */
function renameInStages(stages: unknown, rename: Rename): unknown {
  if (Array.isArray(stages)) return stages.map((one) => renameInStages(one, rename));
  if (typeof stages !== "object" || stages === null) return stages;
  return Object.fromEntries(
    Object.entries(stages).map(([field, value]: [string, unknown]) => {
      const kind = NAMED_IN_STAGES.get(field);
      if (OWN_VALUES.has(field)) return [field, value];
      if (kind === undefined) return [field, renameInStages(value, rename)];
      const one = (name: unknown) => replaceText(name, (text) => rename(kind, text, `stages.${field}`));
      return [field, Array.isArray(value) ? value.map(one) : one(value)];
    }),
  );
}

function replaceText(value: unknown, replace: (text: string) => string): unknown {
  return typeof value === "string" ? replace(value) : value;
}
