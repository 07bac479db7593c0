import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "../database.ts";
import { type ProgramEnd, runProgram } from "../python.ts";
import { ROOT } from "../repository.ts";

/** Programs that a stand-in replaces, because the real ones would start containers, pods and services, or download. */
const STAND_INS = ["docker", "kubectl", "helm", "systemctl", "apt-get", "pg_dropcluster", "curl", "npm"];

const SPACE = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"];

/** Folders of the machine that a reader with root changes. What is written to them is gone with the machine. */
const LAYERS = ["/etc", "/var", "/opt", "/srv", "/usr/bin"];

/* A layer over each folder, and the checkout in /opt/parley. The checkout is taken first: it may lie below a layer. */
const ENTER = `
set -euo pipefail
exec 2>&1
mount -t tmpfs tmpfs "$MACHINE/layers"
layer() {
  local own="$MACHINE/layers/$3"
  mkdir -p "$own/upper" "$own/work" "$2"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$own/upper,workdir=$own/work" "$2"
}
layer "$CHECKOUT" "$MACHINE/checkout" checkout
for folder in ${LAYERS.join(" ")}; do layer "$folder" "$folder" "\${folder//\\//-}"; done
mkdir -p /opt/parley
mount --bind "$MACHINE/checkout" /opt/parley
ln -sf "$NODE" /usr/bin/node
fill_in() { node "$CHECKOUT/tests/kit/pages/stand-ins/fill-in.ts" "$1"; }
cd /opt/parley
cp deploy/compose/.env.example deploy/compose/.env && fill_in deploy/compose/.env
`;

/** Suffix for the titles of tests that need a machine; empty when this process may make one. */
export const withoutMachine = canEnter() ? "" : " (skipped: needs Linux, and root that may mount)";

function canEnter(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "parley-machine-"));
  const script = `mount -t tmpfs tmpfs "$0" && mkdir "$0/upper" "$0/work" && mount -t overlay overlay -o \
"lowerdir=/etc,upperdir=$0/upper,workdir=$0/work" /etc`;
  const { status } = spawnSync("unshare", [...SPACE, "sh", "-c", script, folder], { stdio: "ignore" });
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}

/**
 * Runs commands of a page as root in the checkout of a machine that is thrown away: a namespace of this one in which
 * nothing is kept, no process is left, and containers, pods and services are processes.
 */
export async function runOnMachine(text: string): Promise<ProgramEnd> {
  const folder = mkdtempSync(join(tmpdir(), "parley-machine-"));
  for (const name of ["bin", "layers", "checkout", "home"]) mkdirSync(join(folder, name));
  for (const name of STAND_INS) writeFileSync(join(folder, "bin", name), standIn(name), { mode: 0o755 });
  const database = await createDatabase();
  const settings = { DATABASE_URL: database.url, PARLEY_SECRET: "0123456789abcdef0123456789abcdef" };
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH ?? ""}:/usr/sbin:/sbin`,
    HOME: join(folder, "home"),
    LANG: "C.UTF-8",
    MACHINE: folder,
    CHECKOUT: ROOT,
    NODE: process.execPath,
    MACHINE_DATABASE_URL: settings.DATABASE_URL,
    MACHINE_SECRET: settings.PARLEY_SECRET,
  };
  try {
    const script = `${ENTER}\n${fill(text, settings)}`;
    // Through a pipe of the shell, because what Node gives a program to read from cannot be opened as /dev/stdin.
    const command = [
      "env",
      "-i",
      ...pairs(env),
      "sh",
      "-c",
      'cat | "$@"',
      "sh",
      "unshare",
      ...SPACE,
      "bash",
      "-c",
      script,
    ];
    const input = `${pairs(settings).join("\n")}\nPARLEY_URL=https://parley.example.com\n`;
    return await runProgram("env", command.slice(1), { input });
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function pairs(values: Record<string, string>): string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}

/** Returns the text of a program that calls the stand-in of a name. It needs MACHINE, CHECKOUT and NODE. */
export function standIn(name: string): string {
  return `#!/bin/sh\nexec "$NODE" "$CHECKOUT/tests/kit/pages/stand-ins/main.ts" ${name} "$@"\n`;
}

/** Puts in what a reader puts in: the secrets that a page leaves out, and the values of a file that it says to fill in. */
function fill(text: string, { DATABASE_URL, PARLEY_SECRET }: { DATABASE_URL: string; PARLEY_SECRET: string }): string {
  return text
    .replaceAll("DATABASE_URL=postgres://…", `'DATABASE_URL=${DATABASE_URL}'`)
    .replaceAll("PARLEY_SECRET=…", `PARLEY_SECRET=${PARLEY_SECRET}`)
    .replaceAll(/chmod 600 (\S+) +# fill it in.*$/gm, "chmod 600 $1 && fill_in $1");
}
