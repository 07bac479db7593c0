import { expect, test } from "vitest";

interface Place {
  place: string;
  version: string | undefined;
}

const load = <T>(file: string) => import(new URL(`../../bin/${file}`, import.meta.url).href) as Promise<T>;
const { checkVersions } = await load<{ checkVersions: () => string[] }>("release.js");
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
  ]) {
    expect(places).toContain(file);
  }
});
