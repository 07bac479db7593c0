import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../kit/repository.ts";

/** Paths that no image of ours may have, below /app. */
const FOREIGN = /(^|\/)(\.git|\.env|\.npmrc|\.runtime|tests|bench|soak|secret)(\/|$)|\.test\.tsx?$/;
const LICENCE = /^(licen[cs]e|copying|notice|copyright)/i;

interface Locked {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
}

/** Compares the files of an image, mounted at `mount`, with this checkout; returns what is wrong. */
export function inspectContents(mount: string): string[] {
  const app = join(mount, "app");
  const own = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
    (path) => !/(^|\/)node_modules\//.test(path),
  );
  const faults = own.filter((path) => FOREIGN.test(path)).map((path) => `The image has ${path}.`);
  for (const path of [
    "src/main.ts",
    "migrations/0001_platform.sql",
    "templates/appointment-reminder/flow.json",
    "tool-packs/google-calendar.yaml",
    "web/dist/index.html",
    "web/dist/.vite/licences.md",
    "site/dist/index.html",
    "site/dist/licences.md",
  ]) {
    if (!own.includes(path)) faults.push(`The image lacks ${path}.`);
  }
  return [...faults, ...inspectPackages(app)];
}

/** Holds the packages of the image against the lock file, and their licence files against those of this checkout. */
function inspectPackages(app: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const found = globSync("node_modules/**/package.json", { cwd: app })
    .map((path) => path.slice(0, -"/package.json".length))
    .filter((path) => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/.test(path));
  const faults = found.length < 50 ? [`The image has only ${found.length} packages.`] : [];
  for (const path of found) {
    const locked = packages[path];
    const { version } = JSON.parse(readFileSync(join(app, path, "package.json"), "utf8")) as { version?: string };
    if (!locked || locked.dev || locked.optional) faults.push(`${path} is no production dependency.`);
    else if (!locked.link && locked.version !== version) faults.push(`${path} is ${version}, not ${locked.version}.`);
    const kept = new Set(readdirSync(join(app, path)));
    const lost = readdirSync(join(ROOT, path)).filter((name) => LICENCE.test(name) && !kept.has(name));
    faults.push(...lost.map((name) => `The image lacks ${path}/${name}.`));
  }
  return faults;
}
