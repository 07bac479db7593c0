import { describe, expect, test } from "vitest";
import { parseNameAddr } from "#src/telephony/carriers/sip/name-addr.ts";
import { parseCSeq } from "#src/telephony/carriers/sip/sip-message.ts";
import { parseSipUri } from "#src/telephony/carriers/sip/sip-uri.ts";
import { branchOf, parseVia } from "#src/telephony/carriers/sip/via.ts";
import { INVITE, OK, OK_CSEQ, refusal, refused, request, response, writeLines } from "../../kit/sip/message-kit.ts";

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
      writeLines(`${method} ${uri} SIP/2.0`, {
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
      writeLines("INVITE sip:sips%3Aana%40pbx.example@trunk.example SIP/2.0", {
        Contact: "<sip:c%41ller@host.example>,<sip:caller@pbx.example;%6C%72;n%61me=v%25lue%25%34%31>",
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
      writeLines("REGISTER sip:trunk.example SIP/2.0", {
        Contact: ["<sip:%00@host5.example>", "<sip:%00%00@host5.example>"],
      }),
    );
    const users = headers.getAll("Contact").map((value) => parseSipUri(parseNameAddr(value)?.uri as string)?.user);
    expect(users).toEqual(["\0", "\0\0"]);
  });

  test("5: % where it is no escape, in a method and a display name", () => {
    const { method, headers } = request(
      writeLines("RE%47IST%45R sip:trunk.example SIP/2.0", { Contact: '"%Z%45" <sip:who@host5.example>' }),
    );
    expect(method).toBe("RE%47IST%45R");
    expect(parseNameAddr(headers.get("Contact") as string)?.displayName).toBe("%Z%45");
  });

  test("6: no space between display name and bracket", () => {
    const { headers } = request(
      writeLines("OPTIONS sip:a@b.example SIP/2.0", { From: "desk<sip:desk@pbx.example>;tag=3" }),
    );
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
      writeLines(`INVITE sip:${long}@trunk.example SIP/2.0`, {
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
    const first = writeLines("REGISTER sip:trunk.example SIP/2.0");
    const { method, body } = request(Buffer.concat([first, writeLines(INVITE)]));
    expect([method, body.length]).toEqual(["REGISTER", 0]);
  });

  test("9: a parameter in the user part is part of the user", () => {
    const { uri } = request(writeLines("OPTIONS sip:user;par=u%40example.net@trunk.example SIP/2.0"));
    expect(parseSipUri(uri)).toMatchObject({ user: "user;par=u@example.net", host: "trunk.example" });
  });

  test("10: transports that nobody knows", () => {
    const transports = ["UDP", "SCTP", "TLS", "UNKNOWN", "TCP"];
    const { headers } = request(
      writeLines("OPTIONS sip:a@b.example SIP/2.0", {
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
    const head = writeLines("MESSAGE sip:ana@trunk.example SIP/2.0", {
      "Content-Type": "multipart/mixed;boundary=b1",
      "Content-Length": String(body.length),
    });
    const read = request(Buffer.concat([head, body]));
    expect(read.body.equals(body)).toBe(true);
    expect(read.headers.get("c")).toBe("multipart/mixed;boundary=b1");
  });

  test("12: a reason phrase of any characters", () => {
    const { reason } = response(writeLines("SIP/2.0 200 = 2**3 * 5**2 \u043D\u043E \u0441\u0442\u043E", OK_CSEQ));
    expect(reason).toBe("= 2**3 * 5**2 \u043D\u043E \u0441\u0442\u043E");
  });

  test("13: no reason phrase, with and without its space", () => {
    expect(response(writeLines("SIP/2.0 100 ", OK_CSEQ))).toMatchObject({ status: 100, reason: "" });
    expect(response(writeLines("SIP/2.0 100", OK_CSEQ))).toMatchObject({ status: 100, reason: "" });
  });
});

describe("messages that are invalid (after RFC 4475, 3.1.2)", () => {
  test.each<[string, Buffer, number | null, RegExp]>([
    [
      "1: separators without values in Contact",
      writeLines(INVITE, { Contact: '"" <sip:desk@pbx.example>;;,;,,' }),
      400,
      /Contact/,
    ],
    [
      "1: separators without values in Via",
      writeLines(INVITE, { Via: ["SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1", "SIP/2.0/UDP 192.0.2.8;;,;,,"] }),
      400,
      /Via/,
    ],
    ["2: a body shorter than Content-Length", writeLines(INVITE, { "Content-Length": "9999" }, "v=0"), 400, /shorter/],
    ["2: the same in a response", writeLines(OK, { ...OK_CSEQ, "Content-Length": "9999" }, "v=0"), null, /shorter/],
    ["3: a negative Content-Length", writeLines(INVITE, { "Content-Length": "-999" }, "v=0"), 400, /Content-Length/],
    ["4: a CSeq beyond 32 bits", writeLines(INVITE, { CSeq: "36893488147419103232 INVITE" }), 400, /CSeq/],
    ["4: a CSeq of 2^31", writeLines(INVITE, { CSeq: "2147483648 INVITE" }), 400, /CSeq/],
    ["4: Max-Forwards above 255", writeLines(INVITE, { "Max-Forwards": "300" }), 400, /Max-Forwards/],
    [
      "4: an Expires without bound",
      writeLines(INVITE, { Expires: "10000000000000000000000000000000000" }),
      400,
      /Expires/,
    ],
    [
      "4: an expires of a Contact without bound",
      writeLines("REGISTER sip:trunk.example SIP/2.0", { Contact: "<sip:a@b.example>;expires=280297596632815" }),
      400,
      /Contact/,
    ],
    [
      "5: numbers without bound in a response",
      writeLines(OK, { ...OK_CSEQ, CSeq: "9292394834772304023312 INVITE" }),
      null,
      /CSeq/,
    ],
    ["6: a quoted string that does not end", writeLines(INVITE, { To: '"Ana <sip:ana@trunk.example>' }), 400, /To/],
    ["7: brackets around the Request-URI", writeLines("INVITE <sip:ana@trunk.example> SIP/2.0"), 400, /Request-URI/],
    [
      "8: a space within the Request-URI",
      writeLines("INVITE sip:ana@trunk.example; lr SIP/2.0"),
      400,
      /Request-URI|spaces/,
    ],
    [
      "9: two spaces between the parts of the first line",
      writeLines("INVITE  sip:ana@trunk.example  SIP/2.0"),
      400,
      /spaces/,
    ],
    ["10: a space at the end of the first line", writeLines("INVITE sip:ana@trunk.example SIP/2.0 "), 400, /spaces/],
    [
      "11: headers in the Request-URI",
      writeLines("INVITE sip:ana@trunk.example?Route=%3Csip:x.example%3E SIP/2.0"),
      400,
      /Request-URI/,
    ],
    [
      "13: a Contact whose URI has headers and no brackets",
      writeLines("REGISTER sip:trunk.example SIP/2.0", { Contact: "sip:u@x.example?Route=%3Csip:y.example%3E" }),
      400,
      /Contact/,
    ],
    ["14: spaces within an address", writeLines(INVITE, { To: '"Ana" < sip:ana@trunk.example >' }), 400, /To/],
    [
      "15: a display name that needs quotes",
      writeLines(INVITE, { To: "Bell, Ana <sip:ana@trunk.example>" }),
      400,
      /To/,
    ],
    ["16: a version that nobody knows", writeLines("OPTIONS sip:a@b.example SIP/7.0"), 505, /SIP\/7\.0/],
    ["16: a response of that version", writeLines("SIP/7.0 200 OK", OK_CSEQ), null, /first line/],
    ["17: CSeq names another method", writeLines("OPTIONS sip:a@b.example SIP/2.0", { CSeq: "8 INVITE" }), 400, /CSeq/],
    [
      "18: the same with a method that nobody knows",
      writeLines("NEWMETHOD sip:a@b.example SIP/2.0", { CSeq: "8 INVITE" }),
      400,
      /CSeq/,
    ],
    ["19: a status of ten digits", writeLines("SIP/2.0 4294967301 better not break", OK_CSEQ), null, /first line/],
    ["19: a status of 700", writeLines("SIP/2.0 700 none", OK_CSEQ), null, /status/],
  ])("%s", (_, bytes, status, reason) => {
    expect(refusal(bytes)).toEqual(refused(status, reason));
  });

  test("12: a Date that is no date is left alone, because we need none", () => {
    const { headers } = request(writeLines(INVITE, { Date: "Fri, 01 Jan 2027 16:00:00 EST" }));
    expect(headers.get("Date")).toBe("Fri, 01 Jan 2027 16:00:00 EST");
  });
});
