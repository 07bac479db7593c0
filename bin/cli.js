import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installDependencies } from "./install.js";
import { findNode, LauncherError, npm, root, runQuietly, tail } from "./runtime.js";

const folder = join(root, "cli");

/** Builds the command line's package, packs it, and says where it is. */
export async function packCli() {
  const node = await findNode();
  await installDependencies(node, { withDevelopment: true });
  process.stdout.write(`${await buildCli(node, join(folder, "dist"))}\n`);
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
  for (const name of ["LICENSE", "NOTICE"]) cpSync(join(root, name), join(made, name));
  const packed = await npm(["pack", made, "--pack-destination", out, "--ignore-scripts"], node);
  if (packed.code !== 0) throw new LauncherError(`The command line was not packed.\n${tail(packed.output)}`);
  return join(
    out,
    readdirSync(out).find((name) => name.endsWith(".tgz")),
  );
}
