import { isUuid } from "#src/platform/kernel/id.ts";
import { type DefinitionFile, type Kind, nameOf, readDefinitions } from "./folder.ts";
import { renameReferences } from "./references.ts";

/** Result of a check without a server. */
export interface Checked {
  files: number;
  faults: string[];
  /** Names without a file, which may be system tools, and ids. */
  unchecked: string[];
}

const NEEDED: Record<Kind, string[]> = {
  flows: ["apiId", "name"],
  tools: ["name", "description", "toolType"],
  structuredOutputs: ["name", "schema"],
};

/** Checks what can be checked of a folder without a server: syntax, required fields, names that must not repeat. */
export function checkFiles(root: string, kinds: readonly Kind[]): Checked {
  const files = readDefinitions(root, kinds);
  const names = new Set(files.map(({ kind, path }) => `${kind}/${nameOf(path)}`));
  const faults: string[] = [];
  const unchecked = new Set<string>();
  const seen = new Map<unknown, string>();
  for (const file of files) {
    faults.push(...findMissing(file), ...findRepeated(file, seen));
    renameReferences(file.kind, file.content, (kind, name, field) => {
      if (names.has(`${kind}/${name}`)) return name;
      // Only a server knows what an id belongs to.
      if (kind === "tools" || isUuid(name)) unchecked.add(name);
      else faults.push(`${file.path}: ${field}: there is no file for ${name}.`);
      return name;
    });
  }
  return { files: files.length, faults, unchecked: [...unchecked] };
}

function findMissing({ kind, path, content }: DefinitionFile): string[] {
  return NEEDED[kind].filter((name) => !content[name]).map((name) => `${path}: ${name} is missing.`);
}

function findRepeated({ kind, path, content }: DefinitionFile, seen: Map<unknown, string>): string[] {
  if (kind !== "flows" || !content.apiId) return [];
  const other = seen.get(content.apiId);
  seen.set(content.apiId, path);
  return other === undefined ? [] : [`${path}: apiId is that of ${other}.`];
}
