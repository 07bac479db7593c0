import { type Content, digestOf, type Kind, saysSame, writeDefinition } from "./folder.ts";
import type { Lock } from "./lock.ts";
import { keepVariables, maskedPaths } from "./secrets.ts";
import { type Comparison, type Pair, toNames } from "./workspace.ts";

/** Result of a pull for one file. CONFLICT: file and server changed since the latest pull, and the file is left alone. */
export type PullAction = "WRITTEN" | "UNCHANGED" | "CHANGED_HERE" | "CONFLICT" | "ONLY_HERE";

/** Result of a pull for one definition. */
export interface Pulled {
  kind: Kind;
  path: string;
  action: PullAction;
  /** Paths of the secrets that the file leaves out. */
  secrets: string[];
}

/** Writes the server's definitions to their files. A file that was changed since the latest pull stays, unless `force`. */
export function pull(comparison: Comparison, force: boolean): Pulled[] {
  const pulled = comparison.pairs.map((pair) => pullOne(comparison, pair, force));
  comparison.lock.save();
  return pulled;
}

function pullOne(comparison: Comparison, pair: Pair, force: boolean): Pulled {
  const { kind, path, file, server } = pair;
  if (!server) return { kind, path, action: "ONLY_HERE", secrets: [] };
  const content = contentOf(comparison, pair);
  const action = actionOf(comparison.lock, pair, content, force);
  if (action === "WRITTEN") writeDefinition(comparison.root, { path, content });
  if (action === "WRITTEN" || action === "UNCHANGED") {
    comparison.lock.set(path, pair.id, {
      ...server.revision,
      digest: digestOf(file && action === "UNCHANGED" ? file.content : content),
    });
  }
  return { kind, path, action, secrets: maskedPaths(content) };
}

/** Returns the server's definition as its file would have it; empty when the server has none. */
export function contentOf(comparison: Comparison, { file, server }: Pair): Content {
  if (!server) return {};
  const named = toNames(comparison, server);
  return file ? keepVariables(named, file.content) : named;
}

function actionOf(lock: Lock, { path, id, file, server }: Pair, content: Content, force: boolean): PullAction {
  if (!file) return "WRITTEN";
  if (saysSame(file.content, content)) return "UNCHANGED";
  if (force) return "WRITTEN";
  const locked = lock.find(path, id);
  if (!locked) return "CONFLICT";
  if (locked.digest === digestOf(file.content)) return "WRITTEN";
  const isServerSame = locked.version === server?.revision.version && locked.draft === server.revision.draft;
  return isServerSame ? "CHANGED_HERE" : "CONFLICT";
}
