import fc from "fast-check";
import { expect, test } from "vitest";
import { AudioBacklog } from "./audio-backlog.ts";

test("a ring gives what a list of everything would, except for what was overwritten or acknowledged", () => {
  const step = fc.record({
    bytes: fc.uint8Array({ maxLength: 40 }),
    acknowledge: fc.nat(200),
    from: fc.nat(200),
    to: fc.nat(200),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 20 }), (capacity, steps) => {
      const backlog = new AudioBacklog(capacity);
      const all: number[] = [];
      let start = 0;
      for (const { bytes, acknowledge, from, to } of steps) {
        backlog.append(bytes);
        all.push(...bytes);
        backlog.acknowledge(acknowledge);
        start = Math.max(start, all.length - capacity, Math.min(acknowledge, all.length));
        expect([backlog.start, backlog.end]).toEqual([start, all.length]);
        expect([...backlog.read(from, to)]).toEqual(all.filter((_, i) => i >= Math.max(from, start) && i < to));
      }
    }),
  );
});
