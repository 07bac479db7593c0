import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Place {
  place: string;
  version: string | undefined;
}

const load = <T>(file: string) => import(new URL(`../../bin/${file}`, import.meta.url).href) as Promise<T>;
const { checkVersions } = await load<{ checkVersions: () => string[] }>("release.js");
const { copyLegal } = await load<{ copyLegal: (folder: string) => void }>("pack.js");
const { readVersions } = await load<{ readVersions: () => Place[] }>("versions.js");

test("every package, the chart, the image's label and the documents have one version, which the changelog dates", () => {
  expect(checkVersions()).toEqual([]);
  const places = readVersions().map(({ place }) => place.split(":")[0]);
  for (const file of [
    "package.json",
    "sdk/package.json",
    "web/package.json",
    "integrations/make/package.json",
    "integrations/n8n/package.json",
    "integrations/zapier/package.json",
    "package-lock.json",
    "sdk-python/pyproject.toml",
    "deploy/helm/parley/Chart.yaml",
    "Dockerfile",
    "docs/sdk.md",
    "docs/cli.md",
  ]) {
    expect(places).toContain(file);
  }
});

test("a package gets the licence itself in place of a link to it", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-legal-"));
  try {
    const licence = new URL("../../LICENSE", import.meta.url);
    symlinkSync(licence.pathname, join(folder, "LICENSE"));
    copyLegal(folder);
    expect(lstatSync(join(folder, "LICENSE")).isSymbolicLink()).toBe(false);
    expect(readFileSync(join(folder, "LICENSE"), "utf8")).toBe(readFileSync(licence, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
