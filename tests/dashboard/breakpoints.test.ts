import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../../web/src");

test("no style sheet has a width of its own", () => {
  const sheets = globSync("**/*.css", { cwd: SOURCES });
  expect(sheets.length).toBeGreaterThan(5);
  const own = sheets.flatMap(
    (name) => readFileSync(join(SOURCES, name), "utf8").match(/@media[^{]*-width:[^{]*/g) ?? [],
  );
  expect(own).toEqual([]);
});
