import { describe, expect, test } from "vitest";
import { parseChallenges } from "#src/telephony/carriers/sip/digest.ts";
import { parseNameAddr } from "#src/telephony/carriers/sip/name-addr.ts";
import type { SipRequest } from "#src/telephony/carriers/sip/sip-message.ts";
import { parseSipUri, parseUri } from "#src/telephony/carriers/sip/sip-uri.ts";
import { branchOf, parseVia } from "#src/telephony/carriers/sip/via.ts";
import { writeMessage } from "#src/telephony/carriers/sip/write-message.ts";
import {
  INVITE,
  malformed,
  OK,
  OK_CSEQ,
  refusal,
  refused,
  request,
  response,
  writeLines,
} from "../../kit/sip/message-kit.ts";

describe("transactions, applications, and the standard before (after RFC 4475, 3.2 to 3.4)", () => {
  test("3.2.1: a branch that holds the cookie alone is read as such", () => {
    const { headers } = request(
      writeLines("OPTIONS sip:a@b.example SIP/2.0", { Via: "SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK" }),
    );
    const via = parseVia(headers.get("Via") as string);
    expect(via && branchOf(via)).toBe("z9hG4bK");
  });

  test.each(["From", "To", "Call-ID", "CSeq"])("3.3.1: without %s it is refused, and can be answered", (name) => {
    const bytes = writeLines(INVITE, { [name]: null });
    expect(refusal(bytes)).toEqual(refused(400, new RegExp(name)));
    const { request: kept } = malformed(bytes);
    expect(kept?.headers.get("Via")).toContain("192.0.2.7");
  });

  test("3.3.1: without Via nobody could be answered", () => {
    expect(refusal(writeLines(INVITE, { Via: null }))).toEqual(refused(null, /Via/));
    expect(refusal(writeLines(INVITE, { Via: "SIP/2.0/UDP" }))).toEqual(refused(null, /Via/));
  });

  test("3.3.2 and 3.3.3: URIs of other schemes are for the user agent to refuse", () => {
    expect(request(writeLines("OPTIONS nobodyKnowsThis:totallyopaquecontent SIP/2.0")).uri).toBe(
      "nobodyKnowsThis:totallyopaquecontent",
    );
    const odd = request(writeLines("OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0")).uri;
    expect([odd, parseUri(odd)]).toEqual(["soap.beep://192.0.2.103:3002", null]);
  });

  test("3.3.4: URIs of other schemes in From, To and Contact", () => {
    const { headers } = request(
      writeLines("REGISTER sip:trunk.example SIP/2.0", {
        To: "isbn:2983792873",
        From: "<http://www.example.com>;tag=3",
        Contact: "<name:John_Smith>",
      }),
    );
    expect(["To", "From", "Contact"].map((name) => parseNameAddr(headers.get(name) as string)?.uri)).toEqual([
      "isbn:2983792873",
      "http://www.example.com",
      "name:John_Smith",
    ]);
  });

  test("3.3.5: extensions that are required are listed one by one", () => {
    const { headers } = request(
      writeLines("OPTIONS sip:a@b.example SIP/2.0", {
        Require: "nothingSupportsThis, nothingSupportsThisEither",
        "Proxy-Require": "noProxiesSupportThis,norDoAnyProxiesSupportThis",
      }),
    );
    expect(headers.getAll("require")).toEqual(["nothingSupportsThis", "nothingSupportsThisEither"]);
    expect(headers.getAll("proxy-require").length).toBe(2);
  });

  test("3.3.6: a body of a type that nobody knows", () => {
    const { headers, body } = request(writeLines(INVITE, { "Content-Type": "application/unknownformat" }, "<audio/>"));
    expect([headers.get("Content-Type"), body.toString()]).toEqual(["application/unknownformat", "<audio/>"]);
  });

  test("3.3.7: credentials of a scheme that nobody knows", () => {
    const { headers } = request(
      writeLines("REGISTER sip:trunk.example SIP/2.0", { Authorization: "NoOneKnowsThisScheme opaque-data=here" }),
    );
    expect(headers.get("Authorization")).toBe("NoOneKnowsThisScheme opaque-data=here");
    expect(parseChallenges("NoOneKnowsThisScheme opaque-data=here")).toEqual([]);
  });

  test.each(["From", "To", "Call-ID", "CSeq", "Max-Forwards"])("3.3.8: %s twice is refused", (name) => {
    const first = request(writeLines(INVITE)).headers.get(name) as string;
    expect(refusal(writeLines(INVITE, { [name]: [first, first] }))).toEqual(refused(400, new RegExp(name)));
  });

  test("3.3.8: also when one of them is in compact form", () => {
    expect(refusal(writeLines(INVITE, { f: "<sip:other@pbx.example>;tag=2" }))).toEqual(refused(400, /From/));
  });

  test("3.3.9: two Content-Lengths", () => {
    expect(refusal(writeLines(INVITE, { "Content-Length": "8", l: "5" }, "There's no way"))).toEqual(
      refused(400, /Content-Length/),
    );
  });

  test("3.3.10: a response by way of a broadcast address is read; it fits no transaction of ours", () => {
    const { headers } = response(
      writeLines(OK, {
        ...OK_CSEQ,
        Via: [
          "SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1",
          "SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK2;received=192.0.2.255",
        ],
      }),
    );
    expect(headers.getAll("Via").length).toBe(2);
  });

  test("3.3.11: Max-Forwards of zero", () => {
    expect(
      request(writeLines("OPTIONS sip:a@b.example SIP/2.0", { "Max-Forwards": "0" })).headers.get("Max-Forwards"),
    ).toBe("0");
  });

  test("3.3.12 to 3.3.14: parameters and headers of a Contact belong to whom the brackets say", () => {
    const read = (contact: string) => {
      const { headers } = request(writeLines("REGISTER sip:trunk.example SIP/2.0", { Contact: contact }));
      const address = parseNameAddr(headers.get("Contact") as string);
      const uri = parseSipUri(address?.uri as string);
      return {
        outside: [...(address?.params.keys() ?? [])],
        inside: [...(uri?.params.keys() ?? [])],
        headers: uri?.headers,
      };
    };
    expect(read("sip:+19725552222@gw1.example;unknownparam")).toEqual({
      outside: ["unknownparam"],
      inside: [],
      headers: [],
    });
    expect(read("<sip:+19725552222@gw1.example;unknownparam>")).toEqual({
      outside: [],
      inside: ["unknownparam"],
      headers: [],
    });
    expect(read("<sip:u@x.example?Route=%3Csip:y.example%3E>").headers).toEqual([["Route", "<sip:y.example>"]]);
  });

  test("3.3.15: an Accept without SDP is read", () => {
    expect(request(writeLines(INVITE, { Accept: "text/nobodyKnowsThis" })).headers.getAll("Accept")).toEqual([
      "text/nobodyKnowsThis",
    ]);
  });

  test("3.4.1: an INVITE of RFC 2543, without branch, Max-Forwards and a From tag", () => {
    const { headers, body } = request(
      writeLines(
        INVITE,
        {
          Via: "SIP/2.0/UDP iftgw.example:5060",
          From: "<sip:+13035551111@ift.example;user=phone>",
          "Max-Forwards": null,
          "Content-Length": null,
          "Record-Route": "<sip:+17035552222@proxy.example;maddr=192.0.2.5>",
        },
        "v=0\r\n",
      ),
    );
    const via = parseVia(headers.get("Via") as string);
    expect(via && branchOf(via)).toBeNull();
    expect(body.toString()).toBe("v=0\r\n");
  });
});

describe("limits and hostile bytes", () => {
  test.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["a keep-alive", Buffer.from("\r\n\r\n")],
    ["zeros", Buffer.alloc(500)],
    ["one line", Buffer.from("INVITE")],
    ["a first line of spaces", Buffer.from(`${" ".repeat(60_000)}\r\n\r\n`)],
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")],
    ["lines that end with LF", Buffer.from(writeLines(INVITE).toString().replaceAll("\r\n", "\n"))],
    ["more than 64 KiB", writeLines(INVITE, {}, "x".repeat(65_536))],
    [
      "an ACK that is malformed, which is never answered",
      writeLines("ACK sip:a@b.example SIP/2.0", { CSeq: "1 INVITE" }),
    ],
  ])("%s is dropped", (_, bytes) => {
    expect(refusal(bytes)).toEqual(refused(null, /./));
  });

  test.each<[string, Buffer, RegExp]>([
    ["more than 200 headers", writeLines(INVITE, { "X-Many": Array.from({ length: 200 }, () => "1") }), /200/],
    ["a list with a thousand elements", writeLines(INVITE, { Supported: "a,".repeat(1000) }), /too many/],
    ["a header of more than 8 KiB", writeLines(INVITE, { "X-Long": "x".repeat(8192) }), /longer/],
    ["a header of more than 8 KiB in folded lines", writeLines(INVITE, { "X-Long": "x\r\n ".repeat(5000) }), /longer/],
    ["a line without a colon", writeLines(INVITE, { "X-A": "1\r\nnonsense" }), /not a header/],
    ["a NUL in a header", writeLines(INVITE, { "X-A": "1\0" }), /control/],
    ["a bare LF in a header", writeLines(INVITE, { "X-A": "1\nX-B: 2" }), /control/],
    ["no empty line", writeLines(INVITE).subarray(0, -4), /empty line/],
  ])("%s is answered with 400", (_, bytes, reason) => {
    expect(refusal(bytes)).toEqual(refused(400, reason));
  });

  test("empty lines before a message are passed over", () => {
    expect(request(Buffer.concat([Buffer.from("\r\n\r\n\r\n"), writeLines(INVITE)])).method).toBe("INVITE");
  });

  test("a name in the bytes of Latin-1 is kept", () => {
    const bytes = Buffer.from(
      writeLines(INVITE, { From: '"J\xFCrgen" <sip:desk@pbx.example>;tag=1' }).toString(),
      "latin1",
    );
    expect(parseNameAddr(request(bytes).headers.get("From") as string)?.displayName).toBe("J\xFCrgen");
  });

  test("what a malformed request is answered from can be written again", () => {
    const { request: kept } = malformed(writeLines(INVITE, { CSeq: "x" }));
    expect(writeMessage(kept as SipRequest).toString()).toContain("c1@pbx.example");
  });
});
