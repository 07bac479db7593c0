import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";

interface Line {
  heading: string;
  statement: string;
  file: string;
  title: string;
}

const lines = readFileSync(join(ROOT, "docs/contract.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| heading"))
  .map((line): Line => {
    const [heading = "", statement = "", proof = ""] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    const at = proof.indexOf(": ");
    return { heading, statement, file: proof.slice(0, at), title: proof.slice(at + 2) };
  });

test("every test that docs/contract.md names exists", () => {
  expect(lines.length).toBeGreaterThan(80);
  const lost = lines.filter(({ file, title }) => {
    const path = join(ROOT, "tests", file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(title);
  });
  expect(lost).toEqual([]);
});

// The specification is no part of the repository: a clone has it beside it, or not.
const spec = process.env.PARLEY_SPEC ?? join(ROOT, "../shared/spec.md");
test.skipIf(!existsSync(spec))(
  "every heading and numbered rule of the specification has a line (skipped: no spec.md)",
  () => {
    const missing: string[] = [];
    let heading = "";
    for (const line of readFileSync(spec, "utf8").split("\n")) {
      const title = /^#{2,3} (.+)$/.exec(line)?.[1];
      if (title !== undefined) heading = title;
      const rule = /^(\d+)\. /.exec(line)?.[1];
      if (rule === undefined) continue;
      const known = lines.some((one) => one.heading === heading && one.statement.startsWith(`rule ${rule}:`));
      if (!known) missing.push(`${heading}, rule ${rule}`);
    }
    expect(missing).toEqual([]);
  },
);
