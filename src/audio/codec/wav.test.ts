import { describe, expect, test } from "vitest";
import { parseWav, wavHeader } from "./wav.ts";

function file(samples: number[], channels: number): Buffer {
  const data = Buffer.alloc(samples.length * 2);
  for (const [i, sample] of samples.entries()) data.writeInt16LE(sample, i * 2);
  return Buffer.concat([wavHeader({ channels, sampleRateHz: 8_000, dataBytes: data.length }), data]);
}

describe("WAV files", () => {
  test("have the 44 bytes that the format asks for", () => {
    expect(Buffer.from(wavHeader({ channels: 2, sampleRateHz: 8_000, dataBytes: 32_000 })).toString("hex")).toBe(
      "52494646" +
        "247d0000" +
        "57415645" +
        "666d7420" +
        "10000000" +
        "0100" +
        "0200" +
        "401f0000" +
        "007d0000" +
        "0400" +
        "1000" +
        "64617461" +
        "007d0000",
    );
  });

  test("come back as channels", () => {
    const wav = parseWav(file([1, -1, 2, -2, 32_767, -32_768], 2));
    expect(wav.sampleRateHz).toBe(8_000);
    expect(wav.channels.map((channel) => [...channel])).toEqual([
      [1, 2, 32_767],
      [-1, -2, -32_768],
    ]);
  });

  test("of mu-law come back as samples of 16 bits", () => {
    const header = wavHeader({ channels: 2, sampleRateHz: 8_000, dataBytes: 4, encoding: "MU_LAW" });
    // ITU-T G.711: 0xff is zero, 0x80 the largest positive value, 0x00 the largest negative one.
    const wav = parseWav(Buffer.concat([header, Buffer.from([0xff, 0x80, 0xff, 0x00])]));
    expect(wav.channels.map((channel) => [...channel])).toEqual([
      [0, 0],
      [32_124, -32_124],
    ]);
  });

  test("are read past chunks of odd size", () => {
    const plain = file([5, 6], 1);
    const extra = Buffer.from("LIST\u0003\0\0\0abc\0", "latin1");
    const wav = parseWav(Buffer.concat([plain.subarray(0, 36), extra, plain.subarray(36)]));
    expect([...(wav.channels[0] as Int16Array)]).toEqual([5, 6]);
  });

  test("are refused when cut short, of another kind, or too long", () => {
    expect(() => parseWav(file([1, 2, 3], 1).subarray(0, 47))).toThrow("cut short");
    expect(() => parseWav(Buffer.from("ID3 and so on, not sound at all"))).toThrow("not a WAV");
    const muLaw = file([1], 1);
    muLaw.writeUInt16LE(7, 20);
    // Mu-law with 16 bits to a sample does not exist.
    expect(() => parseWav(muLaw)).toThrow("16-bit PCM");
    expect(() => wavHeader({ channels: 2, sampleRateHz: 8_000, dataBytes: 2 ** 32 })).toThrow(RangeError);
  });
});
