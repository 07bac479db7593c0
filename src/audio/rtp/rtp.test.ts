import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RtpSender } from "./rtp-sender.ts";
import { RtpSource } from "./rtp-source.ts";
import { createRtpHeader, distance32, isRtcp, parseRtp, type RtpHeader } from "./rtp.ts";

function parse(hex: string): RtpHeader | string {
  const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
  const header = createRtpHeader();
  return parseRtp(bytes, bytes.length, header) ?? header;
}

function headerOf(fields: Partial<RtpHeader>): RtpHeader {
  return { ...createRtpHeader(), ...fields };
}

const WORDS = "01020304";

describe("an RTP packet", () => {
  test("is read with its contributing sources, extension and padding", () => {
    const packet = `b2 88 fffe 00000100 deadbeef ${WORDS} ${WORDS} bede 0001 ${WORDS} aabbcc 000002`;
    expect(parse(packet)).toEqual({
      payloadType: 8,
      marker: true,
      sequence: 65_534,
      timestamp: 256,
      ssrc: 0xdeadbeef,
      csrcCount: 2,
      extensionProfile: 0xbede,
      extensionStart: 24,
      extensionBytes: 4,
      payloadStart: 28,
      payloadBytes: 4,
    });
  });

  test.each([
    ["TOO_SHORT", "80 00 0001 00000000 000000"],
    ["WRONG_VERSION", "40 00 0001 00000000 00000001"],
    ["TOO_SHORT", "8f 00 0001 00000000 00000001 00000000"],
    ["BAD_EXTENSION", "90 00 0001 00000000 00000001 bede"],
    ["BAD_EXTENSION", "90 00 0001 00000000 00000001 bede ffff 00"],
    ["BAD_PADDING", "a0 00 0001 00000000 00000001 0005"],
    ["BAD_PADDING", "a0 00 0001 00000000 00000001 0000"],
  ])("is refused as %s", (fault, hex) => {
    expect(parse(hex)).toBe(fault);
  });

  test("made of any bytes is refused or has its payload inside them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, isLikely) => {
        if (isLikely && bytes.length > 0) bytes[0] = ((bytes[0] as number) & 0x3f) | 0x80;
        const header = createRtpHeader();
        if (parseRtp(bytes, bytes.length, header) !== null) return;
        expect(header.payloadStart).toBeGreaterThanOrEqual(12);
        expect(header.payloadBytes).toBeGreaterThanOrEqual(0);
        expect(header.payloadStart + header.payloadBytes).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is told from RTCP on the same port", () => {
    expect(isRtcp(Uint8Array.of(0x80, 200, 0, 1, 0, 0, 0, 0), 8)).toBe(true);
    expect(isRtcp(Uint8Array.of(0x80, 0x80, 0, 1, 0, 0, 0, 0), 8)).toBe(false);
  });
});

describe("a sender", () => {
  const options = {
    ssrc: 0xcafe_babe,
    payloadType: 0,
    firstSequence: 65_535,
    firstTimestamp: 0xffff_ff60,
    maxPayloadBytes: 160,
    tailBytes: 10,
  };

  test("numbers packets over the wrap, and marks the first one after silence", () => {
    const sender = new RtpSender(options);
    const seen: unknown[] = [];
    const read = (length: number) => {
      const header = createRtpHeader();
      expect(parseRtp(sender.packet, length, header)).toBeNull();
      seen.push([header.sequence, header.timestamp, header.marker, header.payloadType, header.payloadBytes]);
    };
    read(sender.finishAudio(160, 160));
    read(sender.finishAudio(160, 160));
    sender.skip(320);
    read(sender.finishEvent(101, true, 77, 4));
    read(sender.finishAudio(80, 80));
    expect(seen).toEqual([
      [65_535, 0xffff_ff60, true, 0, 160],
      [0, 0, false, 0, 160],
      [1, 77, true, 101, 4],
      [2, 480, true, 0, 80],
    ]);
    expect(sender.sent).toEqual({ packets: 4, payloadBytes: 404 });
    expect(distance32(0xffff_ff60, 480)).toBe(640);
  });
});

describe("a source", () => {
  const send = (source: RtpSource, sequence: number, ssrc = 1) =>
    source.accept(headerOf({ sequence: sequence & 0xffff, ssrc, timestamp: (sequence * 160) >>> 0 }), sequence * 20);

  test("counts loss over wraps, and reports what came since the last report", () => {
    const source = new RtpSource();
    expect(source.report()).toBeNull();
    expect(send(source, 65_500)).toBe("FIRST");
    for (let i = 65_501; i < 65_600; i++) if (i % 4 !== 0) send(source, i);
    // 65,500 to 65,599 with 24 lost: the first is a multiple of 4, too, but was sent.
    expect(source.report()).toEqual({
      ssrc: 1,
      fractionLost: Math.floor((24 * 256) / 100),
      packetsLost: 24,
      highestSequence: 65_599,
      jitterSamples: 0,
    });
    for (let i = 65_600; i < 65_700; i++) send(source, i);
    expect(source.report()).toMatchObject({ fractionLost: 0, packetsLost: 24, highestSequence: 65_699 });
  });

  test("hears late packets, and restarts only when a jump is confirmed", () => {
    const source = new RtpSource();
    for (const sequence of [10, 12, 11]) send(source, sequence);
    expect(send(source, 12)).toBe("REORDERED");
    expect(send(source, 30_000)).toBe("STRAY");
    expect(send(source, 13)).toBe("ACCEPTED");
    expect(send(source, 30_001)).toBe("STRAY");
    expect(send(source, 30_002)).toBe("RESTARTED");
    expect(send(source, 30_003)).toBe("ACCEPTED");
    expect(source.packets).toEqual({ received: 2, expected: 2 });
    expect(source.strays).toBe(2);
  });

  test("changes to another source after two packets in a row, never after one", () => {
    const source = new RtpSource();
    send(source, 1);
    expect(send(source, 700, 2)).toBe("STRAY");
    expect(send(source, 2)).toBe("ACCEPTED");
    expect(send(source, 900, 3)).toBe("STRAY");
    expect(send(source, 702, 2)).toBe("STRAY");
    expect(send(source, 703, 2)).toBe("NEW_SOURCE");
    expect(source.ssrc).toBe(2);
    expect(send(source, 3)).toBe("STRAY");
  });

  test("is not replaced while it speaks, and the first of all comes back at once", () => {
    const source = new RtpSource();
    const accept = (ssrc: number, sequence: number, atMs: number) =>
      source.accept(headerOf({ sequence, ssrc, timestamp: sequence * 160 }), atMs);
    accept(1, 1, 0);
    for (let i = 0; i < 20; i++) {
      for (let j = 0; j < 5; j++) expect(accept(2, 5 * i + j, 20 * i + j)).toBe("STRAY");
      expect(accept(1, i + 2, 20 * i + 19)).toBe("ACCEPTED");
    }
    accept(2, 300, 600);
    expect(accept(2, 301, 620)).toBe("NEW_SOURCE");
    accept(1, 40, 621);
    expect(accept(1, 41, 641)).toBe("NEW_SOURCE");
  });

  test("settles at the jitter that the standard's formula gives", () => {
    const source = new RtpSource();
    // Every packet is 2.5 ms early or late in turn: each differs from the one before by 5 ms, which is 40 samples.
    for (let i = 0; i < 400; i++) {
      source.accept(headerOf({ sequence: i, ssrc: 1, timestamp: i * 160 }), i * 20 + (i % 2 === 0 ? 2.5 : -2.5));
    }
    expect(source.jitterSamples).toBeCloseTo(40, 3);
  });
});
