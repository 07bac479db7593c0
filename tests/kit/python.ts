import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./repository.ts";

/** The Python SDK's folder. */
export const SDK_PYTHON = join(ROOT, "sdk-python");

const OLDEST = 10;

/** A program's end, and what it wrote to either output. */
export interface ProgramEnd {
  code: number;
  output: string;
}

/**
 * Runs a program without blocking this process, which may be the server that the program talks to. One that ends before
 * it has read its input is told by its code.
 */
export function runProgram(
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd ?? ROOT, env: { ...process.env, ...options.env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
    child.stdin.on("error", (error: NodeJS.ErrnoException) => error.code === "EPIPE" || reject(error));
    child.stdin.end(options.input ?? "");
  });
}

/** Suffix for the titles of tests that are skipped without Python; empty when it is there. */
export const withoutPython = findPython() ? "" : ` (skipped: no python3 of version 3.${OLDEST} or later)`;

/** Tells whether python3 is there and new enough for the SDK. */
function findPython(): boolean {
  const { stdout } = spawnSync("python3", ["-c", "import sys, venv; print(*sys.version_info[:2])"], {
    encoding: "utf8",
  });
  const [major = 0, minor = 0] = String(stdout).split(" ").map(Number);
  return major === 3 && minor >= OLDEST;
}

/**
 * Returns the programs' folder of a virtual environment with these packages, which the first use makes and later ones
 * find; or the reason why it cannot be made, such as no network.
 */
export async function findPythonTools(packages: string[]): Promise<{ bin: string } | { why: string }> {
  const names = packages.map((one) => one.split("==")[0]).join("-");
  const folder = join(ROOT, "node_modules/.cache/python", names);
  const bin = join(folder, "bin");
  const done = join(folder, packages.join("+"));
  if (existsSync(done)) return { bin };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = await runProgram("python3", ["-m", "venv", folder]);
  const installed =
    made.code === 0
      ? await runProgram(join(bin, "pip"), ["install", "--quiet", "--retries", "1", "--timeout", "15", ...packages])
      : made;
  if (installed.code !== 0) return { why: `${packages.join(" and ")} cannot be had: ${installed.output.slice(-300)}` };
  writeFileSync(done, "");
  return { bin };
}
