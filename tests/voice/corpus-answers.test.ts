import { describe, expect, test } from "vitest";
import { AmdDetector } from "#src/audio/amd/amd-detector.ts";
import type { AnswerEvent } from "#src/audio/amd/amd-events.ts";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { ToneMeter } from "#src/audio/tones/tone-meter.ts";
import { EnergyVad } from "#src/audio/vad/energy-vad.ts";
import { babble, mix, noise, silence, tone } from "../kit/voice-corpus/sounds.ts";

interface Call {
  ms: number;
  /** Sounds with the times at which they begin. */
  sounds?: [number, Int16Array][];
  noiseLevel?: number;
  /** Further actions on the detector at a time. */
  at?: Record<number, (supervisor: AmdDetector) => void>;
  language?: string;
}

function answer({ ms, sounds = [], noiseLevel = 8, at = {}, language = "en" }: Call): AnswerEvent[] {
  const events: AnswerEvent[] = [];
  const supervisor = new AmdDetector({ language, onEvent: (event) => events.push(event) });
  const vad = new EnergyVad();
  const track = silence(ms);
  for (const [atMs, sound] of sounds) mix(track, sound, atMs);
  mix(track, noise(ms, noiseLevel), 0);
  for (let frame = 0; (frame + 1) * FRAME_SAMPLES <= track.length; frame++) {
    const samples = track.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES);
    const atMs = (frame + 1) * 20;
    supervisor.frame(samples, vad.hear(samples), atMs);
    at[atMs]?.(supervisor);
  }
  return events;
}

const verdicts = (events: AnswerEvent[]) =>
  events.filter((event) => event.kind === "VERDICT").map((event) => `${event.answeredBy} by ${event.reason}`);

const final = (text: string) => (supervisor: AmdDetector) =>
  supervisor.hearWords({ kind: "FINAL", text, confidence: null });

describe("who answered, without words", () => {
  test.each<[string, Call, string[]]>([
    ["a short greeting", { ms: 3_000, sounds: [[500, babble(700)]] }, ["HUMAN by SHORT_GREETING"]],
    ["a long one", { ms: 8_000, sounds: [[500, babble(6_000)]] }, ["MACHINE_VOICEMAIL by LONG_GREETING"]],
    [
      "a long one and a beep",
      {
        ms: 10_000,
        sounds: [
          [500, babble(5_000)],
          [6_000, tone(400, [1_000])],
        ],
      },
      ["MACHINE_VOICEMAIL by LONG_GREETING", "MACHINE_VOICEMAIL by BEEP"],
    ],
    [
      "a short one and a beep",
      {
        ms: 5_000,
        sounds: [
          [500, babble(1_500)],
          [3_000, tone(300, [800])],
        ],
      },
      ["HUMAN by SHORT_GREETING", "MACHINE_VOICEMAIL by BEEP"],
    ],
    [
      "a fax that calls",
      {
        ms: 9_000,
        sounds: [
          [1_000, tone(500, [1_100])],
          [4_500, tone(500, [1_100])],
        ],
      },
      ["FAX by FAX_TONE", "FAX by FAX_TONE"],
    ],
    ["a fax that answers", { ms: 5_000, sounds: [[1_500, tone(3_000, [2_100])]] }, ["FAX by FAX_TONE"]],
    ["nobody", { ms: 6_000 }, ["SILENCE by NO_SOUND"]],
    [
      "nobody, then somebody",
      { ms: 9_000, sounds: [[6_000, babble(600)]] },
      ["SILENCE by NO_SOUND", "HUMAN by SHORT_GREETING"],
    ],
    ["a click", { ms: 4_000, sounds: [[1_000, noise(40, 9_000)]] }, []],
  ])("%s", (_title, call, expected) => {
    expect(verdicts(answer(call))).toEqual(expected);
  });

  test("two keys' tones after a greeting are no beep", () => {
    const events = answer({
      ms: 6_000,
      sounds: [
        [500, babble(1_000)],
        [3_000, tone(200, [770, 1_336])],
      ],
    });
    expect(events.filter((event) => event.kind === "BEEP")).toEqual([]);
  });
});

describe("a verdict", () => {
  const hello: [number, Int16Array][] = [[500, babble(700)]];

  test("is revised by words and says when it was made", () => {
    const at = { 2_600: final("You have reached Anna."), 4_000: final("Please leave a message.") };
    const events = answer({ ms: 5_000, sounds: [...hello, [2_000, babble(1_500)]], at });
    expect(verdicts(events)).toEqual(["HUMAN by SHORT_GREETING", "MACHINE_VOICEMAIL by WORDS"]);
    expect(events.at(-1)).toMatchObject({ decidedAfterMs: 4_000, revision: 1, confidence: 0.95 });
  });

  test("of the carrier stands against the length of a greeting, and falls to what machines say", () => {
    const carrier = (supervisor: AmdDetector) => supervisor.takeCarrierVerdict("HUMAN", 100);
    const long: [number, Int16Array][] = [[500, babble(6_000)]];
    expect(verdicts(answer({ ms: 9_000, sounds: long, at: { 100: carrier } }))).toEqual(["HUMAN by CARRIER"]);
    const at = { 100: carrier, 5_000: final("leave a message after the beep") };
    expect(verdicts(answer({ ms: 9_000, sounds: long, at }))).toEqual([
      "HUMAN by CARRIER",
      "MACHINE_VOICEMAIL by WORDS",
    ]);
  });

  test("of the carrier that it is uncertain says nothing", () => {
    const at = { 100: (supervisor: AmdDetector) => supervisor.takeCarrierVerdict("UNCERTAIN", 100) };
    expect(verdicts(answer({ ms: 3_000, sounds: hello, at }))).toEqual(["HUMAN by SHORT_GREETING"]);
  });

  test("is not made of what a person says half a minute into the talk", () => {
    const at = { 31_000: final("can you leave a message") };
    expect(verdicts(answer({ ms: 32_000, sounds: hello, at }))).toEqual(["HUMAN by SHORT_GREETING"]);
  });

  test("does not come of words in another language's manner", () => {
    const at = { 1_000: final("nach dem Signalton") };
    expect(verdicts(answer({ ms: 1_400, sounds: hello, at, language: "de" }))).toEqual(["MACHINE_VOICEMAIL by WORDS"]);
    expect(verdicts(answer({ ms: 1_400, sounds: hello, at }))).toEqual([]);
  });
});

describe("a voicemail's message", () => {
  const greeting: [number, Int16Array] = [500, babble(5_000)];
  const due = (events: AnswerEvent[]) => events.filter((event) => event.kind === "MESSAGE_DUE");

  test.each([
    ["of 400 Hz", tone(300, [400])],
    ["of 440 Hz", tone(500, [440])],
    ["of 1000 Hz", tone(200, [1_000])],
    ["of 1400 Hz and 1.5 s", tone(1_500, [1_400])],
    ["of 2000 Hz", tone(400, [2_000])],
    ["that is soft", tone(400, [950], 700)],
  ])("is due after a beep %s, within 300 ms of its end", (_title, beep) => {
    for (const noiseLevel of [8, 100]) {
      const events = answer({ ms: 12_000, sounds: [greeting, [6_200, beep]], noiseLevel });
      const endMs = 6_200 + beep.length / 8;
      expect(due(events)).toHaveLength(1);
      expect(due(events)[0]).toMatchObject({ after: "BEEP" });
      expect(due(events)[0]?.atMs).toBeGreaterThan(endMs);
      expect(due(events)[0]?.atMs).toBeLessThanOrEqual(endMs + 300);
    }
  });

  test("is due after 2.5 s of silence without a beep, and again when the beep comes after all", () => {
    const silent = answer({ ms: 12_000, sounds: [greeting] });
    expect(due(silent)).toHaveLength(1);
    expect(due(silent)[0]).toMatchObject({ after: "SILENCE" });
    const late = answer({ ms: 14_000, sounds: [greeting, [10_000, tone(400, [1_000])]] });
    expect(due(late).map((event) => event.kind === "MESSAGE_DUE" && event.after)).toEqual(["SILENCE", "BEEP"]);
  });

  test("is not due while music plays one note after the other", () => {
    const notes = [523, 587, 659, 523, 698].map((hz, at): [number, Int16Array] => [6_000 + at * 300, tone(300, [hz])]);
    expect(due(answer({ ms: 7_000, sounds: [greeting, ...notes] }))).toEqual([]);
  });
});

describe("the tone meter", () => {
  test.each([350, 440, 850, 1_100, 1_400, 2_100, 2_450])("tells a tone of %i Hz to 20 Hz at 20 dB over noise", (hz) => {
    const meter = new ToneMeter();
    const track = tone(400, [hz], 4_000);
    mix(track, noise(400, 280), 0);
    for (let at = 0; at + FRAME_SAMPLES <= track.length; at += FRAME_SAMPLES) {
      meter.hear(track.subarray(at, at + FRAME_SAMPLES));
      expect(Math.abs(meter.frequencyHz - hz)).toBeLessThan(20);
    }
  });

  test("finds no tone in noise, silence, chords or a voice", () => {
    for (const track of [noise(500, 2_000), silence(500), tone(500, [440, 550, 660])]) {
      const meter = new ToneMeter();
      for (let at = 0; at < track.length; at += FRAME_SAMPLES) {
        meter.hear(track.subarray(at, at + FRAME_SAMPLES));
        expect(meter.frequencyHz).toBe(0);
      }
    }
  });
});
