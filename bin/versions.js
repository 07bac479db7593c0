import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LauncherError, root } from "./runtime.js";

const SEMANTIC = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
/** Places of the version, as a pattern around it; several of one file have a line each. */
const PLACES = [
  ["sdk-python/pyproject.toml", /^(version = ")([^"]+)(")/m],
  ["deploy/helm/parley/Chart.yaml", /^(version: )(\S+)()$/m],
  ["deploy/helm/parley/Chart.yaml", /^(appVersion: )(\S+)()$/m],
  ["Dockerfile", /(org\.opencontainers\.image\.version=")([^"]+)(")/],
  ["docs/sdk.md", /(parley-sdk-)([0-9][^/\s]*)(\.tgz)/],
  ["docs/cli.md", /(parley-cli-)([0-9][^/\s]*)(\.tgz)/],
];
const OWN = /^(?:parley|@parley\/[\w-]+|n8n-nodes-parley)$/;

/** Returns every place that has the version, with the version there. */
export function readVersions() {
  const manifests = ownManifests().map((file) => ({ place: file, version: readJson(file).version }));
  const demanded = ownManifests().flatMap((file) =>
    Object.entries(readJson(file).dependencies ?? {})
      .filter(([name]) => OWN.test(name))
      .map(([name, version]) => ({ place: `${file}: ${name}`, version })),
  );
  const locked = Object.entries(readJson("package-lock.json").packages)
    .filter(([path, { name, link }]) => !link && !path.includes("node_modules/") && OWN.test(name ?? ""))
    .map(([path, { version }]) => ({ place: `package-lock.json: ${path}`, version }));
  const others = PLACES.map(([file, pattern]) => ({
    place: `${file}: ${pattern.source}`,
    version: pattern.exec(read(file))?.[2],
  }));
  return [...manifests, ...demanded, ...locked, ...others];
}

/** Writes a version to every place, and dates its section in the changelog. */
export function writeVersion(version, date) {
  if (!SEMANTIC.test(version ?? "")) throw new LauncherError("Name a semantic version, such as 0.3.0.");
  dateChangelog(version, date);
  const before = readJson("package.json").version;
  for (const file of ownManifests()) {
    const own = /("(?:version|@parley\/[\w-]+)": ")([^"*]+)(")/g;
    replace(file, own, version);
  }
  for (const [file, pattern] of PLACES) replace(file, pattern, version);
  const lock = readJson("package-lock.json");
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.includes("node_modules/") || !OWN.test(entry.name ?? "")) continue;
    entry.version = version;
    for (const [name, wanted] of Object.entries(entry.dependencies ?? {})) {
      if (OWN.test(name) && wanted === before) entry.dependencies[name] = version;
    }
  }
  write("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
}

/** Returns the date of a version's section in the changelog; null when it has none. */
export function dateOf(version) {
  const escaped = version.replaceAll(".", "\\.");
  return new RegExp(`^## ${escaped}, (\\d{4}-\\d{2}-\\d{2})$`, "m").exec(read("CHANGELOG.md"))?.[1] ?? null;
}

function dateChangelog(version, date) {
  if (dateOf(version) !== null) return;
  const heading = `## ${version}, not released yet`;
  const text = read("CHANGELOG.md");
  if (!text.includes(`${heading}\n`)) throw new LauncherError(`CHANGELOG.md has no section "${heading}".`);
  write("CHANGELOG.md", text.replace(heading, `## ${version}, ${date}`));
}

/** The manifests of Parley's own packages, in the checkout's folders and one below. */
function ownManifests() {
  const folders = ["", ...foldersIn(""), ...foldersIn("integrations").map((name) => `integrations/${name}`)];
  return folders
    .map((folder) => join(folder, "package.json"))
    .filter((file) => existsSync(join(root, file)) && OWN.test(readJson(file).name));
}

function foldersIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules").map(({ name }) => name);
}

function replace(file, pattern, version) {
  write(file, read(file).replace(pattern, `$1${version}$3`));
}

function readJson(file) {
  return JSON.parse(read(file));
}

function read(file) {
  return readFileSync(join(root, file), "utf8");
}

function write(file, text) {
  writeFileSync(join(root, file), text);
}
