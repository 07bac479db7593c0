import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { parse, stringify } from "yaml";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";

/** Kinds of definitions, as the API names their lists. */
export const KINDS = ["flows", "tools", "structuredOutputs"] as const;
export type Kind = (typeof KINDS)[number];

/** Folder of each kind. */
export const FOLDERS: Record<Kind, string> = {
  flows: "flows",
  tools: "tools",
  structuredOutputs: "structured-outputs",
};

const EXTENSIONS = [".yaml", ".yml", ".json"];
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_NAME = 80;

/** Fields of one definition, with file names in place of ids. */
export type Content = Record<string, unknown>;

/** A definition in a file. `path` is relative to the folder, with slashes. */
export interface DefinitionFile {
  kind: Kind;
  path: string;
  content: Content;
}

/** Reads the definitions of a folder, by path; folders of kinds that are missing hold none. */
export function readDefinitions(root: string, kinds: readonly Kind[]): DefinitionFile[] {
  return kinds.flatMap((kind) =>
    listFiles(join(root, FOLDERS[kind]))
      .filter((name) => EXTENSIONS.includes(extname(name)))
      .toSorted()
      .map((name) => {
        const path = `${FOLDERS[kind]}/${name}`;
        return { kind, path, content: readContent(join(root, path), path) };
      }),
  );
}

function listFiles(folder: string): string[] {
  try {
    // A link could lead out of the folder.
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    if (codeOf(error) === "ENOTDIR") throw new CliError(EXIT.USAGE, `${dirname(folder)} is a file. Name a folder.`);
    throw new CliError(EXIT.USAGE, `${folder} cannot be read: ${codeOf(error) ?? toError(error).message}`);
  }
}

function readContent(file: string, path: string): Content {
  let value: unknown;
  try {
    if (statSync(file).size > MAX_BYTES) throw new Error("it is larger than 8 MB.");
    value = parse(readFileSync(file, "utf8"), { maxAliasCount: 100 });
  } catch (error) {
    throw new CliError(EXIT.USAGE, `${path}: ${toError(error).message.trim()}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CliError(
      EXIT.USAGE,
      `${path}: it is not a definition, which has a field a line, such as name: Reminder.`,
    );
  }
  // Dates and other values that JSON does not have become texts, as the API gets them.
  return JSON.parse(JSON.stringify(value)) as Content;
}

/** Writes a definition. The file is replaced as a whole, and a link is not followed. */
export function writeDefinition(root: string, { path, content }: Pick<DefinitionFile, "path" | "content">): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.draft`, renderContent(path, content));
  renameSync(`${file}.draft`, file);
}

/** Returns a definition as the text of its file. */
export function renderContent(path: string, content: Content): string {
  if (extname(path) === ".json") return `${JSON.stringify(content, null, 2)}\n`;
  return stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Returns the name by which other definitions name this file. */
export function nameOf(path: string): string {
  return basename(path, extname(path));
}

/** Returns a path for a definition that has no file yet; `isTaken` knows the names of the others. */
export function newPath(kind: Kind, title: string, id: string, isTaken: (name: string) => boolean): string {
  const plain = title
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, MAX_NAME);
  const name = plain || "unnamed";
  return `${FOLDERS[kind]}/${isTaken(name) ? `${name}-${id.slice(-8)}` : name}.yaml`;
}

/** Returns a short hash of what a definition says, whatever its layout. */
export function digestOf(content: Content): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(content)))
    .digest("hex")
    .slice(0, 16);
}

/** True when two definitions say the same. */
export function saysSame(left: Content, right: Content): boolean {
  return digestOf(left) === digestOf(right);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
