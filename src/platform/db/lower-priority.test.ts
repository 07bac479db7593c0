import { execFileSync } from "node:child_process";
import { getPriority } from "node:os";
import { expect, test } from "vitest";

const MODULE = new URL("./lower-priority.ts", import.meta.url);
/** Lowers another process and prints its priority. */
const LOWER = `
import { spawn } from "node:child_process";
import { getPriority } from "node:os";
import { lowerPriority } from ${JSON.stringify(MODULE)};
const other = spawn("sleep", ["60"]);
lowerPriority(() => other.pid);
console.log(getPriority(other.pid));
other.kill();
`;

test.skipIf(process.platform !== "linux")(
  "the priority is lowered below that of a server which runs at a lower one itself",
  () => {
    const node = [process.execPath, "--input-type=module", "--eval", LOWER];
    const lowered = Number(execFileSync("nice", ["-n", "5", ...node], { encoding: "utf8" }));
    expect(lowered).toBe(Math.min(getPriority() + 5 + 10, 19));
  },
);
