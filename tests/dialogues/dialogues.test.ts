import { describe, expect, test } from "vitest";
import { ENGLISH_ANSWERS } from "./english-answers.ts";
import { findFaults } from "./find-faults.ts";
import type { Script } from "./script.ts";

const SUITES: [about: string, scripts: Script[]][] = [["answers in English", ENGLISH_ANSWERS]];

describe.each(SUITES)("%s", (_about, scripts) => {
  test.each(scripts.map((script) => [script.title, script] as const))("%s", async (_title, script) => {
    expect(await findFaults(script)).toEqual([]);
  });
});
