import { describe, expect, test } from "vitest";
import { AppError } from "#src/platform/kernel/errors.ts";
import { createOutboundGuard, isPrivateAddress } from "./outbound-guard.ts";

const closed = createOutboundGuard({ allowPrivateNetwork: false, allow: [] });
const open = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });

const LOOPBACK = `127.0.0.1 127.1 127.0.1 127.255.255.254 0 0.0.0.0 2130706433 017700000001 0177.0.0.1 00000177.0.0.1
  0x7f000001 0x7f.0x0.0x0.0x1 0x7f.1 127.0.0.1. ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1 localhost LOCALHOST. sub.localhost
  ip6-localhost`;
const IPV6 = `[::] [::1] [0000::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1]
  [2002:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fe80::1] [fe80::1%25lo] [fec0::1] [fc00::1] [fd00:ec2::254]
  [ff02::1] [100::1] [2001:db8::1] [3fff::1] [5f00::1] [2001:10::1] [2001:20::1] [4000::1] [::8.8.8.8]`;
const RANGES = `10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 169.254.0.1 100.64.0.1 100.127.255.255 192.0.0.1
  192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255`;
const METADATA = `169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 [::ffff:a9fe:a9fe] 169.254.170.2 100.100.100.200
  192.0.0.192 168.63.129.16 [::ffff:168.63.129.16] metadata.google.internal METADATA.google.internal. metadata.tencentyun.com`;
const URLS = [
  "http://good.com@127.0.0.1/",
  "http://127.0.0.1#@good.com",
  "http://good.com\\@127.0.0.1",
  "http:127.0.0.1",
  "http:good.com",
  "http:/good.com",
  "http:///good.com",
  "//good.com",
  "good.com",
  "http://good.com:80+&@127.0.0.1:22#+@x",
  "http://127.1.1.1:80\\@127.2.2.2:80/",
  "http://user@good.com/",
  "http://:pass@good.com/",
  "http://127.0.\t0.1/",
  "http://good\n.com/",
  " http://good.com/",
  "http://good.com/a b",
  "http://good.com/\u0000",
  "http://good.com:0/",
  "http://good.com:65536/",
  "http://good.com:-1/",
  "http://",
  "http://:80/",
  "http://425.510.425.510/",
  "http://7147006462/",
  "",
  ...[22, 25, 53, 110, 2375, 3306, 5432, 6379, 6667, 11_211].map((port) => `http://good.com:${port}/`),
  ...words(`file:///etc/passwd gopher://good.com/ ftp://good.com/ dict://good.com:11111/ ldap://good.com/ tftp://good.com/
    jar:http://good.com!/ data:text/plain,hi ws://good.com/ wss://good.com/ unix:/run/x.sock javascript:alert(1)`),
];

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function refusalOf(run: () => unknown): AppError | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe("outbound guard", () => {
  test.each([LOOPBACK, IPV6, RANGES, METADATA].flatMap(words))("refuses the host %s in every form", (host) => {
    for (const url of [`http://${host}/`, `https://${host}/hook?x=1`, `http://${host}:8080/`, `HTTP://${host}`]) {
      expect(refusalOf(() => closed.checkUrl(url))?.code).toBe("VALIDATION_FAILED");
    }
  });

  test.each(URLS)("refuses %j", (url) => {
    expect(refusalOf(() => closed.checkUrl(url))?.message).toMatch(/^The URL is refused: /);
  });

  test("refuses what is no plain URL on a private network too", () => {
    for (const url of URLS.filter((text) => !text.includes("127."))) {
      expect(refusalOf(() => open.checkUrl(url))).not.toBeNull();
    }
  });

  test.each([
    ["https://example.com/hook?a=b#c", "https://example.com/hook?a=b#c"],
    ["http://EXAMPLE.com:8080", "http://example.com:8080/"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]:8443/", "https://[2606:4700:4700::1111]:8443/"],
    ["https://münchen.example/", "https://xn--mnchen-3ya.example/"],
    ["http://[::ffff:8.8.8.8]/", "http://[::ffff:808:808]/"],
  ])("lets %s through", (url, href) => {
    expect(closed.checkUrl(url).href).toBe(href);
  });

  test("checks addresses that a name stands for", () => {
    const strange = [
      "",
      "0177.0.0.1",
      "127.1",
      "example.com",
      "fe80::1%eth0",
      "::ffff:10.0.0.1",
      "0:0:0:0:0:ffff:7f00:1",
    ];
    for (const ip of ["127.0.0.1", "10.1.2.3", "::1", "fd12::1", "168.63.129.16", ...strange]) {
      expect(refusalOf(() => closed.assertAddress("good.com", ip, 443))?.code).toBe("VALIDATION_FAILED");
    }
    for (const ip of ["93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8"]) {
      expect(refusalOf(() => closed.assertAddress("good.com", ip, 443))).toBeNull();
    }
  });

  test("opens private addresses when told to, but never link-local and metadata ones", () => {
    for (const host of [
      "127.0.0.1:9000",
      "localhost:9000",
      "receiver:9000",
      "10.0.0.8",
      "[::1]:3000",
      "[fd12::1]",
      "100.64.0.9",
    ]) {
      expect(refusalOf(() => open.checkUrl(`http://${host}/`))).toBeNull();
    }
    const stillClosed = [
      ...words(METADATA),
      "169.254.1.1",
      "[fe80::1]",
      "0.0.0.0",
      "[::]",
      "224.0.0.1",
      "255.255.255.255",
      "198.18.0.1",
    ];
    for (const host of stillClosed) expect(refusalOf(() => open.checkUrl(`http://${host}/`))).not.toBeNull();
    expect(refusalOf(() => open.assertAddress("metadata", "169.254.169.254", 80))).not.toBeNull();
  });

  test("opens exactly the named host and port", () => {
    const allow = ["localhost:9000", "10.0.0.8:5432", "[::1]:3000", "Receiver.internal.:80", "127.0.0.1:25"];
    const guard = createOutboundGuard({ allowPrivateNetwork: false, allow });
    for (const url of [
      "http://localhost:9000/x",
      "http://10.0.0.8:5432",
      "http://[::1]:3000",
      "http://receiver.internal/",
    ]) {
      expect(guard.checkUrl(url).href).toContain("http://");
    }
    expect(refusalOf(() => guard.checkUrl("http://0x7f.1:25/"))).toBeNull();
    for (const url of [
      "http://localhost:9001",
      "http://localhost",
      "http://10.0.0.9:5432",
      "https://receiver.internal/",
      "http://127.0.0.1:9000",
    ]) {
      expect(refusalOf(() => guard.checkUrl(url))).not.toBeNull();
    }
    expect(refusalOf(() => guard.checkUrl("ftp://localhost:9000/"))).not.toBeNull();
    guard.assertAddress("localhost", "127.0.0.1", 9000);
    guard.assertAddress("db.example.com", "10.0.0.8", 5432);
    expect(refusalOf(() => guard.assertAddress("other.example.com", "127.0.0.1", 9000))).not.toBeNull();
  });

  test.each(["localhost", "localhost:", ":80", "a b:80", "http://x:80", "x/y:80", "x:0", "x:99999", "u@x:80"])(
    "does not start with OUTBOUND_ALLOW=%s",
    (entry) => {
      expect(() => createOutboundGuard({ allowPrivateNetwork: false, allow: [entry] })).toThrow("is not host:port");
    },
  );
});

test.each([
  ["127.0.0.1 ::1 10.1.2.3 172.16.0.9 192.168.1.1 100.64.0.1 fd12::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1", true],
  ["203.0.113.9 8.8.8.8 ::ffff:8.8.8.8 2600::1 169.254.169.254 172.32.0.1 unknown", false],
])("an address is of this machine or a private network: %s", (addresses, isPrivate) => {
  for (const address of addresses.split(" ")) expect(isPrivateAddress(address), address).toBe(isPrivate);
});
