import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { programEnvironment } from "./test-environment.ts";

/** Returns the folder for files made once for a whole run of the tests. */
export function runFolder(): string {
  const folder = process.env.PARLEY_TEST_FOLDER;
  if (!folder) throw new Error("tests/kit/global-setup.ts has not run");
  return folder;
}

let built: Promise<string> | undefined;

/**
 * Bundles the server with all its imports into a few files, once for a run, from the current sources; returns the main
 * file. The bundle starts with half the work of the 2,000 modules, which matters where servers are killed a hundred
 * times.
 */
export function bundleServer(): Promise<string> {
  return (built ??= build(join(runFolder(), "server")));
}

async function build(folder: string): Promise<string> {
  const main = join(folder, "main.cjs");
  if (existsSync(main)) return main;
  const fresh = mkdtempSync(`${folder}-`);
  const vite = ["node_modules/vite/bin/vite.js", "build", "--config", "bin/server-bundle.config.js"];
  await promisify(execFile)(process.execPath, [...vite, "--outDir", fresh], {
    env: programEnvironment({ NODE_ENV: "production" }),
  });
  try {
    renameSync(fresh, folder);
  } catch {
    // Another worker was faster.
    rmSync(fresh, { recursive: true });
  }
  return main;
}
