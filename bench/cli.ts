import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Print = (line: string) => void;

const ROOT = join(import.meta.dirname, "..");
const ROUNDS = 20;
const COMMANDS = [
  ["--version"],
  ["help"],
  ["call", "--help"],
  ["flow", "--help"],
  ["completion", "bash"],
  ["flow", "validate", "--offline"],
];

interface Way {
  title: string;
  args: string[];
  /** Time that the process and the kernel worked for it: other work of the machine does not count. */
  milliseconds: number[];
}

/**
 * Measures the CPU that commands take from start to end, in the checkout and in the built package, beside a Node that does
 * nothing. The ways take turns, so that a busy moment of the machine is shared by all.
 */
export async function benchCli(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-cli-"));
  try {
    const packaged = await buildPackage(join(folder, "cli"));
    mkdirSync(join(folder, "parley/flows"), { recursive: true });
    writeFileSync(join(folder, "parley/flows/reminder.yaml"), "apiId: reminder\nname: Reminder\n");
    const programs = { checkout: join(ROOT, "bin/parley.js"), package: packaged };
    const ways: Way[] = [{ title: "node -e 0", args: ["-e", "0"], milliseconds: [] }];
    for (const [place, program] of Object.entries(programs)) {
      for (const command of COMMANDS) {
        ways.push({ title: `${place}: parley ${command.join(" ")}`, args: [program, ...command], milliseconds: [] });
      }
    }
    print(`Command line: ${ROUNDS} starts each, in turn; CPU of user and system, median and best.`);
    // The first start of each fills the caches of the file system and of compiled code.
    for (const way of ways) start(way.args, folder);
    for (let round = 0; round < ROUNDS; round++) for (const way of ways) way.milliseconds.push(start(way.args, folder));
    for (const { title, milliseconds } of ways) {
      const sorted = milliseconds.toSorted((a, b) => a - b);
      const [median = 0, best = 0] = [sorted[Math.floor(ROUNDS / 2)], sorted[0]];
      print(`  ${title.padEnd(60)} ${median.toFixed(0).padStart(4)} ms ${best.toFixed(0).padStart(4)} ms (goal 100)`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(args: string[], cwd: string): number {
  const timed = ["-c", `TIMEFORMAT='%U %S'; time "$@" >/dev/null`, "bash", process.execPath, ...args];
  const { status, stderr } = spawnSync("bash", timed, { cwd, encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  const [user = 0, system = 0] = stderr.trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
  return (user + system) * 1_000;
}

async function buildPackage(folder: string): Promise<string> {
  // A module without types.
  const builder = new URL("../bin/cli.js", import.meta.url).href;
  const { buildCli } = (await import(builder)) as { buildCli: (node: string, out: string) => Promise<string> };
  await buildCli(process.execPath, folder);
  return join(folder, "package/parley.js");
}
