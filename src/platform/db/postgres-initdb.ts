import { execFile } from "node:child_process";
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { toError } from "#src/platform/kernel/errors.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";
import { folderFault, outputFault, PostgresFault } from "./postgres-fault.ts";
import { isInitialised, type PostgresFolder } from "./postgres-folder.ts";
import { commandAs, handOver, type Identity } from "./postgres-identity.ts";

const run = promisify(execFile);

/**
 * Creates the database files where there are none, and refuses those of another major version. initdb works in a draft
 * folder that is renamed into place, so a crash in the middle leaves no half database. `onBegun` is called once it works.
 */
export async function initialise(
  folder: PostgresFolder,
  binaries: PostgresBinaries,
  identity: Identity,
  onBegun: () => void,
): Promise<void> {
  try {
    handOver(identity, folder.root);
    removeDrafts(folder);
    if (isInitialised(folder)) return checkVersion(folder, binaries);
    const draft = join(folder.root, `init-${process.pid}`);
    const created = runInitdb(draft, binaries, identity);
    onBegun();
    await created;
    renameSync(draft, folder.data);
    syncFolder(folder.root);
  } catch (error) {
    throw folderFault(folder.root, error);
  }
}

/** Removes drafts. The caller holds the start lock, so any draft belongs to a dead start. */
function removeDrafts(folder: PostgresFolder): void {
  for (const name of readdirSync(folder.root).filter((entry) => entry.startsWith("init-"))) {
    rmSync(join(folder.root, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function checkVersion(folder: PostgresFolder, binaries: PostgresBinaries): void {
  const found = readFileSync(join(folder.data, "PG_VERSION"), "utf8").trim();
  if (found === binaries.major) return;
  throw new PostgresFault(
    "WRONG_VERSION",
    `The files in ${folder.data} were written by PostgreSQL ${found}; this release brings ${binaries.major}. ` +
      "Take a backup with the release that wrote them, then restore it into an empty DATA_DIR.",
  );
}

async function runInitdb(draft: string, binaries: PostgresBinaries, identity: Identity): Promise<void> {
  // The built-in provider sorts and changes case the same on every machine, whatever its libc.
  const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  // One sync call for the file system instead of one per file.
  const sync = process.platform === "linux" ? ["--sync-method=syncfs"] : [];
  const plain = ["-D", draft, "-U", "parley", "--auth=trust", "--no-instructions"];
  const { file, args, options } = commandAs(identity, binaries.initdb, [...plain, ...locale, ...sync]);
  try {
    await run(file, args, options);
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
    throw outputFault("initdb", draft, stderr || stdout || toError(error).message);
  }
}

function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
