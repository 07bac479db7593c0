import { describe, expect, test } from "vitest";
import { parseWav } from "#src/audio/codec/wav.ts";
import { countToneSpeechSamples, decodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { prepareRecording, type RecordedTurn, type RecordingRequest } from "./recording.ts";
import { toneEngine, type SpeechEngine } from "./speech-engine.ts";

const TURNS: RecordedTurn[] = [
  { role: "ASSISTANT", content: "Hello, is this a good moment?", startMs: 200, endMs: 2_000 },
  { role: "USER", content: "Ja, natürlich 🙂", startMs: 2_400, endMs: 3_900 },
  { role: "TOOL", content: '{"free":["TUE"]}', startMs: 4_000, endMs: 4_000 },
  { role: "ASSISTANT", content: "Fine. Which day suits you?", startMs: 4_250, endMs: 5_900 },
  { role: "USER", content: "Tuesday.", startMs: 6_001, endMs: 6_700 },
];

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

async function render(request: RecordingRequest): Promise<Buffer> {
  return await collect((await prepareRecording(request)).read());
}

function channelsOf(file: Buffer): [Int16Array, Int16Array] {
  const [left, right] = parseWav(file).channels;
  return [left as Int16Array, right as Int16Array];
}

/** An engine that cannot count: it returns 100 samples of a fixed value per character of text. */
function createPlainEngine(spoken: string[]): SpeechEngine {
  return {
    name: "plain",
    speak: (text, speaker) => {
      spoken.push(text);
      return Promise.resolve(new Int16Array(text.length * 100).fill(speaker === "USER" ? 2_000 : 1_000));
    },
  };
}

describe("recordings", () => {
  test("give the turns back, the agent left and the customer right", async () => {
    const request = { turns: TURNS, durationMs: 9_500, speech: toneEngine };
    const file = await render(request);
    expect(file).toHaveLength(44 + 9_500 * 8 * 4);
    expect((await prepareRecording(request)).byteLength).toBe(file.length);
    const [left, right] = channelsOf(file);
    expect(left).toHaveLength(9_500 * 8);
    expect(decodeToneSpeech(left)).toEqual(["Hello, is this a good moment?", "Fine. Which day suits you?"]);
    expect(decodeToneSpeech(right)).toEqual(["Ja, natürlich 🙂", "Tuesday."]);
    expect(left.subarray(0, 1_600).every((sample) => sample === 0)).toBe(true);
    expect(left.subarray(1_600, 1_700).some((sample) => sample !== 0)).toBe(true);
  });

  test("come in pieces of at most a second and are the same every time", async () => {
    const request = { turns: TURNS, durationMs: 9_500, speech: toneEngine };
    const sizes: number[] = [];
    for await (const piece of (await prepareRecording(request)).read()) sizes.push(piece.length);
    expect(sizes).toEqual([44, ...Array.from({ length: 9 }, () => 32_000), 16_000]);
    expect(await render(request)).toEqual(await render(request));
  });

  test("are extended to hold the last words", async () => {
    const turns: RecordedTurn[] = [{ role: "USER", content: "Good bye, and thank you.", startMs: 900, endMs: 1_000 }];
    const file = await render({ turns, durationMs: 1_000, speech: toneEngine });
    const [, right] = channelsOf(file);
    expect(right).toHaveLength(900 * 8 + countToneSpeechSamples("Good bye, and thank you."));
    expect(decodeToneSpeech(right)).toEqual(["Good bye, and thank you."]);
  });

  test("cut an utterance at the same speaker's next turn, whatever the order of the list", async () => {
    const turns: RecordedTurn[] = [
      { role: "ASSISTANT", content: "Second.", startMs: 1_000, endMs: 1_500 },
      { role: "ASSISTANT", content: "a long sentence that does not fit", startMs: 800, endMs: 1_000 },
      { role: "USER", content: "Over it all.", startMs: 850, endMs: 1_500 },
    ];
    const [left, right] = channelsOf(await render({ turns, durationMs: 0, speech: toneEngine }));
    expect(decodeToneSpeech(left)).toEqual(["Second."]);
    expect(decodeToneSpeech(right)).toEqual(["Over it all."]);
    expect(left.subarray(800 * 8, 999 * 8).some((sample) => sample !== 0)).toBe(true);
    // The last sample before the cut has faded to at most a fortieth of 8,000.
    expect(Math.abs(left[1_000 * 8 - 1] as number)).toBeLessThanOrEqual(200);
  });

  test("say turns of one moment one after the other", async () => {
    const turns: RecordedTurn[] = ["one", "two", "three"].map((content) => ({
      role: "USER",
      content,
      startMs: 0,
      endMs: 0,
    }));
    const [, right] = channelsOf(await render({ turns, durationMs: 0, speech: toneEngine }));
    expect(decodeToneSpeech(right)).toEqual(["one", "two", "three"]);
  });

  test("give the same bytes for a range as the whole file holds there", async () => {
    const recording = await prepareRecording({ turns: TURNS, durationMs: 4_100, speech: toneEngine });
    const whole = await collect(recording.read());
    expect(whole).toHaveLength(recording.byteLength);
    const ranges = [
      [0, 1],
      [0, 44],
      [10, 60],
      [43, 45],
      [44, 32_044],
      [32_043, 64_045],
      [70_001, 70_002],
      [whole.length - 5, whole.length],
    ];
    for (const [start = 0, end = 0] of ranges) {
      expect(await collect(recording.read({ start, end }))).toEqual(whole.subarray(start, end));
    }
  });

  test("speak each turn once with an engine that cannot count, however often they are read", async () => {
    const spoken: string[] = [];
    const recording = await prepareRecording({ turns: TURNS, durationMs: 0, speech: createPlainEngine(spoken) });
    const first = await collect(recording.read());
    expect(await collect(recording.read())).toEqual(first);
    expect(spoken).toHaveLength(4);
    const [left, right] = channelsOf(first);
    expect(left[200 * 8]).toBe(1_000);
    expect(right[6_001 * 8]).toBe(2_000);
    expect(left).toHaveLength(6_001 * 8 + "Tuesday.".length * 100);
  });

  test("hold at most one utterance per speaker while they are read", async () => {
    const asked: string[] = [];
    const speech: SpeechEngine = {
      ...toneEngine,
      speak: (text, speaker) => {
        asked.push(text);
        return toneEngine.speak(text, speaker);
      },
    };
    const recording = await prepareRecording({ turns: TURNS, durationMs: 9_500, speech });
    expect(asked).toEqual([]);
    const pieces = recording.read()[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.next();
    expect(asked).toEqual(["Hello, is this a good moment?"]);
    for (let next = await pieces.next(); !next.done; next = await pieces.next());
    expect(asked).toHaveLength(4);
  });

  test("are silence when nobody spoke, and refused past the size of a WAV file", async () => {
    const silent = await render({ turns: [], durationMs: 1_250, speech: toneEngine });
    expect(silent.subarray(44).every((byte) => byte === 0)).toBe(true);
    expect(silent).toHaveLength(44 + 1_250 * 32);
    const endless = prepareRecording({ turns: [], durationMs: 40 * 3_600_000, speech: toneEngine });
    await expect(endless).rejects.toThrow(RangeError);
  });
});
