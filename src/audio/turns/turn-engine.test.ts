import { describe, expect, test } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import type { Vad } from "#src/audio/vad/vad.ts";
import { TurnEngine, type TurnEngineOptions } from "./turn-engine.ts";
import type { TurnEvent } from "./turn-events.ts";

/** Detects speech in every frame that is louder than 300. */
class LevelVad implements Vad {
  power = 0;
  hear(samples: Int16Array): boolean {
    this.power = (samples[0] as number) ** 2;
    return this.power > 300 ** 2;
  }
}

interface Script {
  /** One step each: "say 400", "quiet 300", "echo 500 800" (level, ms), "partial …", "final …", "agent", "agent ends", "fail", "leave". */
  steps: string[];
  language?: string;
  hasStt?: boolean;
}

const AGENT_LEVEL = 4_000;

/** Plays a script and returns its events. */
function play({ steps, language = "en", hasStt = true }: Script): TurnEvent[] {
  const events: TurnEvent[] = [];
  const options: TurnEngineOptions = {
    vad: new LevelVad(),
    endpointing: { language },
    hasStt,
    onEvent: (event) => {
      events.push(event);
      if (event.kind === "PAUSE_PLAYOUT" || event.kind === "CLEAR_PLAYOUT") isAudible = false;
      if (event.kind === "RESUME_PLAYOUT") isAudible = true;
    },
  };
  const engine = new TurnEngine(options);
  const near = new Int16Array(FRAME_SAMPLES);
  const far = new Int16Array(FRAME_SAMPLES).fill(AGENT_LEVEL);
  let isAudible = false;
  let atMs = 0;
  const feed = (level: number, ms: number) => {
    near.fill(level);
    for (let i = 0; i < ms / 20; i++) {
      if (isAudible) engine.played(far);
      atMs += 20;
      engine.frame(near, atMs);
    }
  };
  for (const step of steps) {
    const [verb = "", ...rest] = step.split(" ");
    const text = rest.join(" ");
    if (verb === "say") feed(3_000, Number(rest[0]));
    else if (verb === "quiet") feed(0, Number(rest[0]));
    else if (verb === "echo") feed(Number(rest[0]), Number(rest[1]));
    else if (verb === "partial") engine.hearWords({ kind: "PARTIAL", text });
    else if (verb === "final") engine.hearWords({ kind: "FINAL", text, confidence: null });
    else if (verb === "fail") engine.hearWords({ kind: "FAILED", code: "GONE", message: "gone" });
    else if (step === "leave") engine.leave();
    else if (step === "agent") {
      isAudible = true;
      engine.startPlayout();
    } else if (step === "agent ends") {
      isAudible = false;
      engine.endPlayout();
    } else throw new Error(`Unknown step ${step}`);
  }
  return events;
}

/** Returns the events of a script as short lines, without speech boundaries unless asked for. */
function notify(script: Script, withSpeech = false): string[] {
  return play(script)
    .filter((event) => withSpeech || !event.kind.endsWith("_OF_SPEECH"))
    .map((event) => {
      if (event.kind === "END_OF_TURN") return `END_OF_TURN "${event.text}" ${event.endpointingMs}`;
      if (event.kind === "TURN_CONFIRMED" || event.kind === "BACKCHANNEL") return `${event.kind} "${event.text}"`;
      if (event.kind === "START_OF_SPEECH") return `${event.kind} ${event.startMs}${event.resumes ? " resumes" : ""}`;
      if (event.kind === "END_OF_SPEECH") return `${event.kind} ${event.endMs}`;
      if (event.kind === "CLEAR_PLAYOUT") return `${event.kind} ${event.playedMs} at ${event.atMs}`;
      return `${event.kind} at ${event.atMs}`;
    });
}

describe("the end of a turn", () => {
  test.each<[string, Script, string[]]>([
    ["waits 500 ms without a recogniser", { steps: ["say 800", "quiet 600"], hasStt: false }, ['END_OF_TURN "" 500']],
    [
      "waits 500 ms after a plain sentence",
      { steps: ["say 800", "final I come on Monday", "quiet 600"] },
      ['END_OF_TURN "I come on Monday" 500'],
    ],
    [
      "waits 300 ms after a whole answer",
      { steps: ["say 400", "partial yes", "quiet 500"] },
      ['END_OF_TURN "yes" 300'],
    ],
    [
      "waits 1200 ms after half a number",
      { steps: ["say 900", "final five five five", "quiet 1300"] },
      ['END_OF_TURN "five five five" 1200'],
    ],
    [
      "waits out the pause inside a number",
      { steps: ["say 900", "final five five five", "quiet 1000", "say 900", "final one two three four", "quiet 600"] },
      ['END_OF_TURN "five five five one two three four" 500'],
    ],
    [
      "waits for words that are late",
      { steps: ["say 800", "quiet 1000", "final I come on Monday", "quiet 100"] },
      ['END_OF_TURN "I come on Monday" 1020'],
    ],
    ["gives up after 1500 ms without words", { steps: ["say 800", "quiet 1600"] }, ['END_OF_TURN "" 1500']],
    ["does not come of a short noise without words", { steps: ["say 160", "quiet 2000"] }, []],
    ["does not come of clicks", { steps: ["say 40", "quiet 300", "say 40", "quiet 2000"] }, []],
    [
      "is not put off by a click",
      { steps: ["say 800", "final I come on Monday", "quiet 260", "say 20", "quiet 400"] },
      ['END_OF_TURN "I come on Monday" 500'],
    ],
    [
      "waits for the words of the last speech, whatever came of the speech before",
      {
        steps: ["say 600", "quiet 300", "say 600", "final I live", "quiet 700", "final near the station", "quiet 100"],
      },
      ['END_OF_TURN "I live near the station" 720'],
    ],
    [
      "falls back to the sound when the recogniser is lost",
      { steps: ["say 800", "fail", "quiet 600"] },
      ['END_OF_TURN "" 500'],
    ],
    [
      "comes of words for speech too quiet to be heard",
      { steps: ["quiet 500", "partial hello", "quiet 200", "partial hello there", "quiet 600"] },
      ['END_OF_TURN "hello there" 500'],
    ],
    [
      "comes of settled words though noise hides the silence",
      { steps: ["say 900", "partial I come", "final I come on Monday.", "say 2100"] },
      ['END_OF_TURN "I come on Monday." 2000'],
    ],
    [
      "waits while only a recogniser without partial words is slow",
      { steps: ["say 900", "final Well I think", "say 4000"] },
      [],
    ],
  ])("%s", (_title, script, expected) => {
    expect(notify(script)).toEqual(expected);
  });

  test("tells start and end of speech back-dated to where they were", () => {
    expect(notify({ steps: ["quiet 100", "say 400", "quiet 240"] }, true)).toEqual([
      "START_OF_SPEECH 100",
      "END_OF_SPEECH 500",
    ]);
  });

  test("marks speech that goes on before an answer was heard", () => {
    const steps = ["say 800", "final I come on Monday", "quiet 600", "say 400"];
    expect(notify({ steps }, true).at(-1)).toBe("START_OF_SPEECH 1400 resumes");
    expect(notify({ steps: [...steps.slice(0, 3), "agent", "say 400"] }, true)).not.toContain(
      "START_OF_SPEECH 1400 resumes",
    );
  });

  test.each<[string, string[], string[]]>([
    [
      "gives the final words of an ended turn",
      ["say 400", "partial yes", "quiet 400", "final Yes."],
      ['END_OF_TURN "yes" 300', 'TURN_CONFIRMED "Yes."'],
    ],
    [
      "keeps late partial words out of the next turn",
      ["say 400", "partial yes", "quiet 400", "partial yes I", "quiet 900"],
      ['END_OF_TURN "yes" 300'],
    ],
    [
      "splits words that the recogniser joined over two turns",
      [
        "say 400",
        "partial yes",
        "quiet 400",
        "say 600",
        "partial yes on Monday",
        "quiet 100",
        "final Yes, on Monday.",
        "quiet 500",
      ],
      ['END_OF_TURN "yes" 300', 'TURN_CONFIRMED "Yes,"', 'END_OF_TURN "on Monday." 320'],
    ],
    [
      "gives words that come after an empty turn as a turn",
      ["say 800", "quiet 1600", "final I come on Monday", "quiet 40"],
      ['END_OF_TURN "" 1500', 'END_OF_TURN "I come on Monday" 1620'],
    ],
  ])("%s", (_title, steps, expected) => {
    expect(notify({ steps })).toEqual(expected);
  });

  test("comes sooner for a speaker with short pauses and later for one with long", () => {
    const speak = (pauseMs: number) =>
      notify({
        steps: [...Array.from({ length: 10 }, () => ["say 600", `quiet ${pauseMs}`]).flat(), "say 600", "quiet 1500"],
        hasStt: false,
      });
    expect(speak(240).at(-1)).toBe('END_OF_TURN "" 360');
    expect(speak(480).at(-1)).toBe('END_OF_TURN "" 680');
  });
});

describe("speech over the agent", () => {
  test.each<[string, Script, string[]]>([
    [
      "pauses it after 300 ms and clears it with the first word",
      { steps: ["agent", "quiet 1000", "say 400", "partial wait", "say 200", "final wait please", "quiet 600"] },
      ["PAUSE_PLAYOUT at 1300", "CLEAR_PLAYOUT 1300 at 1400", 'END_OF_TURN "wait please" 500'],
    ],
    [
      "clears it with a short word at once",
      { steps: ["agent", "quiet 1000", "say 200", "partial no", "quiet 400"] },
      ["CLEAR_PLAYOUT 1200 at 1200", 'END_OF_TURN "no" 300'],
    ],
    [
      "resumes it after 2 s without words",
      { steps: ["agent", "quiet 1000", "say 700", "quiet 2000"] },
      ["PAUSE_PLAYOUT at 1300", "RESUME_PLAYOUT at 3300"],
    ],
    [
      "resumes it sooner after a bang",
      { steps: ["agent", "quiet 1000", "say 320", "quiet 2000"] },
      ["PAUSE_PLAYOUT at 1300", "RESUME_PLAYOUT at 2120"],
    ],
    ["does not touch it when shorter than 300 ms", { steps: ["agent", "quiet 1000", "say 280", "quiet 3000"] }, []],
    [
      "does not count the fading tail of a bang",
      { steps: ["agent", "quiet 1000", "echo 20000 100", "echo 2000 400", "quiet 3000"] },
      [],
    ],
    [
      "resumes it after a backchannel",
      { steps: ["agent", "quiet 1000", "say 340", "partial mhm", "quiet 100", "final Mhm.", "quiet 2000"] },
      ["PAUSE_PLAYOUT at 1300", "RESUME_PLAYOUT at 1440", 'BACKCHANNEL "Mhm."'],
    ],
    [
      "does not pause for a short backchannel",
      { steps: ["agent", "quiet 1000", "say 240", "final okay", "quiet 2000"] },
      ['BACKCHANNEL "okay"'],
    ],
    [
      "takes the words after a backchannel seriously",
      { steps: ["agent", "quiet 1000", "say 240", "partial okay", "quiet 400", "final okay but wait", "quiet 600"] },
      ['BACKCHANNEL "okay"', "CLEAR_PLAYOUT 1640 at 1640", 'END_OF_TURN "okay but wait" 500'],
    ],
    [
      "takes a backchannel as an answer once the agent has finished",
      { steps: ["agent", "quiet 1000", "say 100", "agent ends", "say 200", "final yes", "quiet 600"] },
      ['END_OF_TURN "yes" 300'],
    ],
    [
      "clears it though words come late",
      { steps: ["agent", "quiet 1000", "say 700", "quiet 2000", "final I have a question", "quiet 100"] },
      [
        "PAUSE_PLAYOUT at 1300",
        "RESUME_PLAYOUT at 3300",
        "CLEAR_PLAYOUT 1700 at 3700",
        'END_OF_TURN "I have a question" 2020',
      ],
    ],
    [
      "ignores words for which nobody spoke",
      { steps: ["agent", "quiet 1000", "partial this is the agent", "quiet 500"] },
      [],
    ],
    [
      "decides by length without a recogniser",
      { steps: ["agent", "quiet 1000", "say 800", "quiet 600"], hasStt: false },
      ["PAUSE_PLAYOUT at 1300", "CLEAR_PLAYOUT 1300 at 1700", 'END_OF_TURN "" 500'],
    ],
    [
      "resumes it after short speech without a recogniser",
      { steps: ["agent", "quiet 1000", "say 400", "quiet 1000"], hasStt: false },
      ["PAUSE_PLAYOUT at 1300", "RESUME_PLAYOUT at 2100"],
    ],
    [
      "pauses it when the person speaks on as it begins",
      { steps: ["say 900", "agent", "say 100", "partial and then"] },
      ["PAUSE_PLAYOUT at 920", "CLEAR_PLAYOUT 20 at 1000"],
    ],
  ])("%s", (_title, script, expected) => {
    expect(notify(script)).toEqual(expected);
  });

  test.each<[string, string[], string[]]>([
    ["speaks still", ["say 800", "partial stop calling me", "leave"], ['END_OF_TURN "stop calling me" 0']],
    [
      "has just spoken",
      ["say 800", "final stop calling me", "quiet 100", "leave"],
      ['END_OF_TURN "stop calling me" 100'],
    ],
    [
      "spoke over the agent",
      ["agent", "say 400", "partial stop calling me", "leave"],
      ["PAUSE_PLAYOUT at 300", "CLEAR_PLAYOUT 300 at 400", 'END_OF_TURN "stop calling me" 0'],
    ],
    ["said nothing that was recognised", ["say 800", "leave"], []],
    ["has finished before", ["say 800", "final yes", "quiet 600", "leave"], ['END_OF_TURN "yes" 300']],
    ["is only echoed the agent's words", ["agent", "quiet 1000", "partial this is the agent", "leave"], []],
  ])("ends the turn of a person who leaves and %s", (_title, steps, expected) => {
    expect(notify({ steps })).toEqual(expected);
  });

  test("is not its own echo, from the first frame on", () => {
    expect(notify({ steps: ["agent", "echo 1200 3000", "agent ends", "quiet 2000"] })).toEqual([]);
  });

  test("is not the tail of its echo after its end", () => {
    expect(notify({ steps: ["agent", "echo 1200 1000", "agent ends", "echo 1200 200", "quiet 2000"] }, true)).toEqual(
      [],
    );
  });

  test("is heard above its echo", () => {
    const steps = ["agent", "echo 800 2000", "say 400", "partial wait"];
    expect(notify({ steps })).toEqual(["PAUSE_PLAYOUT at 2300", "CLEAR_PLAYOUT 2300 at 2400"]);
  });
});
