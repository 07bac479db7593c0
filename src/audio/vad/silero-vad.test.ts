import { describe, expect, test } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { CONTEXT_SAMPLES, INPUT_SAMPLES, SileroVad } from "./silero-vad.ts";

const QUIET = new Int16Array(FRAME_SAMPLES);
/** A frame that the energy VAD takes for speech after some quiet ones. */
const LOUD = Int16Array.from({ length: FRAME_SAMPLES }, (_, at) => (at % 8 < 4 ? 4_000 : -4_000));

/** A judge that counts offers; the test gives the answers. */
function openVad() {
  const judge = { isOn: true, offers: 0, offer: () => void judge.offers++ };
  const vad = new SileroVad(judge);
  const window = new Float32Array(INPUT_SAMPLES);
  /** Takes a frame while the model answers every window at once. */
  const hearJudged = (frame: Int16Array, probability: number): boolean => {
    const isSpeech = vad.hear(frame);
    while (vad.takeWindow(window, 0)) vad.hearProbability(probability);
    return isSpeech;
  };
  const hearMany = (frames: number, probability: number) =>
    Array.from({ length: frames }, () => hearJudged(QUIET, probability));
  return { judge, vad, window, hearJudged, hearMany };
}

describe("the Silero VAD", () => {
  test("offers windows of 256 samples without a gap, each behind the last 32 samples of the one before", () => {
    const { judge, vad, window } = openVad();
    const heard = Int16Array.from({ length: FRAME_SAMPLES * 16 }, (_, at) => at + 1);
    const windows: number[][] = [];
    for (let at = 0; at < heard.length; at += FRAME_SAMPLES) {
      vad.hear(heard.subarray(at, at + FRAME_SAMPLES));
      while (vad.takeWindow(window, 0)) {
        windows.push(Array.from(window, (sample) => sample * 32_768));
        vad.hearProbability(0);
      }
    }
    expect(windows.length).toBe(10);
    expect(judge.offers).toBe(10);
    expect(windows[0]?.slice(0, CONTEXT_SAMPLES)).toEqual(Array.from({ length: CONTEXT_SAMPLES }, () => 0));
    expect(windows.flatMap((one) => one.slice(CONTEXT_SAMPLES))).toEqual(Array.from(heard));
    expect(windows[5]?.slice(0, CONTEXT_SAMPLES)).toEqual(windows[4]?.slice(-CONTEXT_SAMPLES));
  });

  test("speech begins at a probability of 0.5 and lasts until it is below 0.35", () => {
    const { hearMany } = openVad();
    const last = (probability: number) => hearMany(4, probability).at(-1);
    expect(last(0.49)).toBe(false);
    expect(last(0.5)).toBe(true);
    expect(last(0.36)).toBe(true);
    expect(last(0.34)).toBe(false);
    expect(last(0.49)).toBe(false);
  });

  test("energy decides until the first answer, and never after it while answers come", () => {
    const { vad, hearJudged } = openVad();
    for (let i = 0; i < 30; i++) expect(hearJudged(QUIET, 0)).toBe(false);
    expect(Array.from({ length: 8 }, () => hearJudged(LOUD, 0))).not.toContain(true);
    expect(vad.power).toBeGreaterThan(1_000_000);
    const fresh = openVad();
    for (let i = 0; i < 30; i++) fresh.vad.hear(QUIET);
    expect(fresh.vad.hear(LOUD)).toBe(true);
  });

  test.each(["waits to be asked", "was asked and does not answer"])(
    "energy decides when a window %s for over 100 ms",
    (why) => {
      const { vad, window, hearMany } = openVad();
      expect(hearMany(30, 0.9).at(-1)).toBe(true);
      let isAsked = false;
      const verdicts = Array.from({ length: 9 }, () => {
        const verdict = vad.hear(QUIET);
        if (why.startsWith("was asked")) isAsked ||= vad.takeWindow(window, 0);
        return verdict;
      });
      // The last answer holds for the frames that fill a window and for 100 ms.
      expect(verdicts.slice(0, 6)).not.toContain(false);
      expect(verdicts.at(-1)).toBe(false);
      while (vad.takeWindow(window, 0));
      vad.hearProbability(0.9);
      expect(vad.hear(QUIET)).toBe(true);
    },
  );

  test("while nobody asks, only the last windows are kept", () => {
    const { vad, window } = openVad();
    for (let frame = 0; frame < 80; frame++) vad.hear(new Int16Array(FRAME_SAMPLES).fill(frame));
    expect(vad.waiting).toBe(4);
    const newest: number[] = [];
    while (vad.takeWindow(window, 0)) newest.push((window.at(-1) as number) * 32_768);
    expect(newest).toEqual([75, 76, 78, 79]);
  });

  test("a judge that is off is not bothered, and energy decides", () => {
    const { judge, vad, hearMany } = openVad();
    hearMany(30, 0.9);
    judge.isOn = false;
    const offers = judge.offers;
    expect(vad.hear(QUIET)).toBe(false);
    expect(vad.hear(LOUD)).toBe(true);
    expect(judge.offers).toBe(offers);
  });
});
