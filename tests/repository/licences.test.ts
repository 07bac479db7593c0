import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";

interface ThirdParty {
  THIRD_PARTY: string;
  shippedPackages: () => { name: string; version: string; licence: string }[];
  thirdPartyText: () => string;
}
const lister = new URL("../../bin/third-party.js", import.meta.url).href;
const { shippedPackages, THIRD_PARTY, thirdPartyText } = (await import(lister)) as ThirdParty;

/** Licences that ask for no more than their text and the names of the authors. A choice (OR) needs one of them. */
const PERMISSIVE = new Set(
  "MIT, ISC, 0BSD, BSD, BSD-2-Clause, BSD-3-Clause, Apache-2.0, BlueOak-1.0.0, Unlicense, Zlib, CC0-1.0, PostgreSQL, Python-2.0".split(
    ", ",
  ),
);

function isPermissive(licence: string): boolean {
  const plain = licence.replaceAll(/[()]/g, "");
  return plain.split(" OR ").some((choice) => choice.split(" AND ").every((one) => PERMISSIVE.has(one)));
}

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("nothing that ships has a licence that binds what it is shipped with", () => {
  const shipped = shippedPackages();
  expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(["fastify", "pg", "ajv"]));
  expect(shipped.map(({ name }) => name)).not.toContain("vitest");
  expect(shipped.filter(({ licence }) => !isPermissive(licence))).toEqual([]);
  expect(["GPL-3.0-only", "AGPL-3.0", "MPL-2.0", "none", "MIT AND GPL-2.0"].filter(isPermissive)).toEqual([]);
});

test("THIRD_PARTY.md lists what ships; `npm run fix` writes it anew", () => {
  expect(read(THIRD_PARTY)).toBe(thirdPartyText());
});

test("every package of the checkout has the licence that LICENSE grants", () => {
  const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
  const licences = ["", ...workspaces].map((path) => {
    const { license } = JSON.parse(read(join(path, "package.json"))) as { license?: string };
    return [path, license];
  });
  expect(licences).toEqual(["", ...workspaces].map((path) => [path, "Apache-2.0"]));
  for (const file of ["LICENSE", "NOTICE"]) expect(read(file)).toContain("SPDX-License-Identifier: Apache-2.0");
});
