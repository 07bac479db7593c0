import { expect, test } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { FrameQueue } from "./frame-queue.ts";

const frame = () => new Uint8Array(FRAME_SAMPLES).fill(0x80);
const out = new Int16Array(FRAME_SAMPLES);

/** Sends bursts of `size` frames, one burst for as many reads; returns the empty reads from the second burst on. */
function countGaps(queue: FrameQueue, size: number, bursts: number): number {
  let gaps = 0;
  for (let burst = 0; burst < bursts; burst++) {
    for (let i = 0; i < size; i++) queue.push(frame());
    // Of three bursts the first is late by a read, the last early by one.
    const reads = size + 1 - (burst % 3);
    for (let i = 0; i < reads; i++) if (!queue.shift(out)) gaps++;
  }
  return gaps;
}

test("frames leave in their order, once five of them wait", () => {
  const queue = new FrameQueue();
  queue.push(new Uint8Array(FRAME_SAMPLES).fill(0x00));
  for (let i = 0; i < 4; i++) {
    expect(queue.shift(out)).toBe(false);
    queue.push(frame());
  }
  expect(queue.shift(out)).toBe(true);
  expect(out[0]).toBe(-32_124);
  expect(queue.shift(out)).toBe(true);
  expect(out[0]).toBe(32_124);
});

test("a sender of bursts tears the sound at first, and no more once enough of it is kept back", () => {
  const queue = new FrameQueue();
  expect(countGaps(queue, 6, 30)).toBeGreaterThan(0);
  expect(countGaps(queue, 6, 30)).toBe(0);
});

/** Sends one frame for each read, and returns those that left. */
function pass(queue: FrameQueue, frames: Uint8Array[]): number[] {
  return frames.map((bytes) => {
    queue.push(bytes);
    expect(queue.shift(out)).toBe(true);
    return out[0] as number;
  });
}

/** A queue whose sender stood still for 0.4 s and then sent all at once. */
function stalled(): FrameQueue {
  const queue = new FrameQueue();
  for (let i = 0; i < 5; i++) queue.push(frame());
  pass(queue, Array.from({ length: 100 }, frame));
  for (let i = 0; i < 20; i++) queue.shift(out);
  for (let i = 0; i < 20; i++) queue.push(frame());
  expect(queue.length).toBe(20);
  return queue;
}

const QUIET_MU_LAW = 0xff;
const second = (code: number) => Array.from({ length: 50 }, () => new Uint8Array(FRAME_SAMPLES).fill(code));

test("the delay of a stall goes away again, a frame in each quiet second, and no speech with it", () => {
  const queue = stalled();
  const sent = Array.from({ length: 20 }, () => [...second(0x80), ...second(0x80), ...second(QUIET_MU_LAW)]).flat();
  const left = pass(queue, sent);
  const loud = (samples: number[]) => samples.filter((sample) => sample !== 0).length;
  expect(queue.length).toBeLessThan(8);
  // The burst itself was loud; the end of what was sent still waits, and is quiet.
  expect(loud(left)).toBe(20 + 20 * 100);
});

test("the delay of a stall goes away also where it is never quiet", () => {
  const queue = stalled();
  for (let i = 0; i < 100; i++) pass(queue, second(0x80));
  expect(queue.length).toBeLessThan(8);
});

test("a sender without stalls loses nothing", () => {
  const queue = new FrameQueue();
  for (let i = 0; i < 5; i++) queue.push(frame());
  for (let i = 0; i < 8; i++) pass(queue, second(QUIET_MU_LAW));
  expect(queue.counts.dropped).toBe(0);
});

test("what is too much is thrown away, the oldest first, and what is no frame is left out", () => {
  const queue = new FrameQueue();
  for (let i = 0; i < 30; i++) queue.push(frame());
  for (const bad of [new Uint8Array(5), "frame", null, new Int16Array(FRAME_SAMPLES)]) queue.push(bad);
  expect(queue.length).toBe(25);
  expect(queue.counts).toEqual({ dropped: 5, malformed: 4 });
});
