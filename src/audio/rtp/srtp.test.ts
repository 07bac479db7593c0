import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeUint16 } from "./rtp.ts";
import { createMasterKey, deriveSessionKeys, formatCryptoLine, parseCryptoLine } from "./srtp-keys.ts";
import { PacketAuthenticator, PacketCipher, ReplayWindow } from "./srtp-primitives.ts";
import { SRTCP_TAIL_BYTES, SRTP_TAIL_BYTES, SrtpContext } from "./srtp.ts";

const MASTER = Buffer.from("e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6", "hex");
const SUITE = "AES_CM_128_HMAC_SHA1_80";

function packetNumbered(sequence: number, payloadBytes = 160): Uint8Array {
  const packet = new Uint8Array(12 + payloadBytes + SRTP_TAIL_BYTES);
  packet.set([0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
  packet.fill(sequence & 0xff, 12, 12 + payloadBytes);
  writeUint16(packet, 2, sequence & 0xffff);
  return packet;
}

function send(context: SrtpContext, sequence: number, payloadBytes = 160): Uint8Array {
  const packet = packetNumbered(sequence, payloadBytes);
  return packet.subarray(0, context.protect(packet, 12 + payloadBytes));
}

describe("SRTP", () => {
  test("derives the keys of RFC 3711, appendix B.3", () => {
    const keys = deriveSessionKeys(MASTER, "SRTP");
    expect(keys.cipherKey.toString("hex")).toBe("c61e7a93744f39ee10734afe3ff7a087");
    expect(keys.salt.toString("hex")).toBe("30cbbc08863d8c85d49db34a9ae1");
    expect(keys.authKey.toString("hex")).toBe("cebe321f6ff7716b6fd4ab49af256a156d38baa4");
  });

  test("has the key stream of RFC 3711, appendix B.2", () => {
    const key = Buffer.from("2b7e151628aed2a6abf7158809cf4f3c", "hex");
    const salt = Buffer.from("f0f1f2f3f4f5f6f7f8f9fafbfcfd", "hex");
    const stream = new Uint8Array(0xff02 * 16);
    new PacketCipher(key, salt, 0).apply(stream, 0, stream.length, 0);
    const block = (number: number) => Buffer.from(stream.subarray(number * 16, number * 16 + 16)).toString("hex");
    expect([0, 1, 2, 0xfeff, 0xff00, 0xff01].map(block)).toEqual([
      "e03ead0935c95e80e166b16dd92b4eb4",
      "d23513162b02d0f72a43a2fe4a5f97ab",
      "41e95b3bb0a2e8dd477901e4fca894c0",
      "ec8cdf7398607cb0f2d21675ea9ea1e4",
      "362b7c3c6773516318a077d7fc5073ae",
      "6a2cc3787889374fbeb4c81b17ba6c44",
    ]);
  });

  test("protects the packet that other implementations test with as they do", () => {
    const packet = new Uint8Array(28 + SRTP_TAIL_BYTES);
    packet.set(Buffer.from(`800f1234decafbadcafebabe${"ab".repeat(16)}`, "hex"));
    expect(new SrtpContext(SUITE, MASTER).protect(packet, 28)).toBe(38);
    expect(Buffer.from(packet).toString("hex")).toBe(
      "800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb",
    );
  });

  test("has the tags of HMAC-SHA1", () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, fc.uint8Array({ maxLength: 64 }), fc.option(fc.nat(0xffff_ffff)), (message, key, suffix) => {
        const expected = createHmac("sha1", key).update(message);
        const number = Buffer.alloc(4);
        number.writeUInt32BE(suffix ?? 0);
        if (suffix !== null) expected.update(number);
        const authenticator = new PacketAuthenticator(key, 204);
        authenticator.compute(message, message.length, suffix);
        const tag = new Uint8Array(20);
        authenticator.write(tag, 0, 20);
        expect(Buffer.from(tag).toString("hex")).toBe(expected.digest("hex"));
      }),
    );
  });

  test.each(["AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"] as const)(
    "gives packets of %s back through loss, swaps, sizes and three rollovers",
    (suite) => {
      const sender = new SrtpContext(suite, MASTER);
      const receiver = new SrtpContext(suite, MASTER);
      let waiting: { packet: Uint8Array; plain: Uint8Array } | null = null;
      const deliver = ({ packet, plain }: { packet: Uint8Array; plain: Uint8Array }) => {
        const length = receiver.unprotect(packet, packet.length);
        expect(Buffer.from(packet.subarray(0, length as number)).equals(plain)).toBe(true);
      };
      for (let sequence = 65_000; sequence < 3 * 65_536 + 500; sequence += sequence % 1_000 === 0 ? 37 : 1) {
        const payloadBytes = sequence % 50 === 0 ? 4 : 160;
        const plain = packetNumbered(sequence, payloadBytes).slice(0, 12 + payloadBytes);
        const sent = { packet: send(sender, sequence, payloadBytes), plain };
        if (sequence % 7 === 0) waiting = sent;
        else deliver(sent);
        if (waiting && sequence % 7 === 2) {
          deliver(waiting);
          waiting = null;
        }
      }
    },
  );

  test("refuses replays, forgeries and garbage, and goes on", () => {
    const sender = new SrtpContext(SUITE, MASTER);
    const receiver = new SrtpContext(SUITE, MASTER);
    const packets = Array.from({ length: 100 }, (_, i) => send(sender, i));
    const receive = (i: number) => {
      const copy = (packets[i] as Uint8Array).slice();
      return receiver.unprotect(copy, copy.length);
    };
    expect([receive(0), receive(0), receive(99), receive(98), receive(98)]).toEqual([
      172,
      "REPLAYED",
      172,
      172,
      "REPLAYED",
    ]);
    // 64 numbers are remembered: 36 is the oldest that can be distinguished from a replay.
    expect([receive(36), receive(35)]).toEqual([172, "REPLAYED"]);
    for (let bit = 0; bit < 182 * 8; bit += 5) {
      const next = send(sender, 100 + bit);
      next[bit >> 3] = (next[bit >> 3] as number) ^ (1 << (bit & 7));
      const result = receiver.unprotect(next, next.length);
      expect(["FORGED", "MALFORMED", "REPLAYED"]).toContain(result);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(typeof receiver.unprotect(bytes, bytes.length)).toBe("string");
        expect(typeof receiver.unprotectRtcp(bytes, bytes.length)).toBe("string");
      }),
    );
    expect(receive(50)).toBe(172);
  });

  test("follows no source that has not shown the key, and protects RTCP with numbers of its own", () => {
    const sender = new SrtpContext(SUITE, MASTER);
    const receiver = new SrtpContext(SUITE, MASTER);
    const rtcp = () => {
      const packet = new Uint8Array(16 + SRTCP_TAIL_BYTES);
      packet.set(Buffer.from("81cb000301020304aabbccdd00000000", "hex"));
      return packet;
    };
    const first = rtcp();
    const second = rtcp();
    expect(sender.protectRtcp(first, 16)).toBe(30);
    sender.protectRtcp(second, 16);
    expect(Buffer.from(first.subarray(8, 16)).equals(second.subarray(8, 16))).toBe(false);
    expect([...second.subarray(16, 20)]).toEqual([0x80, 0, 0, 1]);
    const copy = second.slice();
    expect(receiver.unprotectRtcp(second, 30)).toBe(16);
    expect([...second.subarray(0, 16)]).toEqual([...rtcp().subarray(0, 16)]);
    expect(receiver.unprotectRtcp(copy, 30)).toBe("REPLAYED");
    expect(receiver.unprotectRtcp(first, 30)).toBe(16);
    const foreign = new SrtpContext(SUITE, createMasterKey());
    let forged = rtcp();
    for (let i = 0; i < 3; i++) {
      forged = rtcp();
      foreign.protectRtcp(forged, 16);
    }
    expect(receiver.unprotectRtcp(forged, 30)).toBe("FORGED");
  });

  test("remembers exactly the numbers that were seen", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { minLength: 1, maxLength: 100 }), (indexes) => {
        const window = new ReplayWindow();
        const seen = new Set<number>();
        for (const index of indexes) {
          const highest = Math.max(-1, ...seen);
          const isNew = index > highest || (index > highest - 64 && !seen.has(index));
          expect(window.isNew(index)).toBe(isNew);
          if (isNew) window.add(index);
          if (isNew) seen.add(index);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a crypto line", () => {
  test("comes back as it was written, and may have a lifetime", () => {
    const line = { tag: 1, suite: SUITE, master: randomBytes(30) } as const;
    expect(parseCryptoLine(formatCryptoLine(line))).toEqual(line);
    expect(parseCryptoLine(`${formatCryptoLine(line)}|2^48`)).toEqual(line);
  });

  test.each([
    "",
    "1 AES_CM_128_HMAC_SHA1_80",
    "1 F8_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz",
    "1 AES_CM_128_HMAC_SHA1_80 inline:tooshort",
    "1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20|1:4",
    "1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz UNENCRYPTED_SRTP",
  ])("is passed over when it is not understood: %s", (value) => {
    expect(parseCryptoLine(value)).toBeNull();
  });
});
