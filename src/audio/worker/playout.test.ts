import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { type PlayedUtterance, Playout } from "./playout.ts";

function open() {
  const played: PlayedUtterance[] = [];
  const playout = new Playout((one) => played.push(one));
  const frame = new Int16Array(FRAME_SAMPLES);
  let now = 0;
  const read = (): number[] => {
    playout.read(frame, now);
    now += FRAME_SAMPLES;
    return [...frame];
  };
  return { played, playout, read, now: () => now };
}

const tone = (length: number, value: number) => new Int16Array(length).fill(value);

describe("playout", () => {
  it("plays pieces without a gap over the borders of frames, then silence", () => {
    const { playout, read, played } = open();
    playout.begin(1);
    playout.add(1, tone(100, 1));
    playout.add(1, tone(100, 2));
    playout.complete(1);
    expect(read()).toEqual([...tone(100, 1), ...tone(60, 2)]);
    expect(played).toEqual([]);
    expect(read()).toEqual([...tone(40, 2), ...tone(120, 0)]);
    expect(played).toEqual([{ id: 1, fraction: 1, cut: false, startedAt: 0, endedAt: 200 }]);
    expect(playout.isBusy).toBe(false);
  });

  it("waits in silence for speech that is late, and skips nothing of it", () => {
    const { playout, read, played } = open();
    playout.begin(1);
    playout.add(1, tone(10, 1));
    expect(read().filter((sample) => sample === 1)).toHaveLength(10);
    expect(read()).toEqual([...tone(160, 0)]);
    expect(playout.isBusy).toBe(true);
    playout.add(1, tone(10, 2));
    playout.complete(1);
    expect(read().filter((sample) => sample === 2)).toHaveLength(10);
    expect(played[0]).toMatchObject({ fraction: 1, cut: false });
  });

  it("is held while somebody talks over it and goes on at the same sample", () => {
    const { playout, read } = open();
    const ramp = Int16Array.from({ length: 480 }, (_, i) => i + 1);
    playout.begin(1);
    playout.add(1, ramp);
    playout.complete(1);
    const first = read();
    playout.pause();
    expect(playout.isSpeaking).toBe(false);
    expect(read()).toEqual([...tone(160, 0)]);
    playout.resume();
    expect([...first, ...read(), ...read()]).toEqual([...ramp]);
  });

  it("tells how much of what was cleared had been played, and takes no late samples of it", () => {
    const { playout, read, played } = open();
    playout.begin(1);
    playout.add(1, tone(640, 1));
    playout.complete(1);
    playout.begin(2);
    playout.add(2, tone(160, 2));
    read();
    playout.clear(160);
    playout.add(2, tone(160, 2));
    expect(read()).toEqual([...tone(160, 0)]);
    expect(played).toMatchObject([
      { id: 1, fraction: 0.25, cut: true },
      { id: 2, fraction: 0, cut: true },
    ]);
  });

  it("an utterance of nothing is over at once", () => {
    const { playout, read, played } = open();
    playout.begin(1);
    playout.complete(1);
    read();
    expect(played).toMatchObject([{ id: 1, fraction: 1, cut: false }]);
  });
});
