import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOptions } from "../../soak/options.ts";
import { ROOT } from "../kit/repository.ts";

const KNOWN = ["rounds", "seed"];

test("options are pairs of a known name and a number", () => {
  expect(readOptions(["--rounds", "3", "--seed", "0"], KNOWN)).toEqual({
    options: new Map([
      ["rounds", 3],
      ["seed", 0],
    ]),
  });
});

test.each([[["--help"]], [["--round", "3"]], [["rounds", "3"]], [["--rounds"]], [["--rounds", "three"]]])(
  "%j is refused, with the options that there are",
  (args) => {
    expect(readOptions(args, KNOWN)).toEqual({ fault: expect.stringContaining("--rounds NUMBER, --seed NUMBER") });
  },
);

test("soak failover --help says the options and strikes nothing", () => {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, "soak/run.ts"), "failover", "--help"], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({
    status: 2,
    stdout: expect.stringMatching(/^--help is no option\. It takes --/),
  });
});

test("soak month refuses fewer days than it can compare, before it begins", () => {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, "soak/run.ts"), "month", "--days", "4"], {
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([1, expect.stringContaining("--days 4 is too few to compare days")]);
});
