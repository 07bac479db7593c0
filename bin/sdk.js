import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyLegal, packFolder, printPackage } from "./pack.js";
import { LauncherError, root, runQuietly, tail } from "./runtime.js";

const folder = join(root, "sdk");

/** Formats in which the SDK is published, and what the compiler needs to hear for each. */
const FORMATS = {
  esm: [],
  cjs: ["--module", "commonjs", "--moduleResolution", "bundler"],
};

/** Builds the SDK, packs it, and says where the package is. */
export function packSdk() {
  return printPackage(buildPackage, join(folder, "dist"));
}

/** Builds the SDK as it is published in `out`/package, for ESM and CommonJS, and returns the path of its tarball. */
export async function buildPackage(node, out) {
  const made = join(out, "package");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  await Promise.all(Object.entries(FORMATS).map(([format, options]) => compile(node, join(made, format), options)));
  writeFileSync(join(made, "cjs", "package.json"), `{ "type": "commonjs" }\n`);
  writeFileSync(join(made, "package.json"), `${JSON.stringify(readManifest(), null, 2)}\n`);
  cpSync(join(folder, "README.md"), join(made, "README.md"));
  copyLegal(made);
  return packFolder(node, made, out, "The SDK was not packed.");
}

async function compile(node, out, options) {
  const compiler = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
  const command = [node, compiler, "-p", folder, "--outDir", out, ...options];
  const { code, output } = await runQuietly(command, { cwd: root });
  if (code !== 0) throw new LauncherError(`The SDK does not compile.\n${tail(output)}`);
  // The compiler rewrites the extensions of imports in scripts, and not in declarations.
  for (const name of readdirSync(out, { recursive: true }).filter((one) => one.endsWith(".d.ts"))) {
    const text = readFileSync(join(out, name), "utf8");
    writeFileSync(join(out, name), text.replaceAll(/(["']\.{1,2}\/[\w./-]+)\.ts(["'])/g, "$1.js$2"));
  }
}

/** The manifest as it is published: inside the repository, programs import the sources. */
function readManifest() {
  const { private: _, publishConfig, ...manifest } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { access, ...published } = publishConfig;
  return { ...manifest, ...published, publishConfig: { access } };
}
