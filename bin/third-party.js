import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./runtime.js";

/** The list of packages that the server runs with, and their licences. */
export const THIRD_PARTY = "THIRD_PARTY.md";

const HEAD = `# Third-party packages

The server runs with these packages, which are installed from their own archives with their own licence texts. The
dashboard's scripts hold packages too, as those of the documentation do: their builds write the licences to
\`web/dist/.vite/licences.md\` and \`site/dist/licences.md\`. Embedded PostgreSQL has the PostgreSQL Licence.

| package | licence |
|---|---|
`;

/**
 * Returns the packages of the server's production install by their name, with version and SPDX licence: what the root
 * package of the lock file depends on, without its workspaces.
 */
export function shippedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const seen = new Map();
  const queue = dependenciesOf(packages[""]).map((name) => ["", name]);
  for (const [from, name] of queue) {
    const path = resolve(packages, from, name);
    if (path === undefined || seen.has(path)) continue;
    seen.set(path, { name, version: packages[path].version, licence: packages[path].license ?? "none" });
    if (!packages[path].link) queue.push(...dependenciesOf(packages[path]).map((next) => [path, next]));
  }
  const own = ({ version }) => version !== undefined;
  return [...seen.values()]
    .filter(own)
    .sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

/** Returns the list's text, from the lock file. */
export function thirdPartyText() {
  const lines = shippedPackages().map(({ name, version, licence }) => `| ${name} ${version} | ${licence} |\n`);
  return HEAD + lines.join("");
}

/** Writes the list anew. */
export function writeThirdParty() {
  writeFileSync(join(root, THIRD_PARTY), thirdPartyText());
}

function dependenciesOf({ dependencies = {}, optionalDependencies = {} }) {
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** Finds a package as Node does: beside the one that asks for it, then further up. */
function resolve(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const path = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[path]) return path;
    if (at === "") return undefined;
  }
}
