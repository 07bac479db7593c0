import { expect, test } from "vitest";
import { readSipSettings } from "./sip-settings.ts";

test("without settings SIP is at 5060 of whatever address the machine has", () => {
  expect(readSipSettings({})).toEqual({ host: null, port: 5060, publicHost: null, rtpPorts: null, caFile: null });
});

test("addresses and ports are taken as they are", () => {
  const env = { SIP_HOST: "192.0.2.1", SIP_PORT: "5080", SIP_PUBLIC_HOST: "2001:db8::1", RTP_PORTS: "20000-20999" };
  const rtpPorts = { first: 20_000, last: 20_999 };
  expect(readSipSettings(env)).toMatchObject({ host: "192.0.2.1", port: 5080, publicHost: "2001:db8::1", rtpPorts });
});

test("what cannot be bound or told is refused by name", () => {
  for (const value of ["sip.example.com", "0.0.0.0", "::", "1.2.3"]) {
    expect(() => readSipSettings({ SIP_HOST: value })).toThrow("SIP_HOST must be one address");
    expect(() => readSipSettings({ SIP_PUBLIC_HOST: value })).toThrow("SIP_PUBLIC_HOST");
  }
  for (const value of ["20000", "20999-20000", "20000-20003", "80-2000", "60000-70000"]) {
    expect(() => readSipSettings({ RTP_PORTS: value })).toThrow("RTP_PORTS must be a range");
  }
  expect(() => readSipSettings({ SIP_PORT: "0" })).toThrow("SIP_PORT");
});
