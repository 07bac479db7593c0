import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { listSuiteFiles } from "#src/workbench/simulations/read-suite.ts";
import { loadSuite } from "./suite-files.ts";

const root = mkdtempSync(join(tmpdir(), "parley-suite-files-"));
const folder = join(root, "suites");
const suite = join(folder, "a.suite.yaml");
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(root, "outside.yaml"), "outside");
  writeFileSync(join(folder, "beside.yaml"), "beside");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function load(flow: string) {
  writeFileSync(suite, `suite: a\nflow: { file: ${JSON.stringify(flow)} }\nscenarios: [{ persona: agrees }]\n`);
  return loadSuite(suite, listSuiteFiles).files;
}

test("a file beside the suite travels under the name that the suite uses, whatever the working directory", () => {
  expect(load("./beside.yaml")).toEqual({ "./beside.yaml": "beside" });
});

test("a file outside is read where the path says so, and not through a link", () => {
  expect(load("../outside.yaml")).toEqual({ "../outside.yaml": "outside" });
  symlinkSync(join(root, "outside.yaml"), join(folder, "link.yaml"));
  expect(() => load("link.yaml")).toThrow(/link\.yaml is a link to .*outside\.yaml/);
});

test("a file that is not there, and one that is no text, are told by name", () => {
  expect(() => load("gone.yaml")).toThrow(/a\.suite\.yaml names gone\.yaml, but there is no file .*gone\.yaml/);
  writeFileSync(join(folder, "beside.yaml"), Buffer.from([0xff, 0xfe, 0x00]));
  expect(() => load("beside.yaml")).toThrow(/beside\.yaml is not a text in UTF-8/);
  expect(() => loadSuite(join(folder, "none.yaml"), listSuiteFiles)).toThrow(/There is no suite/);
});

test("a suite that is no YAML is left for the server to refuse", () => {
  writeFileSync(suite, "suite: [");
  expect(loadSuite(suite, listSuiteFiles)).toMatchObject({ text: "suite: [", files: {} });
});
