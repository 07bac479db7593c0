import { expect, test } from "vitest";
import { EventBatch, readEvents } from "./event-batch.ts";
import type { CallMediaEvent } from "./messages.ts";

function read(message: ReturnType<EventBatch["take"]>): [number, unknown][] {
  const heard: [number, unknown][] = [];
  // As it arrives in the other thread.
  readEvents(structuredClone(message), (callId, event) => {
    heard.push([callId, event.kind === "AUDIO" ? { ...event, samples: [...event.samples] } : event]);
  });
  return heard;
}

test("news of all calls come in their order, each with its own sound, which may be used again at once", () => {
  const batch = new EventBatch();
  const samples = Int16Array.of(1, 2);
  const events: [number, CallMediaEvent][] = [
    [1, { kind: "AUDIO", samples, atMs: 100, saidPeak: 0 }],
    [2, { kind: "DIGIT", digit: "5", atMs: 100 }],
    [2, { kind: "AUDIO", samples: Int16Array.of(3, 4, 5), atMs: 120, saidPeak: 0 }],
    [1, { kind: "FLUSH" }],
  ];
  for (const [callId, event] of events) batch.add(callId, event);
  samples.fill(9);
  expect(read(batch.take())).toEqual([
    [1, { kind: "AUDIO", samples: [1, 2], atMs: 100, saidPeak: 0 }],
    [2, { kind: "DIGIT", digit: "5", atMs: 100 }],
    [2, { kind: "AUDIO", samples: [3, 4, 5], atMs: 120, saidPeak: 0 }],
    [1, { kind: "FLUSH" }],
  ]);
  expect(read(batch.take())).toEqual([]);
});

test("the sound of more calls than there was room for is whole", () => {
  const batch = new EventBatch();
  for (let call = 0; call < 100; call++) {
    batch.add(call, { kind: "AUDIO", samples: new Int16Array(800).fill(call), atMs: 0, saidPeak: 0 });
  }
  const heard = read(batch.take()) as [number, { samples: number[] }][];
  expect(heard.map(([call, { samples }]) => [call, samples.length, samples[0], samples.at(-1)])).toEqual(
    Array.from({ length: 100 }, (_, call) => [call, 800, call, call]),
  );
});
