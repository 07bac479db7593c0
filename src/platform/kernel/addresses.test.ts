import { expect, it } from "vitest";
import { networkOf } from "./addresses.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:DB8:0001:2:ffff::1", "2001:db8:1:2::"],
  ["2001:db8::1", "2001:db8::"],
  ["2001:db8::5:0:0:0:1", "2001:db8:0:5::"],
  ["::1", "::"],
  ["fe80::1%eth0", "fe80::"],
  ["unknown", "unknown"],
])("%s is of the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
