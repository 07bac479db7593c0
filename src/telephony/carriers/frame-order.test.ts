import { expect, test } from "vitest";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { FrameOrder } from "./frame-order.ts";

/** A different level for each 20 ms; mu-law keeps the levels apart. */
const LEVELS = [1_000, 2_000, 4_000, 8_000, 16_000, 500, 250];

function open() {
  const heard: number[] = [];
  const samples = new Int16Array(160);
  const order = new FrameOrder((frame) => {
    expect(frame.length).toBe(160);
    muLawCodec.decodeInto(frame, 0, 160, samples);
    const level = LEVELS.findIndex((one) => Math.abs(one - (samples[80] as number)) < one / 20);
    heard.push(level);
  });
  const add = (index: number) => order.add(index * 160, new Int16Array(160).fill(LEVELS[index] as number), 160);
  return { heard, order, add };
}

test("what comes in order goes on at once", () => {
  const { heard, add } = open();
  for (const index of [0, 1, 2]) add(index);
  expect(heard).toEqual([0, 1, 2]);
});

test("what comes too early waits for what is missing", () => {
  const { heard, add } = open();
  add(0);
  add(2);
  expect(heard).toEqual([0]);
  add(1);
  expect(heard).toEqual([0, 1, 2]);
});

test("a gap is left out once three messages wait, and what comes after its place is not heard", () => {
  const { heard, add } = open();
  for (const index of [0, 2, 3, 4]) add(index);
  expect(heard).toEqual([0]);
  add(5);
  expect(heard).toEqual([0, 2, 3, 4, 5]);
  add(1);
  add(6);
  expect(heard).toEqual([0, 2, 3, 4, 5, 6]);
});

test("messages of other lengths become frames of 20 ms", () => {
  const { heard, order } = open();
  order.add(0, new Int16Array(400).fill(1_000), 400);
  expect(heard).toEqual([0, 0]);
  order.add(400, new Int16Array(80).fill(1_000), 80);
  expect(heard).toEqual([0, 0, 0]);
});
