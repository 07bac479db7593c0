import { expect, test } from "vitest";
import { runProgram } from "./python.ts";

test("a program that does not read its input is told by its code", async () => {
  const input = "x".repeat(1_000_000);
  expect(await runProgram("sh", ["-c", "exec 0<&-; sleep 0.2; echo done; exit 3"], { input })).toEqual({
    code: 3,
    output: "done\n",
  });
});
