import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";

/** A doc comment that begins with a relative clause instead of a subject (STYLE.md). */
const CLAUSE = /\/\*\*(?:\s|\*)*(?:What|How|Where|Whether|Who|Whoever|Of)\b.*/g;

test("each doc comment begins with its subject", () => {
  const files = globSync(
    ["src", "web/src", "sdk/src", "tests", "bench", "soak"].map((folder) => `${folder}/**/*.{ts,tsx}`),
    {
      cwd: ROOT,
      // Programs that a benchmark compares with may be installed.
      exclude: ["**/node_modules/**"],
    },
  );
  expect(files.length).toBeGreaterThan(1_000);
  const faults = files.flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), "utf8").matchAll(CLAUSE), ([comment]) => `${file}: ${comment}`),
  );
  expect(faults).toEqual([]);
});
