import { expect, test } from "vitest";
import { isHostAllowed } from "./allow-list.ts";

const allows = (entry: string, url: string) => isHostAllowed([entry], new URL(url));

test("a name is that name alone, on any port unless it says which", () => {
  expect(allows("example.com", "https://example.com/x")).toBe(true);
  expect(allows("Example.COM", "http://EXAMPLE.com.:8443")).toBe(true);
  expect(allows("example.com:8443", "https://example.com:8443")).toBe(true);
  expect(allows("example.com:443", "https://example.com")).toBe(true);
  expect(allows("example.com:8443", "https://example.com")).toBe(false);
  for (const host of ["a.example.com", "example.com.evil.net", "evilexample.com", "example.org"]) {
    expect(allows("example.com", `https://${host}`), host).toBe(false);
  }
});

test("a wildcard is every name below, and not the name itself", () => {
  expect(allows("*.example.com", "https://a.example.com")).toBe(true);
  expect(allows("*.example.com", "https://a.b.example.com")).toBe(true);
  for (const host of ["example.com", "evilexample.com", "a.example.com.evil.net"]) {
    expect(allows("*.example.com", `https://${host}`), host).toBe(false);
  }
});

test("an address is that address however it is written", () => {
  expect(allows("203.0.113.7", "http://203.0.113.7:8080")).toBe(true);
  expect(allows("203.0.113.7:80", "http://203.0.113.7")).toBe(true);
  expect(allows("203.0.113.7", "http://203.0.113.8")).toBe(false);
  for (const entry of ["2001:db8::1", "[2001:db8::1]", "2001:0db8:0:0::1", "[2001:db8::1]:80"]) {
    expect(allows(entry, "http://[2001:db8::1]"), entry).toBe(true);
    expect(allows(entry, "http://[2001:db8::2]"), entry).toBe(false);
  }
});
