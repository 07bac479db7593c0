import { describe, expect, test } from "vitest";
import { parseNameAddr, readTag, writeNameAddr } from "./name-addr.ts";
import { SipHeaders } from "./sip-message.ts";
import { parseSipUri, parseUri, sameUri, writeUri } from "./sip-uri.ts";
import { asksForRport, parseVia, rportOf, writeVia } from "./via.ts";
import { writeMessage } from "./write-message.ts";

function areSame(left: string, right: string): boolean {
  const [one, other] = [parseUri(left), parseUri(right)];
  if (!one || !other) throw new Error("not both are URIs");
  return sameUri(one, other);
}

describe("URIs", () => {
  test("are read with all their parts, and written again", () => {
    const text = "sips:ali%20ce:p%3Aw@[2001:db8::1]:5061;transport=TCP;lr?subject=a%26b&priority=urgent";
    const uri = parseSipUri(text);
    expect(uri).toEqual({
      scheme: "sips",
      user: "ali ce",
      password: "p:w",
      host: "2001:db8::1",
      port: 5061,
      params: new Map([
        ["transport", "TCP"],
        ["lr", null],
      ]),
      headers: [
        ["subject", "a&b"],
        ["priority", "urgent"],
      ],
    });
    expect(uri && writeUri(uri)).toBe(text);
  });

  test("tel: numbers lose their separators", () => {
    expect(parseUri("tel:+1-(555).010-0;ext=7")).toEqual({
      scheme: "tel",
      number: "+15550100",
      params: new Map([["ext", "7"]]),
    });
  });

  test.each([
    "sip:",
    "sip:@a",
    "sip:a@",
    "sip:a b@c",
    "sip:a@b:99999",
    "sip:a@b:x",
    "sip:a@[::g]",
    "sip:a@[1.2.3.4]",
    "sip:a%4@b",
    "sip:a%FF@b",
    "sip:a@b;",
    "sip:a@b;x=1;X=2",
    "sip:a@b?=1",
    "sip:a@b c",
    "sip:a@b<",
    "sip:a@b_c/d",
    "tel:",
    "tel:abc-x",
    "http://a",
    "a@b",
    "",
  ])("%j is none", (text) => {
    expect(parseUri(text)).toBeNull();
  });

  test.each([
    ["sip:%61lice@atlanta.example;transport=TCP", "sip:alice@AtLanTa.example;Transport=tcp"],
    ["sip:carol@chicago.example", "sip:carol@chicago.example;newparam=5"],
    ["sip:carol@chicago.example;security=on", "sip:carol@chicago.example;newparam=5"],
    [
      "sip:alice@atlanta.example?subject=project%20x&priority=urgent",
      "sip:alice@atlanta.example?priority=urgent&Subject=project%20x",
    ],
    ["tel:+1-555-0100", "tel:+15550100"],
  ])("%s and %s are the same", (left, right) => {
    expect(areSame(left, right)).toBe(true);
    expect(areSame(right, left)).toBe(true);
  });

  test.each([
    ["sip:ALICE@a.example", "sip:alice@a.example"],
    ["sip:bob@biloxi.example", "sip:bob@biloxi.example:5060"],
    ["sip:bob@biloxi.example", "sip:bob@biloxi.example;transport=udp"],
    ["sip:carol@chicago.example;newparam=5", "sip:carol@chicago.example;newparam=6"],
    ["sip:carol@chicago.example", "sip:carol@chicago.example?Subject=next"],
    ["sip:a@b", "sips:a@b"],
    ["sip:+15550100@b", "tel:+15550100"],
  ])("%s and %s are not", (left, right) => {
    expect(areSame(left, right)).toBe(false);
    expect(areSame(right, left)).toBe(false);
  });
});

describe("addresses", () => {
  test.each([
    ["sip:a@b;tag=1", { displayName: null, uri: "sip:a@b", params: new Map([["tag", "1"]]) }],
    ["<sip:a@b;lr> ; x = [::1] ", { displayName: null, uri: "sip:a@b;lr", params: new Map([["x", "[::1]"]]) }],
    ['"" <sip:a@b>', { displayName: null, uri: "sip:a@b", params: new Map() }],
    ['"a <b>; c" <sip:a@b>', { displayName: "a <b>; c", uri: "sip:a@b", params: new Map() }],
    [
      "Ana (desk) <sip:a@b>;tag=x=1==",
      { displayName: "Ana (desk)", uri: "sip:a@b", params: new Map([["tag", "x=1=="]]) },
    ],
    ["Ana  Bell <tel:+15550100>", { displayName: "Ana Bell", uri: "tel:+15550100", params: new Map() }],
  ])("%s", (text, expected) => {
    expect(parseNameAddr(text)).toEqual(expected);
  });

  test.each([
    "*",
    "",
    "<>",
    "<sip:a@b",
    "sip:a@b>",
    '"x" sip:a@b',
    '"x"y <sip:a@b>',
    "<sip:a@b>x",
    "<sip:a@b>;x=1;x=2",
    "<sip:a@b>;=1",
    "<sip:a@>",
    "sip:a,b@c",
  ])("%j is none", (text) => {
    expect(parseNameAddr(text)).toBeNull();
  });

  test("tags", () => {
    expect([readTag("<sip:a@b>;tag=x7"), readTag("<sip:a@b>"), readTag("nonsense"), readTag(undefined)]).toEqual([
      "x7",
      null,
      null,
      null,
    ]);
  });

  test("are written with brackets and quotes", () => {
    expect(
      writeNameAddr({
        displayName: 'A "B"',
        uri: "sip:a@b;lr",
        params: [
          ["tag", "1"],
          ["lr", null],
          ["text", "a b"],
        ],
      }),
    ).toBe('"A \\"B\\"" <sip:a@b;lr>;tag=1;lr;text="a b"');
  });
});

describe("Via", () => {
  test("asks for its source port, and is told it", () => {
    const via = parseVia("SIP/2.0/udp [2001:db8::1] : 5062 ;branch=z9hG4bK1;rport");
    expect(via && [via.transport, via.host, via.port, asksForRport(via), rportOf(via)]).toEqual([
      "UDP",
      "2001:db8::1",
      5062,
      true,
      null,
    ]);
    via?.params.set("rport", "6000").set("received", "2001:db8::2");
    expect(via && writeVia(via)).toBe("SIP/2.0/UDP [2001:db8::1]:5062;branch=z9hG4bK1;rport=6000;received=2001:db8::2");
    expect(via && rportOf(via)).toBe(6000);
  });

  test.each([
    "",
    "SIP/2.0/UDP",
    "SIP/3.0/UDP a",
    "SIP/2.0 UDP a",
    "SIP/2.0/UDP a b",
    "SIP/2.0/UDP a:0x1",
    "SIP/2.0/UDP a;",
    "SIP/2.0/UDP ;branch=1",
  ])("%j is none", (text) => {
    expect(parseVia(text)).toBeNull();
  });
});

describe("headers", () => {
  test("count in any case and in compact form, and keep their order", () => {
    const headers = new SipHeaders();
    headers.add("v", 'SIP/2.0/UDP a;x="1,2" , SIP/2.0/UDP b');
    headers.prepend("VIA", "SIP/2.0/UDP c");
    headers.add("x-own", "1, 2");
    headers.set("L", "5");
    headers.set("via", "SIP/2.0/UDP d, SIP/2.0/UDP e");
    headers.add("contact", "<sip:a,b@c>, sip:d@e");
    expect([...headers]).toEqual([
      ["Via", "SIP/2.0/UDP d"],
      ["Via", "SIP/2.0/UDP e"],
      ["x-own", "1, 2"],
      ["Content-Length", "5"],
      ["Contact", "<sip:a,b@c>"],
      ["Contact", "sip:d@e"],
    ]);
    headers.remove("m");
    expect([headers.get("Contact"), headers.getAll("X-OWN"), headers.size]).toEqual([undefined, ["1, 2"], 4]);
  });

  test("of lists of words are written on one line, others on their own", () => {
    const headers = new SipHeaders();
    headers.add("Allow", "INVITE, ACK");
    headers.add("Allow", "BYE");
    headers.add("Route", "<sip:a>, <sip:b>");
    headers.add("Content-Length", "99");
    const written = writeMessage({ kind: "RESPONSE", status: 200, reason: "OK", headers, body: Buffer.from("\u00E9") });
    expect(written.toString()).toBe(
      "SIP/2.0 200 OK\r\nAllow: INVITE, ACK, BYE\r\nRoute: <sip:a>\r\nRoute: <sip:b>\r\nContent-Length: 2\r\n\r\n\u00E9",
    );
  });

  test.each<[string, string, string, string, string]>([
    ["CR and LF in a value", "OPTIONS", "sip:a", "X-A", "1\r\nX-B: 2"],
    ["NUL in a value", "OPTIONS", "sip:a", "X-A", "1\0"],
    ["a name that is no token", "OPTIONS", "sip:a", "X A", "1"],
    ["a URI with a space", "OPTIONS", "sip:a b", "X-A", "1"],
    ["a URI with a line break", "OPTIONS", "sip:a\r\n", "X-A", "1"],
    ["a method that is no token", "OPT IONS", "sip:a", "X-A", "1"],
  ])("%s is never written", (_, method, uri, name, value) => {
    const headers = new SipHeaders();
    headers.add(name, value);
    expect(() => writeMessage({ kind: "REQUEST", method, uri, headers, body: Buffer.alloc(0) })).toThrow(RangeError);
  });

  test("a reason with a line break is never written", () => {
    const headers = new SipHeaders();
    expect(() =>
      writeMessage({ kind: "RESPONSE", status: 200, reason: "a\nb", headers, body: Buffer.alloc(0) }),
    ).toThrow(RangeError);
  });
});
