import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handleOf } from "#kit/trial-media.ts";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import type { Stt, SpeechEvent } from "#src/audio/stt/stt.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import type { TurnEvent } from "#src/audio/turns/turn-events.ts";
import { type FrameTransport, MediaCall, type TurnTaking } from "#src/audio/worker/media-call.ts";
import { VoiceLine } from "./voice-line.ts";

/** Samples of each character: 10 ms. */
const SAMPLES_PER_CHARACTER = 80;

const tts: Tts = {
  name: "beeps",
  async *speak(text) {
    for (const word of text.match(/\S+\s*/g) ?? []) {
      await Promise.resolve();
      yield new Int16Array(word.length * SAMPLES_PER_CHARACTER).fill(1_000);
    }
  },
};

/** One call: its media, its line, and the test's control of them. */
function open(more: { tts?: Tts } = {}) {
  const sent: boolean[] = [];
  const digits: string[] = [];
  const faults: string[] = [];
  let notify: (event: SpeechEvent) => void = () => undefined;
  let next: TurnEvent[] = [];
  let listened = 0;
  let flushed = 0;
  let open = "";
  const transport: FrameTransport = {
    read: () => false,
    write: (frame) => void sent.push(frame.some((sample) => sample !== 0)),
    sendDigits: (keys) => void digits.push(keys),
    close: () => undefined,
  };
  const openTurns = (onEvent: (event: TurnEvent) => void): TurnTaking => ({
    isSpeech: false,
    frame: () => next.splice(0).forEach(onEvent),
    played: () => undefined,
    startPlayout: () => undefined,
    endPlayout: () => undefined,
    leave() {
      // Words that were not final yet.
      if (open !== "") this.hearWords({ kind: "FINAL", text: open, confidence: 0 });
    },
    hearWords(event) {
      const { nowMs: atMs } = call;
      open = event.kind === "PARTIAL" ? event.text : "";
      if (event.kind !== "FINAL") return;
      const times = { atMs, startMs: atMs - 500, endMs: atMs, endpointingMs: 0, sttMs: 0, heldMs: 0 };
      onEvent({ kind: "END_OF_TURN", text: event.text, isGreeting: false, isFinal: event.confidence !== 0, ...times });
    },
  });
  const stt: Stt = {
    name: "given",
    open({ onEvent }) {
      notify = onEvent;
      return { write: ({ length }) => void (listened += length), flush: () => void flushed++, close: () => undefined };
    },
  };
  const call: MediaCall = new MediaCall({
    transport,
    openTurns,
    answers: null,
    recorder: null,
    onEvent: (event) => line.onEvent(event),
  });
  const media = handleOf(() => call);
  const line: VoiceLine = new VoiceLine({
    media,
    stt,
    tts: more.tts ?? tts,
    language: "en",
    voiceId: null,
    hints: [],
    onFault: (code) => faults.push(code),
  });
  const run = async (ms: number, events: TurnEvent[] = []) => {
    next = events;
    for (let at = 0; at < ms; at += 20) {
      call.tick();
      await vi.advanceTimersByTimeAsync(20);
    }
  };
  const signal = new AbortController();
  return {
    line,
    call,
    run,
    sent,
    digits,
    faults,
    signal,
    notify: (event: SpeechEvent) => notify(event),
    heardSamples: () => listened,
    flushes: () => flushed,
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe("a line of audio", () => {
  it("says a text: it is heard whole, by the call's own clock", async () => {
    const { line, run, sent, signal } = open();
    const spoken = line.say("Hello there, Ada.", signal.signal);
    await run(400);
    // The first frame leaves before the first sound is made.
    expect(await spoken).toMatchObject({ heard: "Hello there, Ada.", startMs: 20, interrupted: false, hungUp: false });
    expect((await spoken).endMs).toBe(190);
    expect(sent.filter(Boolean)).toHaveLength(9);
  });

  it("is talked over: what was heard is what was played, at a word", async () => {
    const { line, run, signal } = open();
    const spoken = line.say("one two three four five six", signal.signal);
    await run(100);
    await run(20, [{ kind: "PAUSE_PLAYOUT", atMs: 0, speechMs: 300 }]);
    await run(400);
    await run(20, [{ kind: "CLEAR_PLAYOUT", atMs: 0, playedMs: 0 }]);
    expect(await spoken).toMatchObject({ heard: "one two", interrupted: true, hungUp: false });
  });

  it("goes on after a false alarm, and nothing is lost", async () => {
    const { line, run, signal } = open();
    const spoken = line.say("one two three", signal.signal);
    await run(40);
    await run(20, [{ kind: "PAUSE_PLAYOUT", atMs: 0, speechMs: 300 }]);
    await run(1_000);
    await run(20, [{ kind: "RESUME_PLAYOUT", atMs: 0, reason: "NO_WORDS" }]);
    await run(200);
    expect(await spoken).toMatchObject({ heard: "one two three", interrupted: false });
    expect((await spoken).endMs).toBeGreaterThan(1_000);
  });

  it("hears a turn, also one that ended before anybody listened, and silence when nothing comes", async () => {
    const { line, run, notify, signal, heardSamples } = open();
    await run(1_000);
    notify({ kind: "PARTIAL", text: "Yes" });
    notify({ kind: "FINAL", text: "Yes, please", confidence: null });
    expect(await line.listen(5_000, signal.signal)).toMatchObject({ kind: "SPEECH", text: "Yes, please" });
    const silence = line.listen(3_000, signal.signal);
    await run(3_100);
    expect(await silence).toMatchObject({ kind: "SILENCE" });
    expect(heardSamples()).toBe(Math.floor(4_100 / 100) * 5 * FRAME_SAMPLES);
  });

  it("waits for words to become final where somebody wants them so", async () => {
    const { line, run, notify, signal } = open();
    notify({ kind: "FINAL", text: "Cancel it", confidence: 0 });
    await line.listen(1_000, signal.signal);
    const early = line.confirm(500, signal.signal);
    await run(1_600);
    expect(await early).toBeNull();
    const later = line.confirm(2_000, signal.signal);
    await run(100, [{ kind: "TURN_CONFIRMED", atMs: 0, text: "Can you sell it" }]);
    expect(await later).toBe("Can you sell it");
    expect(await line.confirm(2_000, signal.signal)).toBe("Can you sell it");
  });

  it("wakes up when it is told to", async () => {
    const { line, run, signal } = open();
    const wake = new AbortController();
    const heard = line.listen(60_000, signal.signal, wake.signal);
    await run(100);
    wake.abort();
    expect((await heard).kind).toBe("SILENCE");
  });

  it("keys belong together until a pause or #", async () => {
    const { line, run, call, digits, signal } = open();
    for (const digit of "12") call.hearDigit(digit);
    const first = line.listen(10_000, signal.signal);
    await run(2_100);
    expect(await first).toMatchObject({ kind: "DIGITS", digits: "12" });
    for (const digit of "34#") call.hearDigit(digit);
    expect(await line.listen(10_000, signal.signal)).toMatchObject({ kind: "DIGITS", digits: "34#" });
    await line.sendDigits("9");
    expect(digits).toEqual(["9"]);
  });

  it("is not silent for as long as somebody types", async () => {
    const { line, run, call, signal } = open();
    const heard = line.listen(3_000, signal.signal);
    for (const digit of "12345") {
      await run(1_500);
      call.hearDigit(digit);
    }
    await run(2_100);
    expect(await heard).toMatchObject({ kind: "DIGITS", digits: "12345" });
  });

  it("ends when the person hangs up, or the media is lost, whatever goes on", async () => {
    for (const [by, kind] of [
      ["REMOTE", "HUNG_UP"],
      ["LOST", "DROPPED"],
    ] as const) {
      const { line, run, call, signal } = open();
      const spoken = line.say("one two three four", signal.signal);
      await run(60);
      call.close(by);
      expect(await spoken).toMatchObject({ interrupted: true, hungUp: by === "REMOTE" });
      expect(await line.listen(1_000, signal.signal)).toMatchObject({ kind });
      expect(await line.say("more", signal.signal)).toMatchObject({ heard: "" });
    }
  });

  it("hears the words and the keys of a person who hangs up over the agent before it tells of their end", async () => {
    const { line, run, call, notify, signal } = open();
    const spoken = line.say("one two three four", signal.signal);
    await run(60);
    notify({ kind: "PARTIAL", text: "Stop calling me" });
    for (const digit of "19") call.hearDigit(digit);
    call.close("REMOTE");
    expect(await spoken).toMatchObject({ interrupted: true, hungUp: true });
    expect(await line.listen(0, signal.signal)).toMatchObject({ kind: "SPEECH", text: "Stop calling me" });
    expect(await line.listen(0, signal.signal)).toMatchObject({ kind: "DIGITS", digits: "19" });
    expect(await line.listen(0, signal.signal)).toMatchObject({ kind: "HUNG_UP" });
  });

  it.each<[string, TurnEvent[]]>([
    ["speaks still", []],
    ["has just spoken", [{ kind: "END_OF_SPEECH", atMs: 500, endMs: 500 }]],
  ])("hears words that STT returns only after the hang-up of a person who %s", async (_title, pause) => {
    const { line, run, call, notify, flushes, signal } = open();
    const heard = line.listen(10_000, signal.signal);
    await run(500, [{ kind: "START_OF_SPEECH", atMs: 100, startMs: 100, resumes: false }]);
    await run(20, pause);
    call.close("REMOTE");
    expect(flushes()).toBe(1);
    // Words to the person end at once.
    expect(await line.say("more", signal.signal)).toMatchObject({ heard: "", hungUp: true });
    await vi.advanceTimersByTimeAsync(2_000);
    notify({ kind: "FINAL", text: "Stop calling me", confidence: null });
    expect(await heard).toMatchObject({ kind: "SPEECH", text: "Stop calling me", startMs: 100, endMs: 520 });
    expect(await line.listen(0, signal.signal)).toMatchObject({ kind: "HUNG_UP", endMs: 520 });
  });

  it("hears the end of words that STT had returned in part when the person hung up, and equal words once", async () => {
    for (const [words, more] of [
      ["Take me off your list", true],
      ["take me.", false],
      ["", false],
    ] as const) {
      const { line, run, call, notify, signal } = open();
      await run(500, [{ kind: "START_OF_SPEECH", atMs: 100, startMs: 100, resumes: false }]);
      notify({ kind: "PARTIAL", text: "Take me" });
      call.close("REMOTE");
      expect(await line.listen(0, signal.signal)).toMatchObject({ kind: "SPEECH", text: "Take me" });
      const heard = line.listen(0, signal.signal);
      notify({ kind: "FINAL", text: words, confidence: null });
      expect(await heard).toMatchObject(more ? { kind: "SPEECH", text: words } : { kind: "HUNG_UP" });
      expect(await line.listen(0, signal.signal)).toMatchObject({ kind: "HUNG_UP", endMs: 500 });
    }
  });

  it.each<[string, SpeechEvent | null]>([
    ["leaves the words out", null],
    ["hears no word", { kind: "FINAL", text: "", confidence: null }],
    ["is lost", { kind: "FAILED", code: "TIMEOUT", message: "gone" }],
  ])("waits for nobody's last words for ever when STT %s", async (_title, event) => {
    const { line, run, call, notify, faults, signal } = open();
    await run(500, [{ kind: "START_OF_SPEECH", atMs: 100, startMs: 100, resumes: false }]);
    call.close("REMOTE");
    const heard = line.listen(0, signal.signal);
    if (event) notify(event);
    else await vi.advanceTimersByTimeAsync(10_000);
    expect(await heard).toMatchObject({ kind: "HUNG_UP", endMs: 500 });
    expect([faults, line.fault]).toEqual([[], null]);
  });

  it("a synthesiser that fails twice is told of; the utterance ends with what was played, and the line is of no use", async () => {
    const broken: Tts = {
      name: "broken",
      async *speak() {
        yield new Int16Array(4_000).fill(1);
        await Promise.resolve();
        throw new Error("gone");
      },
    };
    const { line, run, faults, signal } = open({ tts: broken });
    const spoken = line.say("one two three", signal.signal);
    await run(1_600);
    expect((await spoken).heard).toBe("one two");
    expect(faults).toEqual(["TEXT_TO_SPEECH_FAILED", "TEXT_TO_SPEECH_FAILED"]);
    expect(line.fault).toMatchObject({ code: "TEXT_TO_SPEECH_FAILED" });
  });
});
