import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyLegal, packFolder, printPackage } from "./pack.js";
import { LauncherError, root, runQuietly, tail } from "./runtime.js";

const folder = join(root, "integrations", "n8n");
/** What the package holds besides the compiled code. */
const PLAIN = ["package.json", "README.md"];

/** Packs the integrations, and says where each package is. */
export function packIntegrations() {
  return printPackage(buildNodes, join(folder, "dist"));
}

/** Builds the nodes for n8n, packs them in `out`, and returns the path of their tarball. */
export async function buildNodes(node, out) {
  const made = join(out, "package");
  rmSync(out, { recursive: true, force: true });
  await compileNodes(node, made);
  return packFolder(node, made, out, "The nodes for n8n were not packed.");
}

/** Writes the package of the nodes for n8n to the folder `made`, as it is published. */
export async function compileNodes(node, made) {
  mkdirSync(made, { recursive: true });
  const compiler = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
  const command = [node, compiler, "-p", folder, "--outDir", join(made, "dist")];
  const { code, output } = await runQuietly(command, { cwd: root });
  if (code !== 0) throw new LauncherError(`The nodes for n8n do not compile.\n${tail(output)}`);
  cpSync(join(folder, "icons"), join(made, "dist", "icons"), { recursive: true });
  for (const name of PLAIN) cpSync(join(folder, name), join(made, name));
  copyLegal(made);
}
