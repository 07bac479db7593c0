import { describe, expect, test } from "vitest";
import { formatCryptoLine } from "#src/audio/rtp/srtp-keys.ts";
import { type AgreedMedia, answerOffer, readAnswer, type SdpAnswerer, type SdpOffer, writeOffer } from "./sdp.ts";

const OURS = {
  address: "192.0.2.1",
  port: 4000,
  sessionId: "77",
  version: 3,
  codecs: ["PCMU", "PCMA"] as const,
  direction: "sendrecv" as const,
  rtcpMux: false,
};
const OUR_KEY = Buffer.alloc(30, 1);
const THEIR_KEY = Buffer.alloc(30, 2);
const crypto = (tag: number, suite: "80" | "32", master: Buffer) =>
  `a=crypto:${formatCryptoLine({ tag, suite: `AES_CM_128_HMAC_SHA1_${suite}`, master })}`;

/** Returns a description of the far end with one audio line. */
function theirs(
  audio: string[] = ["m=audio 5004 RTP/AVP 0 8"],
  connection: string | null = "c=IN IP4 198.51.100.9",
): string {
  const head = ["v=0", "o=far 1 1 IN IP4 198.51.100.9", "s=-", ...(connection === null ? [] : [connection]), "t=0 0"];
  return [...head, ...audio, ""].join("\r\n");
}

function agreed(result: { kind: string }): AgreedMedia {
  if (result.kind !== "AGREED") throw new Error(JSON.stringify(result));
  return result as AgreedMedia;
}

const read = (text: string, changes: Partial<SdpOffer> = {}) => readAnswer(text, { ...OURS, srtp: null, ...changes });
const answer = (text: string, changes: Partial<SdpAnswerer> = {}) =>
  answerOffer(text, { ...OURS, srtp: null, ...changes });

describe("our offer", () => {
  test("has the lines that a trunk expects", () => {
    expect(writeOffer({ ...OURS, srtp: null })).toBe(
      [
        "v=0",
        "o=- 77 3 IN IP4 192.0.2.1",
        "s=-",
        "c=IN IP4 192.0.2.1",
        "t=0 0",
        "m=audio 4000 RTP/AVP 0 8 101",
        "a=rtpmap:0 PCMU/8000",
        "a=rtpmap:8 PCMA/8000",
        "a=rtpmap:101 telephone-event/8000",
        "a=fmtp:101 0-15",
        "a=ptime:20",
        "a=sendrecv",
        "",
      ].join("\r\n"),
    );
  });

  test("names keys in the clear profile when they are optional, and in the secure one when they are required", () => {
    const keys = [{ tag: 1, suite: "AES_CM_128_HMAC_SHA1_80" as const, master: OUR_KEY }];
    const optional = writeOffer({ ...OURS, srtp: { keys, required: false } });
    const required = writeOffer({ ...OURS, address: "2001:db8::1", rtcpMux: true, srtp: { keys, required: true } });
    expect(optional).toContain("m=audio 4000 RTP/AVP 0 8 101\r\n");
    expect(optional).toContain(`a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${OUR_KEY.toString("base64")}\r\n`);
    expect(required).toContain("m=audio 4000 RTP/SAVP 0 8 101\r\n");
    expect(required).toContain("c=IN IP6 2001:db8::1\r\n");
    expect(required).toContain("a=rtcp-mux\r\n");
  });
});

describe("an answer to our offer", () => {
  test("says where to send, with what, and how keys are pressed", () => {
    const text = theirs([
      "m=audio 5004 RTP/AVP 8 0 96",
      "a=rtpmap:96 telephone-event/8000",
      "a=ptime:30",
      "a=rtcp-mux",
    ]);
    expect(read(text, { rtcpMux: true })).toEqual({
      kind: "AGREED",
      target: {
        remote: { host: "198.51.100.9", port: 5004 },
        codec: "PCMA",
        payloadType: 8,
        eventPayloadType: 96,
        srtp: null,
        rtcpMux: true,
      },
      direction: "sendrecv",
      sends: true,
      hears: true,
    });
  });

  test.each<[string, string[], { codec: string; type: number; events: number | null }]>([
    ["a codec alone", ["m=audio 5004 RTP/AVP 8"], { codec: "PCMA", type: 8, events: null }],
    [
      "a codec that was not offered before one that was",
      ["m=audio 5004 RTP/AVP 18 0"],
      { codec: "PCMU", type: 0, events: null },
    ],
    [
      "a number of its own for a codec",
      ["m=audio 5004 RTP/AVP 97", "a=rtpmap:97 pcma/8000/1"],
      { codec: "PCMA", type: 97, events: null },
    ],
    [
      "a number that is mapped to something else",
      ["m=audio 5004 RTP/AVP 0 8", "a=rtpmap:0 L16/8000"],
      { codec: "PCMA", type: 8, events: null },
    ],
    [
      "keys at another clock rate",
      ["m=audio 5004 RTP/AVP 0 101", "a=rtpmap:101 telephone-event/48000"],
      { codec: "PCMU", type: 0, events: null },
    ],
    [
      "keys that the line does not list",
      ["m=audio 5004 RTP/AVP 0", "a=rtpmap:101 telephone-event/8000"],
      { codec: "PCMU", type: 0, events: null },
    ],
    [
      "keys under a number that looks like RTCP",
      ["m=audio 5004 RTP/AVP 0 72", "a=rtpmap:72 telephone-event/8000"],
      { codec: "PCMU", type: 0, events: null },
    ],
    [
      "keys under a number that no packet can have",
      ["m=audio 5004 RTP/AVP 0 300", "a=rtpmap:300 telephone-event/8000"],
      { codec: "PCMU", type: 0, events: null },
    ],
  ])("with %s", (_, audio, expected) => {
    const { target } = agreed(read(theirs(audio)));
    expect({ codec: target.codec, type: target.payloadType, events: target.eventPayloadType }).toEqual(expected);
  });

  test.each<[string, string, RegExp]>([
    ["port 0", theirs(["m=audio 0 RTP/AVP 0"]), /refused the audio/],
    ["no line", theirs([]), /refused the audio/],
    ["video", theirs(["m=video 5004 RTP/AVP 0"]), /refused the audio/],
    ["no codec of ours", theirs(["m=audio 5004 RTP/AVP 18 9"]), /codecs/],
    ["a profile that was not offered", theirs(["m=audio 5004 UDP/TLS/RTP/SAVP 0"]), /not offered/],
    ["encryption that was not offered", theirs(["m=audio 5004 RTP/SAVP 0"]), /encrypted/],
    ["a name for an address", theirs(undefined, "c=IN IP4 media.trunk.example"), /address/],
    ["digits that are none", theirs(undefined, "c=IN IP4 1.2.3.400"), /address/],
    ["a group of listeners", theirs(undefined, "c=IN IP4 224.2.1.1/127"), /address/],
    ["a group of listeners without its reach", theirs(undefined, "c=IN IP4 239.2.1.1"), /address/],
    ["a group of IPv6", theirs(undefined, "c=IN IP6 ff02::1"), /address/],
    ["an address of one interface", theirs(undefined, "c=IN IP6 fe80::1%eth0"), /address/],
    ["no address", theirs(undefined, null), /address/],
    ["several ports", theirs(["m=audio 5004/2 RTP/AVP 0"]), /cannot be read/],
    ["a port that is none", theirs(["m=audio 70000 RTP/AVP 0"]), /cannot be read/],
    ["a negative port", theirs(["m=audio -1 RTP/AVP 0"]), /cannot be read/],
    ["no formats", theirs(["m=audio 5004 RTP/AVP"]), /cannot be read/],
    ["too many formats", theirs([`m=audio 5004 RTP/AVP${" 0".repeat(65)}`]), /cannot be read/],
    ["a line of another kind", theirs(["hello"]), /none of the format/],
    ["no beginning", theirs().slice(5), /v=0/],
    ["nothing", "", /v=0/],
    ["too many lines", theirs(Array.from({ length: 3000 }, () => "a=x")), /too many lines/],
    ["too much", `v=0\r\ns=${"x".repeat(70_000)}`, /too long/],
  ])("with %s is no answer", (_, text, reason) => {
    expect(read(text)).toMatchObject({ kind: "REFUSED", reason: expect.stringMatching(reason) as string });
  });

  test("an address of the line counts before that of the session", () => {
    const text = theirs(["m=audio 5004 RTP/AVP 0", "c=IN IP6 2001:DB8::9"]);
    expect(agreed(read(text)).target.remote).toEqual({ host: "2001:db8::9", port: 5004 });
    expect(read(theirs(["m=audio 5004 RTP/AVP 0", "c=IN IP4 name.example"]))).toMatchObject({ kind: "REFUSED" });
  });

  test("lines that end with LF alone are read", () => {
    expect(read(theirs().replaceAll("\r\n", "\n")).kind).toBe("AGREED");
  });

  test.each<[string, string[], string | undefined, string]>([
    ["sendrecv", ["m=audio 5004 RTP/AVP 0"], undefined, "sendrecv"],
    ["recvonly", ["m=audio 5004 RTP/AVP 0", "a=recvonly"], undefined, "sendonly"],
    ["sendonly", ["m=audio 5004 RTP/AVP 0", "a=sendonly"], undefined, "recvonly"],
    ["inactive", ["m=audio 5004 RTP/AVP 0", "a=inactive"], undefined, "inactive"],
    ["0.0.0.0", ["m=audio 5004 RTP/AVP 0"], "c=IN IP4 0.0.0.0", "recvonly"],
    ["a direction of the session", ["m=audio 5004 RTP/AVP 0"], "c=IN IP4 198.51.100.9\r\na=sendonly", "recvonly"],
  ])("with %s", (_, audio, connection, direction) => {
    const media = agreed(read(theirs(audio, connection)));
    expect(media.direction).toBe(direction);
    expect(media.sends).toBe(direction === "sendrecv" || direction === "sendonly");
    expect(media.hears).toBe(direction === "sendrecv" || direction === "recvonly");
  });
});

describe("keys in an answer", () => {
  const keys = [
    { tag: 1, suite: "AES_CM_128_HMAC_SHA1_80" as const, master: OUR_KEY },
    { tag: 2, suite: "AES_CM_128_HMAC_SHA1_32" as const, master: Buffer.alloc(30, 3) },
  ];
  const line = (profile: string, ...more: string[]) => theirs([`m=audio 5004 ${profile} 0`, ...more]);

  test("are taken with ours of the same tag", () => {
    const media = agreed(read(line("RTP/SAVP", crypto(2, "32", THEIR_KEY)), { srtp: { keys, required: true } }));
    expect(media.target.srtp).toEqual({
      ours: { suite: "AES_CM_128_HMAC_SHA1_32", master: Buffer.alloc(30, 3) },
      theirs: { suite: "AES_CM_128_HMAC_SHA1_32", master: THEIR_KEY },
    });
  });

  test("may be left out when they are optional", () => {
    expect(agreed(read(line("RTP/AVP"), { srtp: { keys, required: false } })).target.srtp).toBeNull();
    expect(
      agreed(read(line("RTP/AVP", crypto(1, "80", THEIR_KEY)), { srtp: { keys, required: false } })).target.srtp
        ?.theirs,
    ).toEqual({
      suite: "AES_CM_128_HMAC_SHA1_80",
      master: THEIR_KEY,
    });
  });

  test.each<[string, string, boolean]>([
    ["in the clear when they are required", line("RTP/AVP"), true],
    ["without a key", line("RTP/SAVP"), false],
    ["with a tag that was not offered", line("RTP/SAVP", crypto(3, "80", THEIR_KEY)), true],
    ["with the suite of another tag", line("RTP/SAVP", crypto(1, "32", THEIR_KEY)), true],
    ["with a key that is too short", line("RTP/SAVP", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA"), true],
    ["with a key that cannot be used, beside the clear profile", line("RTP/AVP", crypto(1, "32", THEIR_KEY)), false],
  ])("an answer %s is refused", (_, text, required) => {
    expect(read(text, { srtp: { keys, required } })).toMatchObject({ kind: "REFUSED" });
  });
});

describe("our answer to an offer", () => {
  test("takes the codec that we like best, by the numbers of the far end", () => {
    const text = theirs(["m=audio 5004 RTP/AVP 8 18 99 0", "a=rtpmap:99 telephone-event/8000", "a=rtcp-mux"]);
    const result = answer(text);
    expect(agreed(result).target).toMatchObject({
      codec: "PCMU",
      payloadType: 0,
      eventPayloadType: 99,
      rtcpMux: false,
    });
    expect(result).toMatchObject({
      answer: [
        "v=0",
        "o=- 77 3 IN IP4 192.0.2.1",
        "s=-",
        "c=IN IP4 192.0.2.1",
        "t=0 0",
        "m=audio 4000 RTP/AVP 0 99",
        "a=rtpmap:0 PCMU/8000",
        "a=rtpmap:99 telephone-event/8000",
        "a=fmtp:99 0-15",
        "a=ptime:20",
        "a=sendrecv",
        "",
      ].join("\r\n"),
    });
    expect(agreed(answer(text, { codecs: ["PCMA", "PCMU"] })).target.codec).toBe("PCMA");
  });

  test("refuses every line but one, in the order of the offer, and repeats its time", () => {
    const text = theirs([
      "m=video 6000 RTP/AVP 31 32",
      "m=audio 5002 RTP/SAVP 0",
      "m=audio 5004 RTP/AVP 0",
      "m=audio 5006 RTP/AVP 8",
      "m=image 7000 udptl t38",
    ]).replace("t=0 0", "t=3000 4000");
    const result = answer(text);
    expect(agreed(result).target.remote.port).toBe(5004);
    const lines = (result as { answer: string }).answer.split("\r\n");
    expect(lines.filter((line) => line.startsWith("m="))).toEqual([
      "m=video 0 RTP/AVP 31 32",
      "m=audio 0 RTP/SAVP 0",
      "m=audio 4000 RTP/AVP 0",
      "m=audio 0 RTP/AVP 8",
      "m=image 0 udptl t38",
    ]);
    expect(lines).toContain("t=3000 4000");
  });

  test.each<[string, string[], string | undefined, string]>([
    ["sendonly", ["m=audio 5004 RTP/AVP 0", "a=sendonly"], undefined, "recvonly"],
    ["inactive", ["m=audio 5004 RTP/AVP 0", "a=inactive"], undefined, "inactive"],
    ["recvonly", ["m=audio 5004 RTP/AVP 0", "a=recvonly"], undefined, "sendonly"],
    ["0.0.0.0", ["m=audio 5004 RTP/AVP 0"], "c=IN IP4 0.0.0.0", "recvonly"],
    ["0.0.0.0 and recvonly", ["m=audio 5004 RTP/AVP 0", "a=recvonly"], "c=IN IP4 0.0.0.0", "inactive"],
    ["::", ["m=audio 5004 RTP/AVP 0"], "c=IN IP6 ::", "recvonly"],
  ])("to a hold by %s", (_, audio, connection, direction) => {
    const result = answer(theirs(audio, connection));
    expect(agreed(result).direction).toBe(direction);
    expect(result).toMatchObject({ answer: expect.stringContaining(`\r\na=${direction}\r\n`) as string });
  });

  test("says no more than we are able to", () => {
    expect(agreed(answer(theirs(), { direction: "recvonly" })).direction).toBe("recvonly");
    expect(agreed(answer(theirs(["m=audio 5004 RTP/AVP 0", "a=sendonly"]), { direction: "sendonly" })).direction).toBe(
      "inactive",
    );
  });

  test("takes the first key that we know, under its tag, with a key of our own", () => {
    const audio = [
      "m=audio 5004 RTP/SAVP 0",
      "a=crypto:1 AEAD_AES_256_GCM inline:xx",
      crypto(4, "32", THEIR_KEY),
      crypto(5, "80", OUR_KEY),
    ];
    const result = answer(theirs(audio), { srtp: { master: OUR_KEY, required: true } });
    expect(agreed(result).target.srtp).toEqual({
      ours: { suite: "AES_CM_128_HMAC_SHA1_32", master: OUR_KEY },
      theirs: { suite: "AES_CM_128_HMAC_SHA1_32", master: THEIR_KEY },
    });
    const { answer: text } = result as { answer: string };
    expect(text).toContain("m=audio 4000 RTP/SAVP 0\r\n");
    expect(text.match(/a=crypto.*/g)).toEqual([crypto(4, "32", OUR_KEY)]);
  });

  test.each<[string, string, SdpAnswerer["srtp"], number]>([
    ["encryption where we have none", theirs(["m=audio 5004 RTP/SAVP 0", crypto(1, "80", THEIR_KEY)]), null, 488],
    [
      "encryption that we do not know",
      theirs(["m=audio 5004 RTP/SAVP 0", "a=crypto:1 X inline:y"]),
      { master: OUR_KEY, required: false },
      488,
    ],
    ["none where we require it", theirs(), { master: OUR_KEY, required: true }, 488],
    ["no audio", theirs(["m=video 6000 RTP/AVP 31"]), null, 488],
    ["no codec of ours", theirs(["m=audio 5004 RTP/AVP 18"]), null, 488],
    ["the profile of browsers", theirs(["m=audio 5004 UDP/TLS/RTP/SAVPF 0"]), null, 488],
    ["an address that is a name", theirs(undefined, "c=IN IP4 inside.example"), null, 488],
    ["nonsense", "hello", null, 400],
  ])("refuses an offer with %s", (_, text, srtp, status) => {
    expect(answer(text, { srtp })).toMatchObject({ kind: "REFUSED", status });
  });

  test("is understood by the reader of answers, with the same streams the other way round", () => {
    const keys = [{ tag: 1, suite: "AES_CM_128_HMAC_SHA1_80" as const, master: THEIR_KEY }];
    const offer: SdpOffer = {
      ...OURS,
      address: "2001:db8::7",
      port: 6000,
      rtcpMux: true,
      srtp: { keys, required: true },
    };
    const result = answer(writeOffer(offer), { rtcpMux: true, srtp: { master: OUR_KEY, required: true } });
    const back = agreed(readAnswer((result as { answer: string }).answer, offer));
    expect(agreed(result).target.remote).toEqual({ host: "2001:db8::7", port: 6000 });
    expect(back.target.remote).toEqual({ host: "192.0.2.1", port: 4000 });
    expect(back.target.srtp).toEqual({
      ours: agreed(result).target.srtp?.theirs,
      theirs: agreed(result).target.srtp?.ours,
    });
    expect(back.target.eventPayloadType).toBe(101);
  });
});
