import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installDependencies } from "./install.js";
import { findNode, LauncherError, npm, root, tail } from "./runtime.js";

/** Builds a package with `build(node, out)`, which returns its tarball, and says where that is. */
export async function printPackage(build, out) {
  const node = await findNode();
  await installDependencies(node, { withDevelopment: true });
  process.stdout.write(`${await build(node, out)}\n`);
}

/** Packs the folder `made` into a tarball in `out`, and returns its path. `fault` says that it failed. */
export async function packFolder(node, made, out, fault) {
  const { code, output } = await npm(["pack", made, "--pack-destination", out, "--ignore-scripts"], node);
  if (code !== 0) throw new LauncherError(`${fault}\n${tail(output)}`);
  return join(
    out,
    readdirSync(out).find((name) => name.endsWith(".tgz")),
  );
}

/** Puts the licence and its notice into a folder, in place of links to them. */
export function copyLegal(folder) {
  for (const name of ["LICENSE", "NOTICE"]) {
    rmSync(join(folder, name), { force: true });
    copyFileSync(join(root, name), join(folder, name));
  }
}
