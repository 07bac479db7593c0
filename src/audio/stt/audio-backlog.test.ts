import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { AudioBacklog } from "./audio-backlog.ts";

test("a ring gives what a list of everything would, except for what was overwritten or acknowledged", () => {
  const step = fc.record({
    samples: fc.int16Array({ maxLength: 40 }),
    acknowledge: fc.nat(200),
    from: fc.nat(200),
    to: fc.nat(200),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 20 }), (capacity, steps) => {
      const backlog = new AudioBacklog(capacity);
      const all: number[] = [];
      let start = 0;
      for (const { samples, acknowledge, from, to } of steps) {
        backlog.append(samples);
        all.push(...encodeMuLaw(samples));
        backlog.acknowledge(acknowledge);
        start = Math.max(start, all.length - capacity, Math.min(acknowledge, all.length));
        expect([backlog.start, backlog.end]).toEqual([start, all.length]);
        const codes = all.filter((_, i) => i >= Math.max(from, start) && i < to);
        expect([...backlog.peek(from, to)]).toEqual(codes);
        expect(backlog.read(from, to)).toEqual(decodeMuLaw(Uint8Array.from(codes)));
      }
    }),
  );
});

test("looking at audio copies none of it", () => {
  const backlog = new AudioBacklog(8);
  backlog.append(new Int16Array(6));
  expect(backlog.peek(0, 3).buffer).toBe(backlog.peek(3, 6).buffer);
});
