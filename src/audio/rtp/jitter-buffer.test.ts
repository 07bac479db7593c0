import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JitterBuffer, type FrameKind } from "./jitter-buffer.ts";

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A voice of 125 to 160 Hz with overtones, in syllables with pauses over a quiet noise, one value per sample. */
function createVoice(seconds: number, seed = 1): Int16Array {
  const random = createRandom(seed);
  let phase = 0;
  return Int16Array.from({ length: seconds * 8_000 }, (_, i) => {
    phase += (2 * Math.PI * (142 + 17 * Math.sin(i / 2_900))) / 8_000;
    const syllable = Math.max(0, Math.sin((2 * Math.PI * i) / 4_000)) * (i % 16_000 < 12_000 ? 1 : 0);
    const voice = Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(5 * phase) + 0.2 * Math.sin(9 * phase);
    return Math.round(4_000 * syllable * voice + (random() - 0.5) * 20);
  });
}

interface Network {
  seed: number;
  /** Delay of a packet beyond the least, in milliseconds. */
  delayMs?: (random: () => number, index: number) => number;
  isLost?: (random: () => number, index: number) => boolean;
  isDoubled?: (random: () => number) => boolean;
  /** Clock skew of the sender: 1e-4 is 100 ppm fast. */
  skew?: number;
  /** Samples of a packet. */
  packetSamples?: number;
  firstTimestamp?: number;
  /** Frames for which the sender is silent. */
  isSilent?: (index: number) => boolean;
  /** True when timestamps stop while the sender is silent. */
  stopsCounting?: boolean;
}

interface Packet {
  arrivesMs: number;
  timestamp: number;
  samples: Int16Array;
}

function transmit(voice: Int16Array, network: Network): Packet[] {
  const random = createRandom(network.seed);
  const size = network.packetSamples ?? 160;
  const packets: Packet[] = [];
  let timestamp = network.firstTimestamp ?? 0;
  for (let i = 0; (i + 1) * size <= voice.length; i++) {
    const silent = network.isSilent?.(i) ?? false;
    const arrivesMs = (i * size) / 8 / (1 + (network.skew ?? 0)) + 7 + (network.delayMs?.(random, i) ?? 0);
    const lost = network.isLost?.(random, i) ?? false;
    const packet = { arrivesMs, timestamp: timestamp >>> 0, samples: voice.subarray(i * size, (i + 1) * size) };
    if (!silent && !lost) packets.push(packet);
    if (!silent && network.isDoubled?.(random)) packets.push({ ...packet, arrivesMs: arrivesMs + 3 });
    if (!(silent && network.stopsCounting)) timestamp += size;
  }
  return packets.toSorted((a, b) => a.arrivesMs - b.arrivesMs);
}

function play(packets: Packet[], durationMs: number, buffer = new JitterBuffer()) {
  const frame = new Int16Array(160);
  const heard = new Int16Array((durationMs / 20) * 160);
  const kinds: FrameKind[] = [];
  const delays: number[] = [];
  let next = 0;
  for (let tick = 0; tick * 20 < durationMs; tick++) {
    for (; next < packets.length && (packets[next] as Packet).arrivesMs <= tick * 20; next++) {
      const { timestamp, samples, arrivesMs } = packets[next] as Packet;
      buffer.push(timestamp, samples, samples.length, arrivesMs);
    }
    kinds.push(buffer.pop(frame, tick * 20));
    delays.push(buffer.delayMs.actual);
    heard.set(frame, tick * 160);
  }
  return { buffer, counts: buffer.counts, heard, kinds, delays };
}

/** Share of frames from `fromMs` on that are not VOICE. */
function badShare(kinds: FrameKind[], fromMs = 1_000): number {
  const later = kinds.slice(fromMs / 20);
  return later.filter((kind) => kind !== "VOICE").length / later.length;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const jitterUpTo = (ms: number) => (random: () => number) => random() * ms;

describe("a jitter buffer on a good line", () => {
  test("plays every sample as it came, 20 to 60 ms late", () => {
    const voice = createVoice(20);
    const { heard, counts, kinds, delays } = play(transmit(voice, { seed: 1 }), 20_000);
    expect(badShare(kinds, 100)).toBe(0);
    expect(counts).toMatchObject({ late: 0, concealedSamples: 0, strays: 0, insertedSamples: 0, kept: 999 });
    expect(Math.max(...delays.slice(5))).toBeLessThanOrEqual(60);
    expect(delays.at(-1)).toBeLessThanOrEqual(40);
    // After the pauses took the starting delay back, the audio is the sender's, sample by sample.
    const tail = heard.subarray(19 * 8_000, 19 * 8_000 + 4_000);
    const found = Array.from({ length: 1_000 }, (_, lag) => lag).filter((lag) =>
      tail.every((sample, i) => sample === voice[19 * 8_000 + i - lag]),
    );
    expect(found).toHaveLength(1);
  });

  test.each([80, 240, 320, 480])("does not care that packets have %i samples", (packetSamples) => {
    const { counts, kinds } = play(transmit(createVoice(10), { seed: 2, packetSamples }), 10_000 - 60);
    expect(badShare(kinds)).toBe(0);
    expect(counts.late).toBe(0);
  });

  test("does not care where timestamps begin or wrap", () => {
    const voice = createVoice(4);
    const plain = play(transmit(voice, { seed: 3 }), 4_000);
    const wrapped = play(transmit(voice, { seed: 3, firstTimestamp: 2 ** 32 - 8_000 }), 4_000);
    expect(wrapped.heard).toEqual(plain.heard);
    expect(wrapped.counts).toEqual(plain.counts);
  });

  test("gives the same sound for the same calls", () => {
    const network = { seed: 4, delayMs: jitterUpTo(50), isLost: (random: () => number) => random() < 0.05 };
    const runs = [1, 2].map(() => play(transmit(createVoice(5), network), 5_000));
    expect(runs[0]?.heard).toEqual(runs[1]?.heard);
  });
});

describe("a jitter buffer on a bad line", () => {
  test.each([
    [20, 70],
    [60, 110],
    [120, 170],
  ])("waits long enough for jitter of %i ms, and no longer than %i ms", (jitterMs, limitMs) => {
    const { kinds, delays, buffer } = play(
      transmit(createVoice(60), { seed: 5, delayMs: jitterUpTo(jitterMs) }),
      60_000,
    );
    expect(badShare(kinds, 5_000)).toBeLessThan(0.03);
    expect(mean(delays.slice(250))).toBeLessThan(limitMs);
    expect(mean(delays.slice(250))).toBeGreaterThan(jitterMs * 0.8);
    expect(buffer.delayMs.target).toBeLessThanOrEqual(200);
  });

  test("comes back to a short delay when the line gets better", () => {
    const delayMs = (random: () => number, index: number) => (index < 500 ? random() * 120 : 0);
    const { delays } = play(transmit(createVoice(40), { seed: 6, delayMs }), 40_000);
    expect(mean(delays.slice(400, 500))).toBeGreaterThan(90);
    expect(mean(delays.slice(-100))).toBeLessThan(60);
  });

  test("puts swapped packets in order and drops copies", () => {
    const delayMs = (_: () => number, index: number) => (index % 5 === 0 ? 30 : 0);
    const { counts, kinds } = play(
      transmit(createVoice(30), { seed: 7, delayMs, isDoubled: (random) => random() < 0.3 }),
      30_000,
    );
    expect(badShare(kinds, 3_000)).toBe(0);
    expect(counts.duplicates).toBeGreaterThan(380);
    expect(counts.strays + counts.restarts).toBe(0);
  });

  test.each([0.01, 0.05, 0.1])("makes up what a loss of %f takes away, and not more", (loss) => {
    const network = { seed: 8, isLost: (random: () => number) => random() < loss, delayMs: jitterUpTo(15) };
    const { counts } = play(transmit(createVoice(60), network), 60_000);
    const share = (counts.concealedSamples + counts.noiseSamples) / (60 * 8_000);
    expect(share).toBeGreaterThan(loss * 0.7);
    expect(share).toBeLessThan(loss * 1.3 + 0.004);
  });

  test("what it makes up in a voice is nearer to it than silence would be", () => {
    const voice = createVoice(30);
    const isLost = (_: () => number, index: number) => index % 11 === 7;
    const { heard, counts, kinds } = play(transmit(voice, { seed: 9, isLost }), 30_000);
    // Output and voice differ by a fixed delay where no sample was removed or inserted; it is searched frame by frame.
    expect(counts.concealedSamples).toBeGreaterThan(100 * 160);
    let made = 0;
    let silent = 0;
    for (let tick = 60; tick < kinds.length - 10; tick++) {
      if (kinds[tick] !== "CONCEALED") continue;
      const lag = findLag(heard, voice, (tick - 2) * 160);
      for (let i = tick * 160; lag !== null && i < (tick + 1) * 160; i++) {
        made += ((heard[i] as number) - (voice[i - lag] as number)) ** 2;
        silent += (voice[i - lag] as number) ** 2;
      }
    }
    const gainDb = 10 * Math.log10(silent / made);
    expect(silent).toBeGreaterThan(0);
    expect(gainDb).toBeGreaterThan(6);
  });

  test("fades to the line's noise in a long loss, and never repeats a word for ever", () => {
    const isLost = (_: () => number, index: number) => index >= 100 && index < 150;
    const tone = Int16Array.from({ length: 32_000 }, (_, i) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * 200 * i) / 8_000)),
    );
    const { heard, kinds } = play(transmit(tone, { seed: 10, isLost }), 4_000);
    const bad = kinds.findIndex((kind, tick) => tick > 50 && kind !== "VOICE");
    expect(kinds.slice(bad, bad + 5)).toEqual(["CONCEALED", "CONCEALED", "CONCEALED", "NOISE", "NOISE"]);
    const loudest = (tick: number) => Math.max(...heard.subarray(tick * 160, (tick + 1) * 160).map(Math.abs));
    expect(loudest(bad)).toBeGreaterThan(6_000);
    expect(loudest(bad + 4)).toBeLessThan(400);
    expect(kinds.at(-1)).toBe("VOICE");
  });

  test("hears all of what a stalled connection delivers at once, and catches up", () => {
    // 600 ms arrive together, as after a lost TCP segment.
    const delayMs = (_: () => number, index: number) => (index >= 300 && index < 330 ? (330 - index) * 20 : 0);
    const { counts, delays } = play(transmit(createVoice(20), { seed: 11, delayMs }), 20_000);
    expect(counts).toMatchObject({ late: 0, discardedSamples: 0, restarts: 0 });
    expect(counts.kept).toBe(999);
    expect(Math.max(...delays.slice(330))).toBeGreaterThan(500);
    expect(mean(delays.slice(-100))).toBeLessThan(80);
  });
});

describe("a jitter buffer between two clocks", () => {
  test.each([-3e-4, 3e-4])("follows a clock that is off by %f for ten minutes", (skew) => {
    const voice = createVoice(10);
    const long = new Int16Array(600 * 8_000);
    for (let i = 0; i < 60; i++) long.set(voice, i * 80_000);
    const { counts, kinds, delays } = play(transmit(long, { seed: 12, skew, delayMs: jitterUpTo(5) }), 599_000);
    expect(badShare(kinds, 5_000)).toBeLessThan(0.001);
    expect(Math.max(...delays.slice(250))).toBeLessThan(100);
    const adjusted = counts.removedSamples - counts.insertedSamples;
    expect(adjusted).toBeGreaterThan(skew * 600 * 8_000 - 600);
    expect(adjusted).toBeLessThan(skew * 600 * 8_000 + 600);
  });
});

describe("a jitter buffer with a sender that is silent", () => {
  const isSilent = (index: number) => index % 100 >= 40;

  test("plays noise meanwhile and whole words after it", () => {
    const { counts, kinds } = play(transmit(createVoice(20), { seed: 13, isSilent, delayMs: jitterUpTo(10) }), 20_000);
    expect(counts).toMatchObject({ late: 0, restarts: 0, strays: 0, kept: 400 });
    // Each of ten words plays its 40 frames; a pause begins with three that fade out.
    const voiced = kinds.filter((kind) => kind === "VOICE").length;
    expect(voiced).toBeGreaterThan(385);
    expect(voiced).toBeLessThan(405);
    expect(kinds.filter((kind) => kind === "CONCEALED").length).toBeLessThan(10 * 5);
  });

  test("may stop counting while it is silent", () => {
    const network = { seed: 14, isSilent, stopsCounting: true };
    const { counts, delays } = play(transmit(createVoice(20), network), 20_000);
    expect(counts.late).toBe(0);
    expect(counts.kept + counts.restarts).toBeGreaterThanOrEqual(400);
    // 1.2 s of silence exceed the limit of a late packet, so the count restarts.
    expect(counts.restarts).toBe(9);
    expect(Math.max(...delays.slice(1_900))).toBeLessThan(1_300);
  });
});

describe("a jitter buffer that is lied to", () => {
  test("plays on after one packet from nowhere, and follows two", () => {
    const buffer = new JitterBuffer();
    const frame = new Int16Array(160);
    const sound = createVoice(1).subarray(500, 660);
    for (let i = 0; i < 50; i++) {
      buffer.push(i * 160, sound, 160, i * 20);
      if (i === 25) buffer.push(3_000_000_000, sound, 160, i * 20);
      const kind = buffer.pop(frame, i * 20 + 5);
      expect([i, kind]).toEqual([i, i < 2 ? "NOISE" : "VOICE"]);
    }
    expect(buffer.counts.strays).toBe(1);
    expect(buffer.push(9_000_000, sound, 160, 1_000)).toBe("STRAY");
    expect(buffer.push(9_000_160, sound, 160, 1_020)).toBe("RESTARTED");
    expect(buffer.push(9_000_320, sound, 160, 1_040)).toBe("KEPT");
    expect(buffer.push(9_000_320, sound, 160, 1_040)).toBe("DUPLICATE");
    expect(buffer.push(0, sound, 0, 0)).toBe("MALFORMED");
    expect(buffer.push(0, new Int16Array(9_000), 9_000, 0)).toBe("MALFORMED");
  });

  test("always gives whole frames, and keeps its delay in bounds when packets are sane again", () => {
    const call = fc.record({
      timestamp: fc.oneof(fc.nat(40_000), fc.nat(0xffff_ffff)),
      count: fc.integer({ min: -1, max: 2_000 }),
      waitMs: fc.oneof(fc.nat(40), fc.nat(5_000)),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const buffer = new JitterBuffer();
        const frame = new Int16Array(160);
        const loud = new Int16Array(1_700).fill(32_767);
        let nowMs = 0;
        for (const { timestamp, count, waitMs } of calls) {
          buffer.push(timestamp, loud, count, nowMs);
          nowMs += waitMs;
          frame.fill(-1);
          expect(["VOICE", "CONCEALED", "NOISE"]).toContain(buffer.pop(frame, nowMs));
        }
        const kinds: FrameKind[] = [];
        for (let i = 0; i < 200; i++) {
          nowMs += 20;
          buffer.push(1_000_000 + i * 160, loud, 160, nowMs);
          kinds.push(buffer.pop(frame, nowMs));
        }
        expect(new Set(kinds.slice(-50))).toEqual(new Set(["VOICE"]));
        expect(frame[80]).toBeGreaterThan(30_000);
      }),
      { numRuns: 300 },
    );
  });
});

/** Returns the lag of the audio at a position behind the voice there; null where no position fits exactly. */
function findLag(heard: Int16Array, voice: Int16Array, at: number): number | null {
  for (let lag = 0; lag < 1_600; lag++) {
    let i = 40;
    while (i < 160 && heard[at + i] === voice[at + i - lag]) i++;
    if (i === 160) return lag;
  }
  return null;
}
