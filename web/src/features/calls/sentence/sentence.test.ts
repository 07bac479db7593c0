import type { TranscriptTurn } from "@parley/sdk";
import { expect, it } from "vitest";
import { answerAt, linesAround, toSayings } from "./sentence.ts";

const turn = (index: number, role: TranscriptTurn["role"], more: Partial<TranscriptTurn> = {}): TranscriptTurn => ({
  index,
  role,
  content: `${role} ${index}`,
  startMs: index * 1_000,
  endMs: index * 1_000 + 500,
  interrupted: false,
  toolCallId: null,
  ...more,
});
const transcript = [
  turn(0, "ASSISTANT"),
  turn(1, "USER"),
  turn(2, "TOOL"),
  turn(3, "SYSTEM", { whisper: true }),
  turn(4, "ASSISTANT"),
  turn(5, "USER"),
];

it("takes what the agent answered to a line of the person, and shows the lines before", () => {
  expect(answerAt(transcript, 4)?.index).toBe(4);
  expect(answerAt(transcript, 1)?.index).toBe(4);
  expect(answerAt(transcript, 5)).toBeUndefined();
  expect(linesAround(transcript, 1).map(({ index }) => index)).toEqual([0, 1, 4]);
  expect(linesAround(transcript, 0).map(({ index }) => index)).toEqual([0]);
  expect(linesAround(transcript, 5).map(({ index }) => index)).toEqual([0, 1, 4, 5]);
  expect(linesAround([], 0)).toEqual([]);
});

it("reads one sentence a line", () => {
  expect(toSayings(" Good morning. \n\n Goodbye.\n")).toEqual(["Good morning.", "Goodbye."]);
  expect(toSayings(" \n")).toEqual([]);
});
