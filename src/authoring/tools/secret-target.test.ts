import { expect, test } from "vitest";
import { isElsewhere } from "./secret-target.ts";

const apiUrl = "https://api.example.com/orders/{{ orderId }}";
const chosen = { apiUrl: "https://{{ region }}.example.com/", networkAllowList: ["*.example.com"] };

test.each([
  ["another path", { apiUrl: "https://api.example.com/people/{{ id }}?all=1" }],
  ["the port that the scheme has anyway", { apiUrl: "HTTPS://API.example.com:443/" }],
  ["other hosts that it may reach, when none of them is chosen", { apiUrl, networkAllowList: ["api.example.com"] }],
])("secrets stay for %s", (_, after) => {
  expect(isElsewhere({ apiUrl }, after)).toBe(false);
});

test.each([
  ["another host", "https://evil.example/orders/{{ orderId }}"],
  ["another scheme", "http://api.example.com/orders"],
  ["another port", "https://api.example.com:8443/orders"],
  ["a host behind a user name", "https://api.example.com@evil.example/"],
  ["a host behind a line break", "https://api.example.com\n.evil.example/"],
  ["a template in the host", "https://{{ host }}/orders"],
  ["a template in the port", "https://api.example.com:{{ port }}/orders"],
  ["no address, after which any could follow", null],
])("secrets do not stay for %s", (_, url) => {
  expect(isElsewhere({ apiUrl }, { apiUrl: url })).toBe(true);
  expect(isElsewhere({ apiUrl: url }, { apiUrl })).toBe(true);
});

test("of a host that a template chooses, secrets stay while it may reach no further one", () => {
  const hosts = (...networkAllowList: string[]) => ({ ...chosen, networkAllowList });
  expect(isElsewhere(chosen, { ...chosen, apiUrl: "https://{{ zone }}.example.com/other" })).toBe(false);
  expect(isElsewhere(hosts("a.example.com", "b.example.com"), hosts("b.example.com"))).toBe(false);
  expect(isElsewhere(chosen, hosts("*.example.com", "evil.example"))).toBe(true);
  expect(isElsewhere(chosen, { ...chosen, apiUrl: "https://{{ region }}.evil.example/" })).toBe(true);
});
