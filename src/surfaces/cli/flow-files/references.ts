import type { Content, Kind } from "./folder.ts";

/** Returns what another definition is called elsewhere: its id, or the name of its file. */
export type Rename = (kind: Kind, name: string, field: string) => string;

/** Returns a definition with the names of the tools and outputs that it uses replaced. */
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

function replaceText(value: unknown, replace: (text: string) => string): unknown {
  return typeof value === "string" ? replace(value) : value;
}
