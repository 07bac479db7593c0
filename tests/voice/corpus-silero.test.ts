import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSilero } from "#src/audio/vad/load-silero.ts";
import type { SileroModel } from "#src/audio/vad/silero-batch.ts";
import { openSileroProcess } from "#src/audio/vad/silero-process.ts";
import { openFlite, type Speak } from "../kit/voice-corpus/render.ts";
import { hearTogether } from "../kit/voice-corpus/silero.ts";
import { bang, mix, noise, silence, tone } from "../kit/voice-corpus/sounds.ts";

const { SPEECH_VAD_MODEL: modelPath } = process.env;
const speak = await openFlite();

const share = (frames: boolean[], fromMs: number, toMs: number) => {
  const part = frames.slice(fromMs / 20, toMs / 20);
  return part.filter(Boolean).length / part.length;
};

describe.skipIf(!modelPath)("a real Silero model (skipped: SPEECH_VAD_MODEL names none)", () => {
  let model: SileroModel;
  beforeAll(async () => {
    model = await loadSilero(resolve(modelPath as string));
  });

  test.each([
    ["silence", silence(4_000)],
    ["noise", noise(4_000, 1_200)],
    ["a chord", tone(4_000, [440, 554], 3_000)],
  ])("hears no speech in %s", async (_title, track) => {
    const [frames = []] = await hearTogether([track], model);
    // Until the model has answered, energy decides.
    expect(share(frames, 200, 4_000)).toBeLessThan(0.02);
  });

  test("hears no speech in bangs", async () => {
    const track = silence(6_000);
    for (let atMs = 1_000; atMs < 6_000; atMs += 1_000) mix(track, bang(), atMs);
    const [frames = []] = await hearTogether([track], model);
    expect(share(frames, 200, 6_000)).toBeLessThan(0.02);
  });

  describe.skipIf(!speak)("with spoken words (skipped: flite is not installed)", () => {
    const track = silence(6_000);
    let endMs = 0;
    beforeAll(async () => {
      const words = await (speak as Speak)("I would like to change my appointment to next Monday", "slt");
      endMs = 2_000 + words.length / 8;
      mix(track, words, 2_000);
      mix(track, noise(6_000, 300), 0);
    });

    test("hears speech while somebody speaks over noise, and hardly longer", async () => {
      const [frames = []] = await hearTogether([track], model);
      expect(share(frames, 200, 1_900)).toBeLessThan(0.02);
      expect(share(frames, 2_200, endMs)).toBeGreaterThan(0.85);
      expect(share(frames, endMs + 400, 6_000)).toBeLessThan(0.02);
    });

    test("hears the same alone, among others, and in a process of its own", async () => {
      const shifted = [0, 160, 320, 1_000, 2_000].map((by) => track.subarray(by));
      const together = await hearTogether(shifted, model);
      const inProcess = await openSileroProcess(resolve(modelPath as string));
      for (const [at, one] of shifted.entries()) {
        const [alone] = await hearTogether([one], at % 2 ? inProcess : model);
        expect(together[at]).toEqual(alone);
      }
      inProcess.close();
    });
  });
});
