import { describe, expect, test } from "vitest";
import { type Framed, StreamFramer } from "./stream-framer.ts";

function write(method: string, body: string, length: string | null = `Content-Length: ${body.length}`): string {
  const headers = [
    "Via: SIP/2.0/TCP 192.0.2.7;branch=z9hG4bK1",
    "From: <sip:a@b.example>;tag=1",
    "To: <sip:c@d.example>",
    "Call-ID: 1",
    `CSeq: 1 ${method}`,
  ];
  return [`${method} sip:a@b.example SIP/2.0`, ...headers, ...(length === null ? [] : [length]), "", body].join("\r\n");
}

function push(...texts: string[]): Framed[] {
  const framer = new StreamFramer();
  return texts.flatMap((text) => framer.push(Buffer.from(text)));
}

const kinds = (framed: Framed[]) =>
  framed.map((one) => (one.kind === "REQUEST" ? `${one.method}:${one.body.toString()}` : one.kind));

describe("a stream", () => {
  test("holds several messages in one piece, cut by their Content-Length", () => {
    expect(kinds(push(write("INVITE", "one\r\n\r\n") + write("OPTIONS", "") + write("BYE", "two")))).toEqual([
      "INVITE:one\r\n\r\n",
      "OPTIONS:",
      "BYE:two",
    ]);
  });

  test("holds one message in many pieces, also cut within the empty line", () => {
    const text = write("INVITE", "body");
    const middle = text.indexOf("\r\n\r\n") + 2;
    expect(kinds(push(text.slice(0, middle), text.slice(middle, -2), text.slice(-2)))).toEqual(["INVITE:body"]);
    expect(kinds(push(...text.split("")))).toEqual(["INVITE:body"]);
  });

  test("tells pings, and passes over what answers ours", () => {
    expect(kinds(push("\r\n\r\n"))).toEqual(["PING"]);
    expect(kinds(push("\r\n"))).toEqual([]);
    expect(kinds(push("\r", "\n", "\r", "\n"))).toEqual(["PING"]);
    expect(kinds(push(`\r\n${write("OPTIONS", "")}\r\n\r\n${write("BYE", "")}`))).toEqual(["OPTIONS:", "PING", "BYE:"]);
  });

  test("a message that is malformed but has a length leaves the stream whole", () => {
    const bad = write("INVITE", "12345").replace("CSeq: 1 INVITE", "CSeq: x");
    const [malformed, next] = push(bad + write("BYE", ""));
    expect(malformed).toMatchObject({ kind: "MALFORMED", status: 400 });
    expect(next).toMatchObject({ kind: "REQUEST", method: "BYE" });
  });

  test("without Content-Length there is no body", () => {
    expect(kinds(push(write("OPTIONS", "", null)))).toEqual(["OPTIONS:"]);
  });

  test.each([
    ["a length that is no number", write("INVITE", "", "Content-Length: -5")],
    ["two lengths", write("INVITE", "", "Content-Length: 0\r\nl: 0")],
    ["a length beyond 64 KiB", write("INVITE", "", "Content-Length: 65536")],
  ])("breaks at %s, and answers it first", (_, text) => {
    const framed = push(`${text}${write("BYE", "")}`, write("BYE", ""));
    expect(framed).toMatchObject([{ kind: "MALFORMED", status: 400 }, { kind: "BROKEN" }]);
  });

  test("breaks at what is no SIP, and reads nothing more", () => {
    const framed = push("GET / HTTP/1.1\r\nHost: x\r\n\r\n", write("BYE", ""));
    expect(kinds(framed)).toEqual(["MALFORMED", "BROKEN"]);
  });

  test("breaks at headers without an end", () => {
    const framer = new StreamFramer();
    const framed = Array.from({ length: 70 }, () => framer.push(Buffer.alloc(1024, "x"))).flat();
    expect(kinds(framed)).toEqual(["BROKEN"]);
  });

  test("a message keeps its body when the stream goes on", () => {
    const framer = new StreamFramer();
    const [first] = framer.push(Buffer.from(write("INVITE", "first")));
    framer.push(Buffer.from(write("INVITE", "other")));
    expect(kinds([first as Framed])).toEqual(["INVITE:first"]);
  });

  test("tells whether part of a message has come", () => {
    const framer = new StreamFramer();
    expect(framer.isMidMessage).toBe(false);
    framer.push(Buffer.from("INV"));
    expect(framer.isMidMessage).toBe(true);
  });
});
