import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RtpSender } from "./rtp-sender.ts";
import { createRtpHeader, parseRtp } from "./rtp.ts";
import { KeyReceiver, KeySender, type KeyTiming } from "./telephone-event.ts";

interface Event {
  bytes: Uint8Array;
  timestamp: number;
  marker: boolean;
  sequence: number;
  atMs: number;
}

function send(keys: string, timing: KeyTiming = { pressMs: 100, gapMs: 80 }): Event[] {
  const numbers = { ssrc: 1, payloadType: 0, firstSequence: 0, firstTimestamp: 0xffff_f000 };
  const sender = new RtpSender({ ...numbers, maxPayloadBytes: 160, tailBytes: 0 });
  const keySender = new KeySender(sender, 101, 160, timing);
  keySender.press(keys);
  const events: Event[] = [];
  for (let atMs = 0; keySender.isBusy; atMs += 20) {
    const length = keySender.tick();
    const header = createRtpHeader();
    if (length === 0) sender.finishAudio(160, 160);
    else {
      parseRtp(sender.packet, length, header);
      const bytes = sender.packet.slice(header.payloadStart, length);
      events.push({ bytes, timestamp: header.timestamp, marker: header.marker, sequence: header.sequence, atMs });
    }
  }
  return events;
}

function hear(events: Event[], receiver = new KeyReceiver()): string {
  return events
    .map(({ bytes, timestamp, marker, atMs }) => receiver.push(bytes, 0, bytes.length, timestamp, marker, atMs) ?? "")
    .join("");
}

describe("keys sent as events", () => {
  test("grow in duration, share their first timestamp, and end three times", () => {
    const events = send("5");
    expect(events.map(({ bytes }) => Buffer.from(bytes).toString("hex"))).toEqual([
      "050a00a0",
      "050a0140",
      "050a01e0",
      "050a0280",
      "058a0320",
      "058a0320",
      "058a0320",
    ]);
    expect(events.map(({ marker }) => marker)).toEqual([true, false, false, false, false, false, false]);
    expect(new Set(events.map(({ timestamp }) => timestamp)).size).toBe(1);
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("let the sound through between keys, and its timestamps follow the clock", () => {
    const [first, second] = send("11").filter(({ marker }) => marker);
    // 7 packets and a gap of 80 ms.
    expect((second as Event).atMs - (first as Event).atMs).toBe(7 * 20 + 80);
    expect(((second as Event).timestamp - (first as Event).timestamp) >>> 0).toBe((7 * 20 + 80) * 8);
  });

  test("refuse other characters whole, and more than can wait", () => {
    const numbers = { ssrc: 1, payloadType: 0, firstSequence: 0, firstTimestamp: 0 };
    const sender = new RtpSender({ ...numbers, maxPayloadBytes: 160, tailBytes: 0 });
    const keySender = new KeySender(sender, 101, 160, { pressMs: 100, gapMs: 80 });
    expect(() => keySender.press("12w")).toThrow(RangeError);
    expect(keySender.isBusy).toBe(false);
    keySender.press("1".repeat(128));
    expect(() => keySender.press("1")).toThrow(RangeError);
    keySender.cancel();
    expect(keySender.tick()).toBe(0);
  });
});

describe("keys heard in events", () => {
  const keys = fc.stringMatching(/^[0-9*#A-D]{1,8}$/);

  test("are each told once while any packet of each arrives, repeated or swapped with its neighbour", () => {
    fc.assert(
      fc.property(keys, fc.infiniteStream(fc.nat(9)), (pressed, chances) => {
        const byKey = Map.groupBy(send(pressed), ({ timestamp }) => timestamp);
        const arriving = [...byKey.values()].flatMap((events) => {
          const kept = events.filter(() => (chances.next().value as number) > 5);
          return kept.length > 0 ? kept : [events.at(-1) as Event];
        });
        for (let i = 0; i + 1 < arriving.length; i++) {
          const [one, two] = [arriving[i] as Event, arriving[i + 1] as Event];
          if (one.timestamp === two.timestamp && chances.next().value === 0) arriving.splice(i, 2, two, one);
        }
        const doubled = arriving.flatMap((event) => (chances.next().value === 0 ? [event, event] : [event]));
        expect(hear(doubled)).toBe(pressed);
      }),
      { numRuns: 500 },
    );
  });

  test("are released by the end, or 120 ms after the last packet when the end is lost", () => {
    const receiver = new KeyReceiver();
    const events = send("7");
    hear(events.slice(0, 3), receiver);
    expect(receiver.held).toBe("7");
    receiver.tick(40 + 120);
    expect(receiver.held).toBe("7");
    receiver.tick(40 + 121);
    expect(receiver.held).toBeNull();
    expect(receiver.heldMs).toBe(60);
    // A packet that arrives late after all changes nothing.
    expect(hear(events.slice(3), receiver)).toBe("");
    expect(receiver.held).toBeNull();
    expect(receiver.heldMs).toBe(100);
  });

  test("may be the same twice though every end of the first was lost", () => {
    const events = send("99").filter(({ bytes }, i) => i >= 7 || ((bytes[1] as number) & 0x80) === 0);
    expect(hear(events)).toBe("99");
    expect(hear(events.filter(({ marker }, i) => i === 0 || !marker))).toBe("99");
  });

  test("are not told again when the first packet of an older key arrives after the next key", () => {
    const events = send("12");
    const [late, ...others] = events;
    expect(hear([...others.slice(0, 8), late as Event, ...others.slice(8)])).toBe("12");
  });

  test("may be held longer than one event can say", () => {
    const segment = (timestamp: number, duration: number, marker: boolean, end = false): Event => ({
      bytes: Uint8Array.of(3, end ? 0x8a : 10, duration >> 8, duration & 0xff),
      timestamp: timestamp >>> 0,
      marker,
      sequence: 0,
      atMs: (timestamp + duration) / 8,
    });
    const receiver = new KeyReceiver();
    const parts = [segment(0, 160, true), segment(0, 65_535, false), segment(65_535, 160, false)];
    expect(hear([...parts, segment(65_535, 800, false, true)], receiver)).toBe("3");
    expect(receiver.heldMs).toBe((65_535 + 800) / 8);
    expect(hear([segment(70_000, 160, true)], receiver)).toBe("3");
  });

  test("are none in other events and in too few bytes", () => {
    const receiver = new KeyReceiver();
    expect(receiver.push(Uint8Array.of(16, 0, 0, 160), 0, 4, 1, true, 0)).toBeNull();
    expect(receiver.push(Uint8Array.of(1, 0, 0), 0, 3, 1, true, 0)).toBeNull();
    expect(receiver.ignored).toBe(2);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), fc.nat(0xffff_ffff), fc.boolean(), (bytes, timestamp, marker) => {
        const key = receiver.push(bytes, 0, bytes.length, timestamp, marker, 0);
        expect("0123456789*#ABCD").toContain(key ?? "");
      }),
    );
  });
});
