import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { lookAt } from "./build-once.js";
import { withLock } from "./lock.js";
import { root, runQuietly, tail } from "./runtime.js";

const CONFIG = "bin/server-bundle.config.js";
const SOURCES = ["src", "package.json", CONFIG];
/** Bundles that stay: servers that still run from an earlier one load more of it when they first need it. */
const KEPT = 3;

/**
 * Bundles the server with all its imports, unless the bundle of the sources that are there exists; returns its main
 * file. It loads with a third of the work of the 2,600 modules. A bundle is named by a look at its sources, so that of
 * changed ones is never run. Without development dependencies, or when it fails, there is none, and the sources run.
 */
export async function bundleServer(node) {
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  if (!existsSync(vite) || !existsSync(join(root, "src"))) return undefined;
  const bundles = join(root, ".runtime", "server");
  const find = () => join(bundles, lookAt(SOURCES).slice(0, 16));
  const folder = find();
  const main = join(folder, "main.cjs");
  const build = async () => {
    if (existsSync(main)) return main;
    process.stderr.write("parley: bundling the server ...\n");
    // One of its own: the bundler of a start that was killed may still be at work.
    const fresh = `${folder}.${process.pid}.new`;
    const env = { ...process.env, NODE_ENV: "production" };
    const args = [vite, "build", "--config", join(root, CONFIG), "--outDir", fresh, "--emptyOutDir"];
    const { code, output } = await runQuietly([node, ...args], { cwd: root, env });
    if (code !== 0) return explain(tail(output));
    if (find() !== folder) return explain("The sources changed while it was bundled.");
    renameSync(fresh, folder);
    tidy(bundles);
    return main;
  };
  if (existsSync(main)) return main;
  try {
    mkdirSync(bundles, { recursive: true });
    return await withLock(join(root, ".runtime", "server.lock"), build);
  } catch (error) {
    return explain(error.message);
  }
}

/** Removes the bundles that no server needs any more, and what builds left that were killed, as far as it can now. */
function tidy(bundles) {
  try {
    removeOld(bundles);
  } catch {
    // A build that was orphaned writes in its folder meanwhile; the next bundling removes that.
  }
}

function removeOld(bundles) {
  const madeMs = (name) => statSync(join(bundles, name)).mtimeMs;
  const [drafts, made] = [[], []];
  for (const name of readdirSync(bundles)) (name.endsWith(".new") ? drafts : made).push(name);
  const old = made.toSorted((a, b) => madeMs(b) - madeMs(a)).slice(KEPT);
  for (const name of [...drafts, ...old]) rmSync(join(bundles, name), { recursive: true, force: true });
}

function explain(reason) {
  process.stderr.write(`parley: the server could not be bundled and starts from its sources.\n${reason}\n`);
  return undefined;
}
