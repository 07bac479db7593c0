import { describe, expect, test } from "vitest";
import { assertHeaderAllowed, assertHeaderSendable } from "./outbound-headers.ts";

describe("outbound headers", () => {
  test.each(["Authorization", "X-Api-Key", "x-my.header_1~", "Cookie", "Accept", "X-Servicedesk"])(
    "%s may be chosen",
    (name) => {
      expect(() => assertHeaderAllowed(name, "Bearer abc, déjà\tvu")).not.toThrow();
    },
  );

  test.each([
    "Host",
    "CONTENT-LENGTH",
    "Transfer-Encoding",
    "connection",
    "Keep-Alive",
    "Upgrade",
    "TE",
    "Trailer",
    "Expect",
    "Proxy-Authorization",
    "proxy-connection",
    "HTTP2-Settings",
    "X-Service-Event-Id",
    "x-service-delivery-attempt",
    "Webhook-Signature",
    "User-Agent",
    "Content-Type",
    "Accept-Encoding",
  ])("%s may not be chosen", (name) => {
    expect(() => assertHeaderAllowed(name, "x")).toThrow(/set by the service|cannot be set/);
  });

  test.each(["", "a b", "a:b", "a\r\nb", "naïve", "a\u0000", "(x)", "x".repeat(129)])(
    "%j is no header name",
    (name) => {
      expect(() => assertHeaderAllowed(name, "x")).toThrow("header name");
    },
  );

  test.each(["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\u0000b", "a\u007fb", "snow ☃", "\u0085".padStart(5_000, "x")])(
    "%j is no header value",
    (value) => {
      expect(() => assertHeaderAllowed("X-Key", value)).toThrow("The value of X-Key");
    },
  );

  test("never shows the value in its message", () => {
    expect(() => assertHeaderAllowed("X-Key", "hunter2\n")).not.toThrow("hunter2");
    expect(() => assertHeaderAllowed("X-Key", "hunter2\n")).toThrow();
  });

  test("a place can open headers of our own, but not those of the connection", () => {
    expect(() => assertHeaderAllowed("Content-Type", "text/xml", ["content-type"])).not.toThrow();
    expect(() => assertHeaderAllowed("Host", "x", ["host"])).toThrow("cannot be set");
    expect(() => assertHeaderSendable("X-Service-Event-Id", "1")).not.toThrow();
    expect(() => assertHeaderSendable("Host", "x")).toThrow("cannot be set");
  });
});
