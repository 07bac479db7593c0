import { expect, it } from "vitest";
import { paceTurns } from "./pace-turns.ts";
import type { RecordedTurn } from "./recording.ts";

const turn = (role: RecordedTurn["role"], content: string, startMs: number, endMs: number): RecordedTurn => ({
  role,
  content,
  startMs,
  endMs,
});

it("lets each turn last as long as it is spoken, with the pauses and overlaps of the call", async () => {
  let asked = 0;
  // A second a word.
  const speech = {
    name: "slow",
    speak: (text: string) => Promise.resolve(new Int16Array(8_000 * text.split(" ").length).fill(++asked)),
  };
  const turns = [
    turn("ASSISTANT", "one two three", 500, 1_500),
    turn("TOOL", "{}", 1_600, 1_700),
    // Half a second of silence, then talked over for 200 ms.
    turn("USER", "four five", 2_000, 3_000),
    turn("ASSISTANT", "six", 2_800, 4_000),
    // A sentence that was said twice is synthesised once.
    turn("USER", "four five", 4_000, 4_500),
  ];
  const paced = await paceTurns(turns, 6_000, speech);
  expect(paced.turns.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [500, 3_500],
    [4_000, 6_000],
    [5_800, 6_800],
    [6_800, 8_800],
  ]);
  expect(paced.durationMs).toBe(8_800 + 1_500);
  expect((await paced.speech.speak("six", "ASSISTANT"))[0]).toBe(3);
  expect(asked).toBe(3);
  expect(await paceTurns([], 3_000, speech)).toMatchObject({ turns: [], durationMs: 3_000 });
});
