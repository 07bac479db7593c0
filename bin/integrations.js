import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyLegal, packFolder, printPackage } from "./pack.js";
import { LauncherError, root, runQuietly, tail } from "./runtime.js";

const INTEGRATIONS = join(root, "integrations");

/** File that Zapier loads. The version of its platform is that of the copy that is installed beside the app. */
const ZAPIER_ENTRY = `"use strict";

const { app } = require("./dist/zapier/index.js");

module.exports = { ...app, platformVersion: require("zapier-platform-core").version };
`;

/** Packs the integrations, and says where each package is. */
export async function packIntegrations() {
  for (const [name, build] of Object.entries(BUILDERS)) await printPackage(build, join(INTEGRATIONS, name, "dist"));
}

/** Functions that build and pack one integration in a folder, and return the path of its tarball; by its folder. */
export const BUILDERS = {
  n8n: (node, out) => build(node, out, compileNodes, "The nodes for n8n were not packed."),
  zapier: (node, out) => build(node, out, compileZapier, "The app for Zapier was not packed."),
  make: (node, out) => build(node, out, (_node, made) => copyMake(made), "The app for Make was not packed."),
};

async function build(node, out, write, fault) {
  const made = join(out, "package");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  await write(node, made);
  return packFolder(node, made, out, fault);
}

/** Writes the package of the nodes for n8n to the folder `made`, as it is published. */
export async function compileNodes(node, made) {
  await compile(node, "n8n", made);
  cpSync(join(INTEGRATIONS, "n8n", "icons"), join(made, "dist", "icons"), { recursive: true });
  copyPlain("n8n", made, ["package.json", "README.md"]);
}

/** Writes the package of the app for Zapier to the folder `made`, from which it is pushed. */
export async function compileZapier(node, made) {
  await compile(node, "zapier", made);
  writeFileSync(join(made, "index.js"), ZAPIER_ENTRY);
  copyPlain("zapier", made, ["package.json", "README.md"]);
}

/** Writes the app for Make to the folder `made`, as Make's extension for Visual Studio Code deploys it. */
export function copyMake(made) {
  copyPlain("make", made, ["connections", "general", "modules", "rpcs", "webhooks", "makecomapp.json", "package.json"]);
  copyPlain("make", made, ["README.md"]);
}

async function compile(node, name, made) {
  mkdirSync(made, { recursive: true });
  const compiler = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
  const command = [node, compiler, "-p", join(INTEGRATIONS, name), "--outDir", join(made, "dist")];
  const { code, output } = await runQuietly(command, { cwd: root });
  if (code !== 0) throw new LauncherError(`integrations/${name} does not compile.\n${tail(output)}`);
}

function copyPlain(name, made, files) {
  for (const file of files) cpSync(join(INTEGRATIONS, name, file), join(made, file), { recursive: true });
  copyLegal(made);
}
