import { expect, test } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { makeFarewell, ComfortTone } from "./comfort-tone.ts";

/** Returns the call times of the filled frames, in a call with other sounds at some times. */
function listen(life: ComfortTone, fromMs: number, toMs: number, hasSound: (atMs: number) => boolean = () => false) {
  const filled: number[] = [];
  for (let atMs = fromMs + 20; atMs <= toMs; atMs += 20) {
    if (life.fill(new Int16Array(FRAME_SAMPLES), hasSound(atMs), atMs)) filled.push(atMs);
  }
  return filled;
}

test("whoever waits hears it before 2.5 s, and again; nobody else does", () => {
  const life = new ComfortTone();
  expect(listen(life, 0, 10_000)).toEqual([]);
  life.setCallerWaitingSince(10_000);
  const heard = listen(life, 10_000, 20_000);
  const gaps = heard.map((atMs, i) => atMs - (heard[i - 1] ?? 10_000)).filter((ms) => ms > 20);
  expect(gaps).toEqual([2_200, 2_200, 2_200, 2_200]);
  life.setCallerWaitingSince(null);
  expect(listen(life, 30_000, 40_000)).toEqual([]);
});

test("silence counts from the last sound, and a sound ends it at once", () => {
  const life = new ComfortTone();
  life.setCallerWaitingSince(0);
  expect(listen(life, 0, 6_000, (atMs) => atMs <= 4_000 || atMs > 5_990)).toEqual([]);
  const heard = listen(life, 6_000, 10_000, (atMs) => atMs > 8_240);
  expect(heard).toEqual([8_200, 8_220, 8_240]);
});

test("it is soft, fades in and out, and is no words", () => {
  const farewell = makeFarewell();
  expect(farewell.length % FRAME_SAMPLES).toBe(0);
  expect(Math.max(...farewell)).toBeLessThan(3_000);
  expect(Math.max(...farewell.subarray(0, 20).map(Math.abs))).toBeLessThan(200);
});
