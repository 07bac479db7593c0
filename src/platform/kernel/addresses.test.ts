import { expect, it } from "vitest";
import { networkOf, plainAddress } from "./addresses.ts";

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

it("an address is the same each time, also after more than are kept", () => {
  const asked = ["::ffff:192.0.2.7", "0177.0.0.1", "x".repeat(100)];
  const read = () => asked.map(plainAddress);
  const first = read();
  expect(read()).toEqual(first);
  for (let i = 0; i < 2_000; i++) {
    const address = `10.0.${i >> 8}.${i & 255}`;
    expect(plainAddress(`::ffff:${address}`)).toBe(address);
  }
  expect(read()).toEqual(first);
  expect(first).toEqual(["192.0.2.7", null, null]);
});
