import { describe, expect, test } from "vitest";
import { ENGLISH_ANSWERS } from "./english-answers.ts";
import { ENGLISH_TALK } from "./english-talk.ts";
import { ENGLISH_TURNS } from "./english-turns.ts";
import { ENGLISH_WISHES } from "./english-wishes.ts";
import { findFaults } from "./find-faults.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { HOSTILE } from "./hostile.ts";
import { KNOWLEDGE, TOOLS } from "./knowledge-and-tools.ts";
import type { Script } from "./script.ts";
import { SPANISH } from "./spanish.ts";
import { SWEDISH } from "./swedish.ts";

const SUITES: [about: string, scripts: Script[]][] = [
  ["answers in English", ENGLISH_ANSWERS],
  ["wishes in English", ENGLISH_WISHES],
  ["talks in English", ENGLISH_TALK],
  ["difficult turns in English", ENGLISH_TURNS],
  ["German", GERMAN],
  ["Spanish", SPANISH],
  ["French", FRENCH],
  ["Swedish", SWEDISH],
  ["questions answered from the knowledge base", KNOWLEDGE],
  ["tools of the flow", TOOLS],
  ["hostile people", HOSTILE],
];

describe.each(SUITES)("%s", (_about, scripts) => {
  test.each(scripts.map((script) => [script.title, script] as const))("%s", async (_title, script) => {
    expect(await findFaults(script)).toEqual([]);
  });
});
