import { describe, expect, test } from "vitest";
import { parseChallenges } from "./digest.ts";
import { parseNameAddr } from "./name-addr.ts";
import { type MalformedMessage, parseMessage } from "./parse-message.ts";
import { parseCSeq, type SipMessage, type SipRequest, type SipResponse } from "./sip-message.ts";
import { parseSipUri, parseUri } from "./sip-uri.ts";
import { branchOf, parseVia } from "./via.ts";
import { writeMessage } from "./write-message.ts";

/** Headers that every request has, with some of them replaced, added (new names) or left out (null). */
function write(startLine: string, changes: Record<string, string | string[] | null> = {}, body = ""): Buffer {
  const method = startLine.split(" ")[0];
  const headers: Record<string, string | string[] | null> = {
    Via: "SIP/2.0/UDP 192.0.2.7:5070;branch=z9hG4bK.q1",
    From: '"Front desk" <sip:desk@pbx.example>;tag=f1',
    To: "<sip:ana@trunk.example>",
    "Call-ID": "c1@pbx.example",
    CSeq: `31 ${method}`,
    "Max-Forwards": "70",
    "Content-Length": String(Buffer.byteLength(body)),
    ...changes,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return Buffer.from([startLine, ...lines, "", body].join("\r\n"));
}

const INVITE = "INVITE sip:ana@trunk.example SIP/2.0";
const OK = "SIP/2.0 200 OK";
const OK_CSEQ = { CSeq: "31 INVITE", To: "<sip:ana@trunk.example>;tag=t1", "Max-Forwards": null };

function request(bytes: Buffer): SipRequest {
  const message = parseMessage(bytes);
  if (message.kind !== "REQUEST") throw new Error(`no request: ${JSON.stringify(message)}`);
  return message;
}

function response(bytes: Buffer): SipResponse {
  const message = parseMessage(bytes);
  if (message.kind !== "RESPONSE") throw new Error(`no response: ${JSON.stringify(message)}`);
  return message;
}

function expectMalformed(bytes: Buffer, status: number | null, reason: RegExp): MalformedMessage {
  const message: SipMessage | MalformedMessage = parseMessage(bytes);
  expect(message).toMatchObject({ kind: "MALFORMED", status });
  const malformed = message as MalformedMessage;
  expect(malformed.reason).toMatch(reason);
  expect(malformed.request === null).toBe(status === null);
  return malformed;
}

describe("odd messages that are valid (after RFC 4475, 3.1.1)", () => {
  test("1: a short tortuous INVITE, with folds, odd case, compact forms and escapes", () => {
    const text = [
      "INVITE sip:ana@trunk.example;unknownparam SIP/2.0",
      "tO :",
      "  sip:ana@trunk.example ;   tag    = 77aa",
      'fROM   : "Q \\\\\\"" ',
      "      <sip:desk@pbx.example>",
      "  ;",
      "  tag = 8x",
      "mAX-fORWARDS: 0068",
      "i: odd.one@192.0.2.7",
      "content-LENGTH   : 4",
      "cseq: 0009",
      "  INVITE",
      "Via  : SIP  /   2.0",
      " /UDP",
      "    192.0.2.7;branch=390x",
      "s :",
      "NewHeader:   value one",
      " goes on here",
      "Stranger: ;;,,;;,;",
      "c: application/sdp",
      "Route:",
      " <sip:proxy.example;lr;unknown=value;novalue>",
      "v:  SIP  / 2.0  / TCP     hop.example   ;",
      "  branch  =   z9hG4bK9x  ,",
      " SIP  /    2.0   / UDP  192.0.2.9   ; branch=",
      " z9hG4bK3y",
      'm:"Said \\"\\"" <sip:desk@pbx.example> ; newparam =',
      "      newvalue ;",
      "  secondparam ; q = 0.33",
      "",
      "v=0\r",
    ].join("\r\n");
    const { headers, body } = request(Buffer.from(text));
    expect(parseNameAddr(headers.get("To") as string)).toEqual({
      displayName: null,
      uri: "sip:ana@trunk.example",
      params: new Map([["tag", "77aa"]]),
    });
    const from = parseNameAddr(headers.get("From") as string);
    expect([from?.displayName, from?.params.get("tag")]).toEqual(['Q \\"', "8x"]);
    expect(parseCSeq(headers.get("CSeq"))).toEqual({ number: 9, method: "INVITE" });
    const vias = headers.getAll("Via").map((via) => parseVia(via));
    expect(vias.map((via) => via && [via.transport, via.host, branchOf(via)])).toEqual([
      ["UDP", "192.0.2.7", "390x"],
      ["TCP", "hop.example", "z9hG4bK9x"],
      ["UDP", "192.0.2.9", "z9hG4bK3y"],
    ]);
    expect(headers.get("newheader")).toBe("value one goes on here");
    expect(headers.get("stranger")).toBe(";;,,;;,;");
    expect(headers.get("Subject")).toBe("");
    const contact = parseNameAddr(headers.get("Contact") as string);
    expect(contact?.displayName).toBe('Said ""');
    expect([...(contact?.params ?? [])]).toEqual([
      ["newparam", "newvalue"],
      ["secondparam", null],
      ["q", "0.33"],
    ]);
    expect(body.toString()).toBe("v=0\r");
  });

  test("2: every character that a method, a name and a URI may have", () => {
    const method = "!interesting-Method0123456789_*+`.%indeed'~";
    const uri =
      "sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@pbx.example";
    const {
      method: read,
      uri: readUri,
      headers,
    } = request(
      write(`${method} ${uri} SIP/2.0`, {
        Via: "SIP/2.0/!weird+transport*~ hop.example:5061;branch=z9hG4bK-.!%66*_+`'~",
        To: '"BEL:\x07 NUL:\\\x01 DEL:\x7f" <sip:1_unusual@pbx.example>',
        From: "token1~` token2'+_ token3*%!.- <sip:mundane@pbx.example>;fromParam''~+*_!.-%=\"\\\"D\\\\x\";tag=_t~1",
        "extensionHeader-!.%*+_`'~": "\u{FEFF}\u{5927}",
      }),
    );
    expect([read, readUri]).toEqual([method, uri]);
    const parsed = parseSipUri(uri);
    expect(parsed?.user).toBe("1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*");
    expect(parsed?.password).toBe("&it+has=1,weird!*pas$wo~d_too.(doesn't-it)");
    expect(parseVia(headers.get("Via") as string)?.transport).toBe("!WEIRD+TRANSPORT*~");
    const from = parseNameAddr(headers.get("From") as string);
    expect(from?.displayName).toBe("token1~` token2'+_ token3*%!.-");
    expect(from?.params.get("fromparam''~+*_!.-%")).toBe('"D\\x');
    expect(parseNameAddr(headers.get("To") as string)?.displayName).toBe("BEL:\x07 NUL:\x01 DEL:\x7f");
  });

  test("3: escapes in a URI, also of characters that would end it", () => {
    const { uri, headers } = request(
      write("INVITE sip:sips%3Aana%40pbx.example@trunk.example SIP/2.0", {
        Contact: "<sip:c%41ller@h%6Fst.example>,<sip:caller@pbx.example;%6C%72;n%61me=v%25lue%25%34%31>",
      }),
    );
    expect(parseSipUri(uri)?.user).toBe("sips:ana@pbx.example");
    expect(parseSipUri(uri)?.host).toBe("trunk.example");
    expect(headers.getAll("Contact").length).toBe(2);
    const second = parseSipUri(parseNameAddr(headers.getAll("Contact")[1] as string)?.uri as string);
    expect([...(second?.params ?? [])]).toEqual([
      ["lr", null],
      ["name", "v%lue%41"],
    ]);
  });

  test("4: an escaped NUL in a URI", () => {
    const { headers } = request(
      write("REGISTER sip:trunk.example SIP/2.0", {
        Contact: ["<sip:%00@host5.example>", "<sip:%00%00@host5.example>"],
      }),
    );
    const users = headers.getAll("Contact").map((value) => parseSipUri(parseNameAddr(value)?.uri as string)?.user);
    expect(users).toEqual(["\0", "\0\0"]);
  });

  test("5: % where it is no escape, in a method and a display name", () => {
    const { method, headers } = request(
      write("RE%47IST%45R sip:trunk.example SIP/2.0", { Contact: '"%Z%45" <sip:who@host5.example>' }),
    );
    expect(method).toBe("RE%47IST%45R");
    expect(parseNameAddr(headers.get("Contact") as string)?.displayName).toBe("%Z%45");
  });

  test("6: no space between display name and bracket", () => {
    const { headers } = request(write("OPTIONS sip:a@b.example SIP/2.0", { From: "desk<sip:desk@pbx.example>;tag=3" }));
    expect(parseNameAddr(headers.get("From") as string)).toMatchObject({
      displayName: "desk",
      uri: "sip:desk@pbx.example",
    });
  });

  test("7: very long values", () => {
    const long = "x".repeat(3000);
    const hops = Array.from(
      { length: 34 },
      (_, hop) => `SIP/2.0/TCP hop${hop}.example;branch=z9hG4bK${hop}${long.slice(0, 60)}`,
    );
    const { headers, uri } = request(
      write(`INVITE sip:${long}@trunk.example SIP/2.0`, {
        Via: [hops.slice(0, 20).join(", "), ...hops.slice(20)],
        From: `"${long}" <sip:desk@pbx.example>;tag=${long}`,
        "Call-ID": `one${long}@pbx.example`,
        [`Unknown-${long}`]: long,
      }),
    );
    expect(parseSipUri(uri)?.user).toBe(long);
    expect(headers.getAll("Via")).toEqual(hops);
    expect(parseNameAddr(headers.get("From") as string)?.params.get("tag")).toBe(long);
  });

  test("8: what stands behind the body in a datagram is cut off, here a second request", () => {
    const first = write("REGISTER sip:trunk.example SIP/2.0");
    const { method, body } = request(Buffer.concat([first, write(INVITE)]));
    expect([method, body.length]).toEqual(["REGISTER", 0]);
  });

  test("9: a parameter in the user part is part of the user", () => {
    const { uri } = request(write("OPTIONS sip:user;par=u%40example.net@trunk.example SIP/2.0"));
    expect(parseSipUri(uri)).toMatchObject({ user: "user;par=u@example.net", host: "trunk.example" });
  });

  test("10: transports that nobody knows", () => {
    const transports = ["UDP", "SCTP", "TLS", "UNKNOWN", "TCP"];
    const { headers } = request(
      write("OPTIONS sip:a@b.example SIP/2.0", {
        Via: transports.map((name) => `SIP/2.0/${name} h.example;branch=z9hG4bK${name}`),
      }),
    );
    expect(headers.getAll("Via").map((via) => parseVia(via)?.transport)).toEqual(transports);
  });

  test("11: a body of several parts, with bytes that are no text", () => {
    const body = Buffer.concat([
      Buffer.from("--b1\r\nContent-Type: a/b\r\n\r\n"),
      Buffer.from([0, 255, 128, 13, 10]),
      Buffer.from("--b1--"),
    ]);
    const head = write("MESSAGE sip:ana@trunk.example SIP/2.0", {
      "Content-Type": "multipart/mixed;boundary=b1",
      "Content-Length": String(body.length),
    });
    const read = request(Buffer.concat([head, body]));
    expect(read.body.equals(body)).toBe(true);
    expect(read.headers.get("c")).toBe("multipart/mixed;boundary=b1");
  });

  test("12: a reason phrase of any characters", () => {
    const { reason } = response(write("SIP/2.0 200 = 2**3 * 5**2 \u043D\u043E \u0441\u0442\u043E", OK_CSEQ));
    expect(reason).toBe("= 2**3 * 5**2 \u043D\u043E \u0441\u0442\u043E");
  });

  test("13: no reason phrase, with and without its space", () => {
    expect(response(write("SIP/2.0 100 ", OK_CSEQ))).toMatchObject({ status: 100, reason: "" });
    expect(response(write("SIP/2.0 100", OK_CSEQ))).toMatchObject({ status: 100, reason: "" });
  });
});

describe("messages that are invalid (after RFC 4475, 3.1.2)", () => {
  test.each<[string, Buffer, number | null, RegExp]>([
    [
      "1: separators without values in Contact",
      write(INVITE, { Contact: '"" <sip:desk@pbx.example>;;,;,,' }),
      400,
      /Contact/,
    ],
    [
      "1: separators without values in Via",
      write(INVITE, { Via: ["SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1", "SIP/2.0/UDP 192.0.2.8;;,;,,"] }),
      400,
      /Via/,
    ],
    ["2: a body shorter than Content-Length", write(INVITE, { "Content-Length": "9999" }, "v=0"), 400, /shorter/],
    ["2: the same in a response", write(OK, { ...OK_CSEQ, "Content-Length": "9999" }, "v=0"), null, /shorter/],
    ["3: a negative Content-Length", write(INVITE, { "Content-Length": "-999" }, "v=0"), 400, /Content-Length/],
    ["4: a CSeq beyond 32 bits", write(INVITE, { CSeq: "36893488147419103232 INVITE" }), 400, /CSeq/],
    ["4: a CSeq of 2^31", write(INVITE, { CSeq: "2147483648 INVITE" }), 400, /CSeq/],
    ["4: Max-Forwards above 255", write(INVITE, { "Max-Forwards": "300" }), 400, /Max-Forwards/],
    ["4: an Expires without bound", write(INVITE, { Expires: "10000000000000000000000000000000000" }), 400, /Expires/],
    [
      "4: an expires of a Contact without bound",
      write("REGISTER sip:trunk.example SIP/2.0", { Contact: "<sip:a@b.example>;expires=280297596632815" }),
      400,
      /Contact/,
    ],
    [
      "5: numbers without bound in a response",
      write(OK, { ...OK_CSEQ, CSeq: "9292394834772304023312 INVITE" }),
      null,
      /CSeq/,
    ],
    ["6: a quoted string that does not end", write(INVITE, { To: '"Ana <sip:ana@trunk.example>' }), 400, /To/],
    ["7: brackets around the Request-URI", write("INVITE <sip:ana@trunk.example> SIP/2.0"), 400, /Request-URI/],
    ["8: a space within the Request-URI", write("INVITE sip:ana@trunk.example; lr SIP/2.0"), 400, /Request-URI|spaces/],
    [
      "9: two spaces between the parts of the first line",
      write("INVITE  sip:ana@trunk.example  SIP/2.0"),
      400,
      /spaces/,
    ],
    ["10: a space at the end of the first line", write("INVITE sip:ana@trunk.example SIP/2.0 "), 400, /spaces/],
    [
      "11: headers in the Request-URI",
      write("INVITE sip:ana@trunk.example?Route=%3Csip:x.example%3E SIP/2.0"),
      400,
      /Request-URI/,
    ],
    [
      "13: a Contact whose URI has headers and no brackets",
      write("REGISTER sip:trunk.example SIP/2.0", { Contact: "sip:u@x.example?Route=%3Csip:y.example%3E" }),
      400,
      /Contact/,
    ],
    ["14: spaces within an address", write(INVITE, { To: '"Ana" < sip:ana@trunk.example >' }), 400, /To/],
    ["15: a display name that needs quotes", write(INVITE, { To: "Bell, Ana <sip:ana@trunk.example>" }), 400, /To/],
    ["16: a version that nobody knows", write("OPTIONS sip:a@b.example SIP/7.0"), 505, /SIP\/7\.0/],
    ["16: a response of that version", write("SIP/7.0 200 OK", OK_CSEQ), null, /first line/],
    ["17: CSeq names another method", write("OPTIONS sip:a@b.example SIP/2.0", { CSeq: "8 INVITE" }), 400, /CSeq/],
    [
      "18: the same with a method that nobody knows",
      write("NEWMETHOD sip:a@b.example SIP/2.0", { CSeq: "8 INVITE" }),
      400,
      /CSeq/,
    ],
    ["19: a status of ten digits", write("SIP/2.0 4294967301 better not break", OK_CSEQ), null, /first line/],
    ["19: a status of 700", write("SIP/2.0 700 none", OK_CSEQ), null, /status/],
  ])("%s", (_, bytes, status, reason) => {
    expectMalformed(bytes, status, reason);
  });

  test("12: a Date that is no date is left alone, because we need none", () => {
    const { headers } = request(write(INVITE, { Date: "Fri, 01 Jan 2027 16:00:00 EST" }));
    expect(headers.get("Date")).toBe("Fri, 01 Jan 2027 16:00:00 EST");
  });
});

describe("transactions, applications, and the standard before (after RFC 4475, 3.2 to 3.4)", () => {
  test("3.2.1: a branch that holds the cookie alone is read as such", () => {
    const { headers } = request(
      write("OPTIONS sip:a@b.example SIP/2.0", { Via: "SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK" }),
    );
    const via = parseVia(headers.get("Via") as string);
    expect(via && branchOf(via)).toBe("z9hG4bK");
  });

  test.each(["From", "To", "Call-ID", "CSeq"])("3.3.1: without %s it is refused, and can be answered", (name) => {
    const { request: kept } = expectMalformed(write(INVITE, { [name]: null }), 400, new RegExp(name));
    expect(kept?.headers.get("Via")).toContain("192.0.2.7");
  });

  test("3.3.1: without Via nobody could be answered", () => {
    expectMalformed(write(INVITE, { Via: null }), null, /Via/);
    expectMalformed(write(INVITE, { Via: "SIP/2.0/UDP" }), null, /Via/);
  });

  test("3.3.2 and 3.3.3: URIs of other schemes are for the user agent to refuse", () => {
    expect(request(write("OPTIONS nobodyKnowsThis:totallyopaquecontent SIP/2.0")).uri).toBe(
      "nobodyKnowsThis:totallyopaquecontent",
    );
    const odd = request(write("OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0")).uri;
    expect([odd, parseUri(odd)]).toEqual(["soap.beep://192.0.2.103:3002", null]);
  });

  test("3.3.4: URIs of other schemes in From, To and Contact", () => {
    const { headers } = request(
      write("REGISTER sip:trunk.example SIP/2.0", {
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
      write("OPTIONS sip:a@b.example SIP/2.0", {
        Require: "nothingSupportsThis, nothingSupportsThisEither",
        "Proxy-Require": "noProxiesSupportThis,norDoAnyProxiesSupportThis",
      }),
    );
    expect(headers.getAll("require")).toEqual(["nothingSupportsThis", "nothingSupportsThisEither"]);
    expect(headers.getAll("proxy-require").length).toBe(2);
  });

  test("3.3.6: a body of a type that nobody knows", () => {
    const { headers, body } = request(write(INVITE, { "Content-Type": "application/unknownformat" }, "<audio/>"));
    expect([headers.get("Content-Type"), body.toString()]).toEqual(["application/unknownformat", "<audio/>"]);
  });

  test("3.3.7: credentials of a scheme that nobody knows", () => {
    const { headers } = request(
      write("REGISTER sip:trunk.example SIP/2.0", { Authorization: "NoOneKnowsThisScheme opaque-data=here" }),
    );
    expect(headers.get("Authorization")).toBe("NoOneKnowsThisScheme opaque-data=here");
    expect(parseChallenges("NoOneKnowsThisScheme opaque-data=here")).toEqual([]);
  });

  test.each(["From", "To", "Call-ID", "CSeq", "Max-Forwards"])("3.3.8: %s twice is refused", (name) => {
    const first = request(write(INVITE)).headers.get(name) as string;
    expectMalformed(write(INVITE, { [name]: [first, first] }), 400, new RegExp(name));
  });

  test("3.3.8: also when one of them is in compact form", () => {
    expectMalformed(write(INVITE, { f: "<sip:other@pbx.example>;tag=2" }), 400, /From/);
  });

  test("3.3.9: two Content-Lengths", () => {
    expectMalformed(write(INVITE, { "Content-Length": "8", l: "5" }, "There's no way"), 400, /Content-Length/);
  });

  test("3.3.10: a response by way of a broadcast address is read; it fits no transaction of ours", () => {
    const { headers } = response(
      write(OK, {
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
    expect(request(write("OPTIONS sip:a@b.example SIP/2.0", { "Max-Forwards": "0" })).headers.get("Max-Forwards")).toBe(
      "0",
    );
  });

  test("3.3.12 to 3.3.14: parameters and headers of a Contact belong to whom the brackets say", () => {
    const read = (contact: string) => {
      const { headers } = request(write("REGISTER sip:trunk.example SIP/2.0", { Contact: contact }));
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
    expect(request(write(INVITE, { Accept: "text/nobodyKnowsThis" })).headers.getAll("Accept")).toEqual([
      "text/nobodyKnowsThis",
    ]);
  });

  test("3.4.1: an INVITE of RFC 2543, without branch, Max-Forwards and a From tag", () => {
    const { headers, body } = request(
      write(
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
    ["lines that end with LF", Buffer.from(write(INVITE).toString().replaceAll("\r\n", "\n"))],
    ["more than 64 KiB", write(INVITE, {}, "x".repeat(65_536))],
    ["an ACK that is malformed, which is never answered", write("ACK sip:a@b.example SIP/2.0", { CSeq: "1 INVITE" })],
  ])("%s is dropped", (_, bytes) => {
    expectMalformed(bytes, null, /./);
  });

  test.each<[string, Buffer, RegExp]>([
    ["more than 200 headers", write(INVITE, { "X-Many": Array.from({ length: 200 }, () => "1") }), /200/],
    ["a list with a thousand elements", write(INVITE, { Supported: "a,".repeat(1000) }), /too many/],
    ["a header of more than 8 KiB", write(INVITE, { "X-Long": "x".repeat(8192) }), /longer/],
    ["a header of more than 8 KiB in folded lines", write(INVITE, { "X-Long": "x\r\n ".repeat(5000) }), /longer/],
    ["a line without a colon", write(INVITE, { "X-A": "1\r\nnonsense" }), /not a header/],
    ["a NUL in a header", write(INVITE, { "X-A": "1\0" }), /control/],
    ["a bare LF in a header", write(INVITE, { "X-A": "1\nX-B: 2" }), /control/],
    ["no empty line", write(INVITE).subarray(0, -2), /empty line/],
  ])("%s is answered with 400", (_, bytes, reason) => {
    expectMalformed(bytes, 400, reason);
  });

  test("empty lines before a message are passed over", () => {
    expect(request(Buffer.concat([Buffer.from("\r\n\r\n\r\n"), write(INVITE)])).method).toBe("INVITE");
  });

  test("a name in the bytes of Latin-1 is kept", () => {
    const bytes = Buffer.from(write(INVITE, { From: '"J\xFCrgen" <sip:desk@pbx.example>;tag=1' }).toString(), "latin1");
    expect(parseNameAddr(request(bytes).headers.get("From") as string)?.displayName).toBe("J\xFCrgen");
  });

  test("what a malformed request is answered from can be written again", () => {
    const { request: kept } = expectMalformed(write(INVITE, { CSeq: "x" }), 400, /CSeq/);
    expect(writeMessage(kept as SipRequest).toString()).toContain("c1@pbx.example");
  });
});
