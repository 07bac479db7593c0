import { describe, expect, test } from "vitest";
import { ENGLISH_ANSWERS } from "../kit/dialogues/english-answers.ts";
import { ENGLISH_SMALL_TALK } from "../kit/dialogues/english-small-talk.ts";
import { ENGLISH_TURNS } from "../kit/dialogues/english-turns.ts";
import { ENGLISH_WISHES } from "../kit/dialogues/english-wishes.ts";
import { findFaults } from "../kit/dialogues/find-faults.ts";
import { FRENCH } from "../kit/dialogues/french.ts";
import { GERMAN } from "../kit/dialogues/german.ts";
import { HOSTILE } from "../kit/dialogues/hostile.ts";
import { KNOWLEDGE, TOOLS } from "../kit/dialogues/knowledge-and-tools.ts";
import type { Script } from "../kit/dialogues/script.ts";
import { SPANISH } from "../kit/dialogues/spanish.ts";
import { SWEDISH } from "../kit/dialogues/swedish.ts";

const SUITES: [about: string, scripts: Script[]][] = [
  ["answers in English", ENGLISH_ANSWERS],
  ["wishes in English", ENGLISH_WISHES],
  ["talks in English", ENGLISH_SMALL_TALK],
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
