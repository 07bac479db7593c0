import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";

/** Documents that lie outside the repository, in the forms in which sentences cited them. */
const OUTSIDE = /\bdesign,? section \d|[(]research\b|\bresearch, [a-z]+ |(?<!\w)[(]spec, /;
const PLACES = "src web/src sdk tests bench soak bin migrations docs examples README.md ARCHITECTURE.md".split(" ");

function filesOf(place: string): string[] {
  if (statSync(join(ROOT, place)).isFile()) return [place];
  return readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })
    .filter((name) => /[.](tsx?|m?js|c|sql|md|ya?ml)$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(place, name));
}

test("no file cites a document that is not in the repository", () => {
  const files = PLACES.flatMap(filesOf);
  expect(files.length).toBeGreaterThan(2_000);
  expect(files.filter((name) => OUTSIDE.test(readFileSync(join(ROOT, name), "utf8")))).toEqual([]);
});
