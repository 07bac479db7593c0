import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RtcpReporter } from "./rtcp-reporter.ts";
import { MAX_RTCP_BYTES, parseRtcp, toShortNtp, writeRtcp, type ReceivedRtcp } from "./rtcp.ts";
import { RtpSender } from "./rtp-sender.ts";
import { RtpSource } from "./rtp-source.ts";
import { createRtpHeader } from "./rtp.ts";

const WALL_MS = Date.UTC(2026, 10, 21, 12, 0, 0, 250);

function createParty(ssrc: number) {
  const options = { payloadType: 0, firstSequence: 0, firstTimestamp: 0, maxPayloadBytes: 160, tailBytes: 0 };
  const sender = new RtpSender({ ...options, ssrc });
  const source = new RtpSource();
  return { sender, source, reporter: new RtcpReporter({ cname: `p${ssrc}`, sender, source, random: () => 0.5 }, 0) };
}

describe("RTCP", () => {
  test("has the bytes that the standard asks for", () => {
    const out = new Uint8Array(MAX_RTCP_BYTES);
    const length = writeRtcp(out, {
      ssrc: 0x01020304,
      cname: "ab@c",
      sender: { wallMs: 500, rtpTimestamp: 0x11223344, packets: 3, payloadBytes: 480 },
      reception: {
        ssrc: 0x0a0b0c0d,
        fractionLost: 64,
        packetsLost: -2,
        highestSequence: 0x1_0005,
        jitterSamples: 7,
        lastSenderReport: 0x99,
        delaySinceLast: 0x10000,
      },
      isGoodbye: true,
    });
    expect(Buffer.from(out.subarray(0, length)).toString("hex")).toBe(
      // Sender report of 13 words: half a second after 1970 is 2,208,988,800.5 s after 1900.
      "81c8000c" +
        "01020304" +
        "83aa7e80" +
        "80000000" +
        "11223344" +
        "00000003" +
        "000001e0" +
        "0a0b0c0d" +
        "40fffffe" +
        "00010005" +
        "00000007" +
        "00000099" +
        "00010000" +
        // Description: item 1 (CNAME) of 4 bytes, terminated and padded with zeros.
        "81ca0003" +
        "01020304" +
        "0104" +
        "61624063" +
        "0000" +
        "81cb0001" +
        "01020304",
    );
    const received = parseRtcp(out, length) as ReceivedRtcp;
    expect(received).toMatchObject({ ssrc: 0x01020304, senderReport: 0x7e808000, cname: "ab@c", isGoodbye: true });
    expect(received.blocks[0]).toMatchObject({ packetsLost: -2, fractionLost: 64, highestSequence: 0x1_0005 });
  });

  test("made of any bytes, or cut anywhere, is read or refused", () => {
    const { reporter } = createParty(7);
    const length = reporter.leave(0, WALL_MS);
    const whole: number[] = [];
    for (let cut = 0; cut <= length; cut++) {
      if (typeof parseRtcp(reporter.packet.slice(0, cut), cut) !== "string") whole.push(cut);
    }
    // The report ends after 8 bytes, the description 8 before the end: packets cut there are whole, though incomplete.
    expect(whole).toEqual([8, length - 8, length]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.integer({ min: 199, max: 205 }), (bytes, type) => {
        if (bytes.length > 4) bytes.set([((bytes[0] as number) & 0x3f) | 0x80, type, 0, bytes.length % 30]);
        const result = parseRtcp(bytes, bytes.length);
        const blocks = typeof result === "string" ? [] : result.blocks;
        expect(blocks.length * 24).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test("carries loss, jitter and the round trip between two parties", () => {
    const near = createParty(1);
    const far = createParty(2);
    const header = createRtpHeader();
    for (let i = 0; i < 100; i++) {
      near.sender.finishAudio(160, 160);
      // Every tenth packet is lost on the way.
      if (i % 10 !== 5) far.source.accept({ ...header, ssrc: 1, sequence: i, timestamp: i * 160 }, i * 20);
    }
    expect(near.reporter.tick(1_000, WALL_MS)).toBe(0);
    const sent = near.reporter.tick(2_500, WALL_MS);
    // 30 ms there; the far end answers 500 ms later; 30 ms back.
    expect(far.reporter.receive(near.reporter.packet, sent, 9_030, WALL_MS + 30)).toBeNull();
    const answered = far.reporter.tick(9_530, WALL_MS + 530);
    expect(near.reporter.receive(far.reporter.packet, answered, 3_060, WALL_MS + 560)).toBeNull();
    expect(near.reporter.far).toMatchObject({ packetsLost: 10, fractionLost: 25, jitterSamples: 0 });
    expect(near.reporter.far?.roundTripMs).toBeCloseTo(60, 1);
    expect(near.reporter.hasLeft).toBe(false);
    near.reporter.receive(far.reporter.packet, far.reporter.leave(9_600, WALL_MS), 3_100, WALL_MS);
    expect(near.reporter.hasLeft).toBe(true);
  });

  test("sends a receiver report when nothing was sent since the last one, every 5 s", () => {
    const { reporter, sender } = createParty(1);
    sender.finishAudio(160, 160);
    const types: number[] = [];
    for (let nowMs = 0; nowMs <= 20_000; nowMs += 20) {
      if (reporter.tick(nowMs, WALL_MS + nowMs) > 0) types.push(reporter.packet[1] as number);
    }
    expect(types).toEqual([200, 201, 201, 201]);
  });

  test("counts time in 65,536ths of a second", () => {
    expect((toShortNtp(WALL_MS + 1_000) - toShortNtp(WALL_MS)) >>> 0).toBe(65_536);
    expect(toShortNtp(WALL_MS) & 0xffff).toBe(16_384);
  });
});
