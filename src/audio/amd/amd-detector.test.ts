import { expect, test } from "vitest";
import { AmdDetector } from "./amd-detector.ts";
import type { AnswerEvent } from "./amd-events.ts";

const FRAME = 160;
const SILENCE = new Int16Array(FRAME);

/** Returns 20 ms of noise that changes as speech does, or of a tone. */
function soundOf(hz: number | null, at: number): Int16Array {
  const random = (i: number) => Math.sin(i * 12.9898 + at * 78.233) * 43_758.5453;
  return Int16Array.from({ length: FRAME }, (_, i) =>
    hz === null
      ? (random(i) - Math.floor(random(i)) - 0.5) * 12_000
      : 8_000 * Math.sin((2 * Math.PI * hz * (at * FRAME + i)) / 8_000),
  );
}

function createWatch() {
  const verdicts: string[] = [];
  const onEvent = (event: AnswerEvent) => void (event.kind === "VERDICT" && verdicts.push(event.answeredBy));
  const supervisor = new AmdDetector({ language: "en-US", onEvent });
  let frames = 0;
  const pass = (ms: number, hz: number | null | "SILENCE"): void => {
    for (let i = 0; i < ms / 20; i++) {
      const sound = hz === "SILENCE" ? SILENCE : soundOf(hz, frames);
      supervisor.frame(sound, hz !== "SILENCE", ++frames * 20);
    }
  };
  const say = (text: string, isFinal: boolean): void =>
    supervisor.hearWords(isFinal ? { kind: "FINAL", text, confidence: 1 } : { kind: "PARTIAL", text });
  return { supervisor, verdicts, pass, say };
}

test('words that go on are judged anew: "after the tone please say your name" is no mailbox', () => {
  const { verdicts, pass, say } = createWatch();
  pass(1_000, null);
  say("after the tone", false);
  say("after the tone please say your name", false);
  say("After the tone please say your name.", true);
  expect(verdicts).toEqual(["MACHINE_VOICEMAIL", "MACHINE_SCREENING"]);
});

test("the beep of a screening assistant makes it no mailbox, that of a mailbox does", () => {
  for (const [text, last] of [
    ["Please state your name.", "MACHINE_SCREENING"],
    ["You have reached the Smiths.", "MACHINE_VOICEMAIL"],
  ] as const) {
    const { verdicts, pass, say } = createWatch();
    pass(2_000, null);
    say(text, true);
    pass(600, "SILENCE");
    pass(400, 1_000);
    pass(600, "SILENCE");
    expect(verdicts.at(-1), text).toBe(last);
  }
});
