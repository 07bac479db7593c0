import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { enter } from "./enter.js";
import { installDependencies } from "./install.js";
import { findNode, LauncherError, root } from "./runtime.js";
import { spawnServer } from "./spawn-server.js";

const UNWRITABLE = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"];

/* What builds pages and runs children is loaded on demand: most commands need neither. */

/**
 * Runs a TypeScript file of the checkout with `args`, after fetching whatever is missing for it. `supervised`: in a
 * process of its own, which is started again when it dies; `early` is one that waits for what it runs.
 */
export async function launch(file, args, { supervised = false, early, ...needs } = {}) {
  try {
    const { node, path, cacheFolder } = await prepare(file, needs);
    if (node === process.execPath && !supervised) return await enter(path, args, cacheFolder);
    await runChild({ node, early, supervised }, [path, cacheFolder, ...args]);
  } catch (error) {
    early?.kill("SIGKILL");
    throw error;
  }
}

/** Fetches and builds what is missing; returns the Node, the file that it runs, and where its compiled code is kept. */
async function prepare(file, { withDevelopment = false, withPages = false }) {
  const node = await findNode();
  await installDependencies(node, { withDevelopment });
  const { main } = withPages ? await buildAll(node) : {};
  const path = main ?? join(root, file);
  if (!existsSync(path)) throw new LauncherError(`${file} is missing from this checkout.`);
  // Kept beside a bundle, because it is removed with it.
  const cacheFolder = main ? join(dirname(main), "compiled") : join(root, "node_modules", ".cache", "compile");
  return { node, path, cacheFolder };
}

/** Installs the dependencies and builds all pages and the server without starting it: for images and other supervisors. */
export async function build() {
  const node = await findNode();
  await installDependencies(node, { withDevelopment: true });
  const { pages } = await buildAll(node);
  if (pages.includes(false)) throw new LauncherError("Not all pages were built.");
}

/** Installs the dependencies and builds the documentation's pages. */
export async function buildDocs() {
  const node = await findNode();
  await installDependencies(node, { withDevelopment: true });
  const { buildDocumentation } = await import("./documentation.js");
  if (!(await buildDocumentation(node))) throw new LauncherError("The documentation was not built.");
  process.stdout.write("The documentation is in site/dist; a server shows it at /docs/guides.\n");
}

/** Builds the pages, and bundles the server; gives which pages are built, and the bundle's main file if there is one. */
async function buildAll(node) {
  const { buildDashboard } = await import("./dashboard.js");
  const { buildDocumentation } = await import("./documentation.js");
  const { bundleServer } = await import("./server-bundle.js");
  const built = [bundleServer(node), buildDashboard(node), buildDocumentation(node)];
  const [main, ...pages] = await Promise.all(built);
  return { main, pages };
}

/** Every signal is passed on; the child counts one that the terminal sent to both of us once. */
async function runChild({ node, early, supervised }, words) {
  const { supervise } = await import("./supervise.js");
  let waiting = early;
  const start = () => {
    const isUp = waiting?.pid !== undefined && waiting.exitCode === null && waiting.signalCode === null;
    const child = isUp ? waiting : spawnServer(node);
    waiting = undefined;
    // One that is gone shows it by its exit.
    child.send(words, () => undefined);
    return child;
  };
  const say = (text) => process.stderr.write(`parley: ${text}\n`);
  const { code, signal } = await supervise(start, { tries: supervised ? undefined : 1, say });
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}

/** Runs `work`; shows a launcher's error, or that its folder cannot be written to, without a stack. */
export async function orExplain(work) {
  try {
    await work();
  } catch (error) {
    const isPlain = error instanceof LauncherError || UNWRITABLE.includes(error.code);
    if (!isPlain) throw error;
    process.stderr.write(`parley: ${error.message}\n`);
    process.exitCode = 1;
  }
}
