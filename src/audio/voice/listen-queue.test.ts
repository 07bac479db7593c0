import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Heard } from "#src/audio/line/line.ts";
import { CallClock } from "./call-clock.ts";
import { ListenQueue } from "./listen-queue.ts";

const YES: Heard = { kind: "SPEECH", text: "Yes", startMs: 0, endMs: 500 };
const { signal } = new AbortController();

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** A queue whose media plays in real time, in steps of 100 ms. */
function open() {
  const clock = new CallClock();
  const keys = { isKeying: false };
  const queue = new ListenQueue(clock, () => keys.isKeying);
  const play = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      await vi.advanceTimersByTimeAsync(100);
      clock.set(clock.mediaMs + 100);
      queue.endSilence();
    }
  };
  return { queue, play, keys };
}

describe("a listen queue", () => {
  it("keeps input in order until somebody listens, and gives later input to the wait", async () => {
    const { queue } = open();
    const no = { ...YES, text: "No" };
    queue.give(YES);
    queue.give(no);
    expect(await queue.listen(1_000, signal)).toBe(YES);
    expect(await queue.listen(1_000, signal)).toBe(no);
    const later = queue.listen(1_000, signal);
    queue.give(YES);
    expect(await later).toBe(YES);
  });

  it("ends a wait with silence by call time", async () => {
    const { queue, play } = open();
    await play(500);
    const heard = queue.listen(1_000, signal);
    await play(1_200);
    expect(await heard).toEqual({ kind: "SILENCE", endMs: 1_500 });
  });

  it("hears speech that began in time to its end, and waits for its words", async () => {
    const { queue, play } = open();
    const heard = queue.listen(1_000, signal);
    await play(900);
    queue.startSpeech();
    await play(5_000);
    queue.endSpeech();
    await play(1_000);
    queue.give(YES);
    expect(await heard).toBe(YES);
  });

  it("is no silence while the person types, until their keys are there", async () => {
    const { queue, play, keys } = open();
    const heard = queue.listen(1_000, signal);
    await play(900);
    keys.isKeying = true;
    await play(4_000);
    const digits: Heard = { kind: "DIGITS", digits: "1234", startMs: 900, endMs: 2_900 };
    queue.give(digits);
    expect(await heard).toBe(digits);
    const woken = new AbortController();
    const later = queue.listen(60_000, signal, woken.signal);
    woken.abort();
    await play(500);
    queue.give(digits);
    expect(await later).toBe(digits);
  });

  it("ends a wait over noise no later than a turn would", async () => {
    const { queue, play } = open();
    const heard = queue.listen(1_000, signal);
    queue.startSpeech();
    await play(62_000);
    expect(await heard).toEqual({ kind: "SILENCE", endMs: 61_000 });
  });

  it("ends early once the person has spoken and then been quiet for as long as asked", async () => {
    const { queue, play } = open();
    const heard = queue.listen(10_000, signal, undefined, 600);
    await play(1_000);
    queue.startSpeech();
    await play(1_000);
    queue.endSpeech();
    await play(1_000);
    expect(await heard).toEqual({ kind: "SILENCE", endMs: 2_600 });
  });

  it("ends by the wall clock when no sound comes any more", async () => {
    const { queue } = open();
    const heard = queue.listen(1_000, signal);
    await vi.advanceTimersByTimeAsync(62_000);
    expect(await heard).toEqual({ kind: "SILENCE", endMs: 62_000 });
  });

  it("ends a wait when a signal aborts, also one that already had", async () => {
    const { queue } = open();
    const wake = new AbortController();
    const heard = queue.listen(1_000, signal, wake.signal);
    wake.abort();
    expect(await heard).toMatchObject({ kind: "SILENCE" });
    expect(await queue.listen(1_000, signal, wake.signal)).toMatchObject({ kind: "SILENCE" });
  });

  it("is woken while the person speaks: they are heard to the end, and their words", async () => {
    const { queue, play } = open();
    const wake = new AbortController();
    const heard = queue.listen(60_000, signal, wake.signal);
    queue.startSpeech();
    await play(500);
    wake.abort();
    await play(3_000);
    queue.endSpeech();
    await play(500);
    queue.give(YES);
    expect(await heard).toBe(YES);
  });

  it("gives what was heard before the end of the call, then the end", async () => {
    const { queue } = open();
    const end: Heard = { kind: "HUNG_UP", endMs: 700 };
    queue.give(YES);
    queue.close(end);
    expect(await queue.listen(1_000, signal)).toBe(YES);
    expect(await queue.listen(1_000, signal)).toBe(end);
    const other = open().queue;
    const heard = other.listen(1_000, signal);
    other.close(end);
    expect(await heard).toBe(end);
  });
});
