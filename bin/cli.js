import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyLegal, packFolder, printPackage } from "./pack.js";
import { LauncherError, root, runQuietly, tail } from "./runtime.js";

const folder = join(root, "cli");

/** Builds the command line's package, packs it, and says where it is. */
export function packCli() {
  return printPackage(buildCli, join(folder, "dist"));
}

/** Builds the command line as it is published in `out`/package, and returns the path of its tarball. */
export async function buildCli(node, out) {
  const made = join(out, "package");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const command = [node, vite, "build", "--config", join(folder, "vite.config.ts"), "--outDir", made];
  const { code, output } = await runQuietly(command, { cwd: root });
  if (code !== 0) throw new LauncherError(`The command line was not bundled.\n${tail(output)}`);
  chmodSync(join(made, "parley.js"), 0o755);
  const { private: _, ...manifest } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  writeFileSync(join(made, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(folder, "README.md"), join(made, "README.md"));
  cpSync(join(root, "templates"), join(made, "templates"), { recursive: true });
  copyLegal(made);
  return packFolder(node, made, out, "The command line was not packed.");
}
