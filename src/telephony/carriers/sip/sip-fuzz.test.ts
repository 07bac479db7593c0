import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseChallenge } from "./digest.ts";
import { parseNameAddr, writeNameAddr } from "./name-addr.ts";
import { type MalformedMessage, parseMessage } from "./parse-message.ts";
import { answerOffer, readAnswer, writeOffer } from "./sdp.ts";
import { SipHeaders, type SipMessage } from "./sip-message.ts";
import { createSipUri, parseSipUri, parseUri, writeUri } from "./sip-uri.ts";
import { type Framed, StreamFramer } from "./stream-framer.ts";
import { parseVia, writeVia } from "./via.ts";
import { writeMessage } from "./write-message.ts";

const VALID = [
  [
    "INVITE sip:+15550100@trunk.example;user=phone SIP/2.0",
    "Via: SIP/2.0/UDP 192.0.2.7:5070;branch=z9hG4bK.q1;rport, SIP/2.0/TLS [2001:db8::1]",
    'From: "A \\"B\\" C" <sip:a%20b@pbx.example>;tag=f1',
    "t: <sip:ana@trunk.example>",
    "i: c1@pbx.example",
    "CSeq: 31 INVITE",
    "m: <sip:a@192.0.2.7:5070;transport=udp>;expires=60, sip:b@c.example",
    "Supported: timer,, replaces",
    "Allow:",
    'WWW-Authenticate: Digest realm="x, y", nonce="1"',
    "X-Folded: one",
    "\t two",
    "l: 5",
    "",
    "v=0\r\n",
  ].join("\r\n"),
  [
    "SIP/2.0 180 Ringing, caf\u00E9",
    "Via: SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1;received=192.0.2.9;rport=5070",
    "From: <sip:a@b.example>;tag=1",
    "To: <tel:+15550100>;tag=2",
    "Call-ID: 1",
    "CSeq: 1 INVITE",
    "Record-Route: <sip:p1.example;lr>,<sip:p2.example;lr>",
    'Warning: 399 b.example "no, \\"not\\" now"',
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n"),
].map((text) => Buffer.from(text));

/** A valid message with some of its bytes changed, left out or doubled. */
const mutated = fc
  .tuple(
    fc.constantFrom(...VALID),
    fc.array(
      fc.record({
        at: fc.nat(700),
        cut: fc.nat(3),
        put: fc.oneof(
          fc.constantFrom("\r\n", "\r\n ", ";", ",", '"', "<", ">", "\\", ":", "%", "=", " ", "\0", "@", "\xE9"),
          fc.string({ maxLength: 3, unit: "binary" }),
        ),
      }),
      { maxLength: 8 },
    ),
  )
  .map(([valid, edits]) => {
    let bytes = valid;
    for (const { at, cut, put } of edits) {
      const place = at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(put), bytes.subarray(place + cut)]);
    }
    return bytes;
  });

/** Returns a message without Content-Length, which the writer sets itself. */
function contentOf(message: SipMessage | MalformedMessage): unknown {
  if (message.kind === "MALFORMED") return message;
  const { headers, body, ...rest } = message;
  return { ...rest, body: body.toString("hex"), headers: [...headers].filter(([name]) => name !== "Content-Length") };
}

/** Returns the contents of a message before and after it was written and read again. */
function readTwice(bytes: Buffer): [unknown, unknown] {
  const message = parseMessage(bytes);
  if (message.kind === "MALFORMED") return [null, null];
  return [contentOf(message), contentOf(parseMessage(writeMessage(message)))];
}

describe("SIP messages of any bytes", () => {
  test("random bytes never throw, and what is read is written so that it reads the same", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const [before, after] = readTwice(Buffer.from(bytes));
        expect(after).toEqual(before);
      }),
      { numRuns: 2000 },
    );
  });

  test("so do mutated messages, and many of them are still valid", () => {
    let valid = 0;
    fc.assert(
      fc.property(mutated, (bytes) => {
        if (parseMessage(bytes).kind !== "MALFORMED") valid += 1;
        const [before, after] = readTwice(bytes);
        expect(after).toEqual(before);
      }),
      { numRuns: 4000 },
    );
    expect(valid).toBeGreaterThan(400);
  });

  test("a malformed request that is to be answered can be written", () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        const message = parseMessage(bytes);
        if (message.kind !== "MALFORMED" || message.request === null) return;
        expect(message.status).not.toBeNull();
        const { headers } = message.request;
        const answer = new SipHeaders();
        for (const name of ["Via", "From", "To", "Call-ID", "CSeq"]) {
          for (const value of headers.getAll(name)) answer.add(name, value);
        }
        const written = writeMessage({
          kind: "RESPONSE",
          status: 400,
          reason: "Bad Request",
          headers: answer,
          body: Buffer.alloc(0),
        });
        expect(written.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  test("a stream gives the same however it is cut, and never throws", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(mutated, fc.constantFrom(...VALID, Buffer.from("\r\n\r\n"))), { maxLength: 5 }),
        fc.array(fc.nat(2000), { maxLength: 12 }),
        (messages, cuts) => {
          const stream = Buffer.concat(messages);
          const whole = new StreamFramer().push(stream);
          const framer = new StreamFramer();
          const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).toSorted((a, b) => a - b), stream.length];
          const pieces = places.slice(1).map((end, index) => stream.subarray(places[index], end));
          expect(pieces.flatMap((piece) => framer.push(piece)).map(show)).toEqual(whole.map(show));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function show(framed: Framed): unknown {
  if (framed.kind === "REQUEST" || framed.kind === "RESPONSE") return contentOf(framed);
  return framed.kind === "MALFORMED" ? [framed.kind, framed.reason] : framed;
}

describe("values of any text", () => {
  const text = fc.oneof(fc.string({ maxLength: 60, unit: "binary" }), fc.string({ maxLength: 60, unit: "grapheme" }));
  const printable = fc
    .string({ maxLength: 40, unit: "grapheme" })
    .filter((value) => !/[\p{Cc}\u2028\u2029]/u.test(value));

  test("no reader throws", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(() => {
          for (const read of [parseUri, parseNameAddr, parseVia]) read(value);
          chooseChallenge([value, `Digest ${value}`]);
        }).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });

  test("a user of any text comes back out of its URI", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }), (user) => {
        expect(parseSipUri(writeUri(createSipUri({ user, host: "a.example", port: 5061 })))?.user).toBe(user);
      }),
    );
  });

  test("a display name and a parameter of any printable text come back", () => {
    fc.assert(
      fc.property(printable, printable, (displayName, value) => {
        const written = writeNameAddr({ displayName, uri: "sip:a@b.example", params: [["p", value]] });
        const read = parseNameAddr(written);
        expect([read?.displayName ?? "", read?.params.get("p")]).toEqual([displayName, value]);
      }),
    );
  });

  test("a Via that was read is written so that it reads the same", () => {
    fc.assert(
      fc.property(text, (value) => {
        const via = parseVia(`SIP/2.0/UDP h.example:1;${value}`);
        expect(via && parseVia(writeVia(via))).toEqual(via);
      }),
    );
  });

  test("session descriptions of any text never throw", () => {
    const offer = {
      address: "192.0.2.1",
      port: 4000,
      sessionId: "1",
      version: 1,
      codecs: ["PCMU", "PCMA"] as const,
      direction: "sendrecv" as const,
      rtcpMux: true,
      srtp: null,
    };
    const valid = writeOffer(offer);
    const edits = fc.array(fc.tuple(fc.nat(valid.length), fc.nat(4), text), { maxLength: 5 });
    fc.assert(
      fc.property(edits, (changes) => {
        let sdp = valid;
        for (const [at, cut, put] of changes) sdp = sdp.slice(0, at) + put.slice(0, 4) + sdp.slice(at + cut);
        readAnswer(sdp, offer);
        const answered = answerOffer(sdp, offer);
        expect(answered.kind === "REFUSED" || answered.answer.startsWith("v=0\r\n")).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("hostile sizes", () => {
  // Quadratic time would need minutes here, past the time-out of a test.
  test.each<[string, string]>([
    ["quotes", '"'.repeat(65_000)],
    ["backslashes", `"${"\\".repeat(65_000)}`],
    ["brackets", "<".repeat(65_000)],
    ["spaces", `a${" ".repeat(65_000)}b`],
    ["commas", ",".repeat(65_000)],
    ["semicolons", ";".repeat(65_000)],
    ["parameters", ";a=b".repeat(16_000)],
    ["percents", `sip:${"%41".repeat(20_000)}@a`],
    ["words", "a=b, ".repeat(13_000)],
    ["colons", `SIP/2.0/UDP ${":1".repeat(30_000)}`],
  ])("64 KiB of %s are read in time", (_, value) => {
    for (let round = 0; round < 20; round += 1) {
      parseNameAddr(value);
      parseUri(value);
      parseVia(value);
      parseVia(`SIP/2.0/UDP ${value}`);
      chooseChallenge([`Digest ${value}`]);
      parseMessage(Buffer.from(`INVITE sip:a SIP/2.0\r\nVia: ${value}\r\nX: ${value}\r\n\r\n`));
      parseMessage(Buffer.from(`INVITE ${value} SIP/2.0\r\n\r\n`));
      expect(parseMessage(Buffer.from(`${"X: 1\r\n ".repeat(9_000)}\r\n\r\n`)).kind).toBe("MALFORMED");
    }
  });

  test("a stream that comes byte by byte is read in time", () => {
    const framer = new StreamFramer();
    const bytes = Buffer.from(`INVITE sip:a SIP/2.0\r\nX: ${"\r\n ".repeat(20_000)}`);
    for (let at = 0; at < bytes.length; at += 1) expect(framer.push(bytes.subarray(at, at + 1))).toEqual([]);
    expect(framer.isMidMessage).toBe(true);
  });
});
