import { randomUUID } from "node:crypto";
import type { Parley } from "@parley/sdk";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { type Content, type DefinitionFile, type Kind, nameOf, newPath, readDefinitions } from "./folder.ts";
import { Lock } from "./lock.ts";
import { renameReferences } from "./references.ts";
import { readServer, type ServerItem, type ServerState } from "./server-state.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A definition in a file, on the server, or both, with the path and the id that it has or gets. */
export interface Pair {
  kind: Kind;
  path: string;
  id: string;
  file: DefinitionFile | undefined;
  server: ServerItem | undefined;
}

/** A folder beside the workspace that a server holds. */
export interface Comparison {
  root: string;
  lock: Lock;
  pairs: Pair[];
  systemTools: Map<string, string>;
}

/** Reads a folder and a workspace, and finds which file is which definition. */
export async function compareWith(
  client: Parley,
  root: string,
  kinds: readonly Kind[],
  published = false,
): Promise<Comparison> {
  const files = readDefinitions(root, kinds);
  return pairUp(root, files, await readServer(client, kinds, published));
}

function pairUp(root: string, files: DefinitionFile[], { items, systemTools }: ServerState): Comparison {
  const lock = new Lock(root);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const live = new Set(items.map(({ id }) => id));
  const isFree = ({ path }: DefinitionFile) => !lock.idsOf(path).some((id) => live.has(id));
  const taken = new Set([...files.map(({ path }) => path.toLowerCase()), ...reserved(systemTools)]);
  const pairs: Pair[] = [];
  for (const server of items) {
    const { kind, id, title } = server;
    const same = files.find((file) => file.kind === kind && titleOf(file) === title && isFree(file));
    const known = lock.pathOf(id) ?? (same && !pairs.some(({ path }) => path === same.path) ? same.path : undefined);
    const path =
      known ?? newPath(kind, title, id, (name) => taken.has(newPath(kind, name, id, () => false).toLowerCase()));
    taken.add(path.toLowerCase());
    pairs.push({ kind, path, id, file: byPath.get(path), server });
  }
  const paired = new Set(pairs.map(({ path }) => path));
  for (const file of files) {
    if (paired.has(file.path)) continue;
    pairs.push({ kind: file.kind, path: file.path, id: randomUUID(), file, server: undefined });
  }
  return { root, lock, pairs, systemTools };
}

/** Returns what a flow is identified by, and what names another definition. */
function titleOf({ kind, content }: DefinitionFile): unknown {
  return kind === "flows" ? content.apiId : content.name;
}

/** Paths that no new file may get, since its name would mean a system tool. */
function reserved(systemTools: Map<string, string>): string[] {
  return [...systemTools.keys()].map((name) => `tools/${name}.yaml`);
}

/** Returns a file's content with the ids of the definitions that it names. */
export function toIds(comparison: Comparison, { path, kind, content }: DefinitionFile): Content {
  return renameReferences(kind, content, (of, name, field) => {
    const pair = comparison.pairs.find((one) => one.kind === of && one.file && nameOf(one.path) === name);
    const system = of === "tools" ? comparison.systemTools.get(name) : undefined;
    const id = pair?.id ?? system ?? (UUID.test(name) ? name : undefined);
    if (id === undefined) throw new CliError(EXIT.USAGE, `${path}: ${field}: there is no file for ${name}.`);
    return id;
  });
}

/** Returns a definition of the server with the names of files in place of ids. */
export function toNames({ pairs, systemTools }: Comparison, { kind, content }: ServerItem): Content {
  const system = new Map([...systemTools].map(([name, id]) => [id, name]));
  return renameReferences(kind, content, (of, id) => {
    const lower = id.toLowerCase();
    const pair = pairs.find((one) => one.kind === of && one.id === lower);
    return pair ? nameOf(pair.path) : (system.get(lower) ?? id);
  });
}
