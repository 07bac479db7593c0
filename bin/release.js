import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildCli } from "./cli.js";
import { installDependencies } from "./install.js";
import { BUILDERS } from "./integrations.js";
import { copyLegal } from "./pack.js";
import { findNode, LauncherError, npm, root, runQuietly, tail } from "./runtime.js";
import { buildPackage } from "./sdk.js";
import { dateOf, readVersions, writeVersion } from "./versions.js";

const out = join(root, "dist", "release");
const SUMS = "SHA256SUMS";

/** Files that each kind of artefact may hold; every one also holds LICENSE and NOTICE. */
const CONTENTS = [
  [
    /^parley-sdk-.*\.tgz$/,
    /^package\/(?:(?:esm|cjs)\/[\w./-]+\.(?:js|d\.ts)|cjs\/package\.json|package\.json|README\.md)$/,
  ],
  [/^parley-cli-.*\.tgz$/, /^package\/(?:[\w./-]+\.js|package\.json|README\.md|licences\.md)$/],
  [/^n8n-nodes-parley-.*\.tgz$/, /^package\/(?:dist\/[\w./-]+\.(?:js|d\.ts|svg)|package\.json|README\.md)$/],
  [
    /^parley-zapier-.*\.tgz$/,
    /^package\/(?:dist\/(?:zapier|n8n\/shared)\/[\w./-]+\.js|dist\/zapier\/package\.json|index\.js|package\.json|README\.md)$/,
  ],
  [
    /^parley-make-.*\.tgz$/,
    /^package\/(?:(?:connections|general|modules|rpcs|webhooks)\/[\w./-]+\.json|makecomapp\.json|package\.json|README\.md)$/,
  ],
  [/^parley-chart-.*\.tgz$/, /^parley\/(?:[\w.-]+\.(?:yaml|json)|templates\/[\w./-]+\.(?:yaml|tpl|txt))$/],
  [
    /^parley_sdk-.*\.whl$/,
    /^parley_sdk(?:\/[\w./-]+\.(?:py|typed)|-[\w.]+\.dist-info\/(?:METADATA|RECORD|WHEEL|top_level\.txt))$/,
  ],
];
const LEGAL = /(?:^|\/)(?:LICENSE|NOTICE)$/;

/** Runs a command of the release: check, pack or version X.Y.Z. None of them publishes anything. */
export async function release([command, version]) {
  const commands = {
    check: () => report(checkVersions()),
    pack: () => pack(),
    version: () => writeVersion(version, new Date().toISOString().slice(0, 10)),
  };
  const run = commands[command ?? ""];
  if (!run) throw new LauncherError("Say npm run release -- check, pack, or version X.Y.Z.");
  await run();
}

/** Returns what keeps the checkout from being released: versions that differ, and a changelog without the version. */
export function checkVersions() {
  const versions = readVersions();
  const [{ version }] = versions;
  const faults = versions
    .filter((one) => one.version !== version)
    .map((one) => `${one.place} has ${one.version}, package.json ${version}.`);
  if (dateOf(version) === null) faults.push(`CHANGELOG.md has no section of ${version} with a date.`);
  return faults;
}

async function pack() {
  report(checkVersions());
  const node = await findNode();
  await installDependencies(node, { withDevelopment: true });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "parley-release-"));
  try {
    take(await buildPackage(node, join(scratch, "sdk")));
    take(await buildCli(node, join(scratch, "cli")));
    for (const [name, build] of Object.entries(BUILDERS)) take(await build(node, join(scratch, name)));
    take(await packChart(scratch));
    take(await packWheel(scratch));
    await writeSbom(node);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const names = readdirSync(out).toSorted();
  writeFileSync(join(out, SUMS), names.map((name) => `${digestOf(name)}  ${name}\n`).join(""));
  report(await checkArtefacts(names));
  process.stdout.write(`${[...names, SUMS].map((name) => join(out, name)).join("\n")}\n`);
}

function take(file) {
  renameOrCopy(file, join(out, basename(file)));
}

/** The temporary folder may be on another disk. */
function renameOrCopy(from, to) {
  try {
    renameSync(from, to);
  } catch {
    cpSync(from, to);
  }
}

async function packChart(scratch) {
  const chart = join(scratch, "chart", "parley");
  cpSync(join(root, "deploy", "helm", "parley"), chart, { recursive: true });
  copyLegal(chart);
  const file = join(scratch, `parley-chart-${readVersions()[0].version}.tgz`);
  await succeed(["tar", "-czf", file, "-C", join(scratch, "chart"), "parley"], "The chart was not packed.");
  return file;
}

async function packWheel(scratch) {
  const copy = join(scratch, "sdk-python");
  cpSync(join(root, "sdk-python"), copy, {
    recursive: true,
    filter: (path) => !/\/(?:build|__pycache__)$|egg-info/.test(path),
  });
  copyLegal(copy);
  const wheels = join(scratch, "wheels");
  const build = ["python3", "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "-q", "-w", wheels, copy];
  await succeed(build, "The wheel was not built; it needs python3 with pip.");
  return join(wheels, readdirSync(wheels)[0]);
}

/** Writes the list of what the server ships with, from package-lock.json alone. */
async function writeSbom(node) {
  const sbom = [
    "sbom",
    "--sbom-format",
    "cyclonedx",
    "--omit",
    "dev",
    "--package-lock-only",
    "--offline",
    "--loglevel",
    "error",
  ];
  const { code, output } = await npm(sbom, node);
  if (code !== 0) throw new LauncherError(`The bill of materials was not written.\n${tail(output)}`);
  writeFileSync(join(out, "parley-sbom.cdx.json"), output.slice(output.indexOf("{")));
}

/** Returns what is wrong with the packed files: contents, licences and checksums. */
export async function checkArtefacts(names, folder = out) {
  const faults = [];
  const sums = readFileSync(join(folder, SUMS), "utf8");
  for (const name of names) {
    if (!sums.includes(`${digestOf(name, folder)}  ${name}\n`)) faults.push(`${SUMS} has another digest of ${name}.`);
    if (name.endsWith(".json")) continue;
    const [, allowed] = CONTENTS.find(([file]) => file.test(name)) ?? [];
    const files = await listFiles(join(folder, name));
    const strange = files.filter((file) => !LEGAL.test(file) && !allowed?.test(file));
    faults.push(...strange.map((file) => `${name} holds ${file}, which does not belong there.`));
    for (const legal of ["LICENSE", "NOTICE"]) {
      if (!files.some((file) => file.endsWith(`/${legal}`))) faults.push(`${name} has no ${legal}.`);
    }
  }
  return faults;
}

async function listFiles(file) {
  const command = file.endsWith(".whl") ? ["python3", "-m", "zipfile", "-l", file] : ["tar", "-tzf", file];
  const output = await succeed(command, `${basename(file)} cannot be read.`);
  const lines = output.trim().split("\n");
  const names = file.endsWith(".whl") ? lines.slice(1).map((line) => line.split(/\s{2,}|\s+\d{4}-/)[0]) : lines;
  return names.filter((name) => !name.endsWith("/"));
}

function digestOf(name, folder = out) {
  return createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex");
}

async function succeed(command, failed) {
  const { code, output } = await runQuietly(command, { cwd: root });
  if (code !== 0) throw new LauncherError(`${failed}\n${tail(output)}`);
  return output;
}

function report(faults) {
  if (faults.length > 0) throw new LauncherError(faults.join("\n"));
  process.stdout.write("Nothing keeps it from being released.\n");
}
