import { describe, expect, test } from "vitest";
import { createRtpHeader } from "#src/audio/rtp/rtp.ts";
import { RtpPeer, type RtpPeerOptions } from "./rtp-peer.ts";
import type { RtpSocket } from "./rtp-socket.ts";

const SDP = "192.0.2.10";

/** A peer whose socket only records its target. */
function createPeer(options: Partial<RtpPeerOptions> = {}, host = SDP) {
  const aims: string[] = [];
  let isLocked = false;
  const socket = {
    aim: (to: string, port: number) => void aims.push(`${to} ${port}`),
    lock: () => void (isLocked = true),
    unlock: () => void (isLocked = false),
  } as unknown as RtpSocket;
  const strangers: string[] = [];
  const onStranger = (from: string) => void strangers.push(from);
  const signalled = { host, port: 4_000, rtcpPort: 4_001 };
  const peer = new RtpPeer(socket, signalled, { ranges: [], isAuthenticated: false, onStranger, ...options });
  let sequence = 0;
  /** Sends packets in a row; returns the number that was heard. */
  const send = (from: string, port: number, count: number, ssrc = 1): number => {
    let heard = 0;
    for (let i = 0; i < count; i++) {
      const info = { address: from, port, family: "IPv4" as const, size: 172 };
      const header = { ...createRtpHeader(), ssrc, sequence: sequence++ & 0xffff };
      const standing = peer.judge(info);
      if (standing === "STRANGER") peer.refuse(info);
      else if (standing === "KNOWN" || peer.prove(info, header)) {
        peer.hear(info, header);
        heard++;
      }
    }
    return heard;
  };
  const wait = (ms: number): void => {
    for (let i = 0; i < ms / 20; i++) peer.tick();
  };
  return { peer, aims, strangers, send, wait, isLocked: () => isLocked };
}

const NAT = "198.51.100.7";

describe("a trunk behind NAT", () => {
  test("is heard from its ranges after four packets in a row, once", () => {
    const { send, aims, strangers } = createPeer({ ranges: ["198.51.100.0/24"] });
    expect(send("203.0.113.1", 9, 10)).toBe(0);
    expect(send(NAT, 5_000, 10)).toBe(7);
    expect(aims).toEqual([`${SDP} 4000`, `${NAT} 5000`]);
    expect(send("198.51.100.8", 5_000, 100, 2)).toBe(0);
    expect(strangers).toEqual(["203.0.113.1"]);
  });

  test("gives way to the host in the SDP, whose packets then are all that is heard", () => {
    const { send, aims, isLocked } = createPeer({ ranges: ["0.0.0.0/0"] });
    expect(send("203.0.113.1", 9, 100, 666)).toBe(97);
    expect(isLocked()).toBe(false);
    expect(send(SDP, 4_000, 10)).toBe(7);
    expect(send("203.0.113.1", 9, 100, 666)).toBe(0);
    expect(aims.at(-1)).toBe(`${SDP} 4000`);
  });

  test("stays learnt through hold and resume at the same address, and is learnt anew at another", () => {
    const { peer, send, aims } = createPeer({ ranges: ["198.51.100.0/24"] });
    send(NAT, 5_000, 4);
    peer.redirect({ host: "0.0.0.0", port: 0, rtcpPort: 0 });
    expect(aims.at(-1)).toBe(`${NAT} 0`);
    expect(send(NAT, 5_000, 1)).toBe(1);
    peer.redirect({ host: SDP, port: 4_000, rtcpPort: 4_001 });
    expect(aims.at(-1)).toBe(`${NAT} 5000`);
    peer.redirect({ host: SDP, port: 4_100, rtcpPort: 4_101 });
    expect(aims.at(-1)).toBe(`${SDP} 4100`);
    expect(send("198.51.100.8", 6_000, 5)).toBe(2);
  });

  test("is told from strangers who send among its packets", () => {
    const { send } = createPeer({ ranges: ["198.51.100.0/24"] });
    let heard = 0;
    for (let i = 0; i < 5; i++) {
      send("198.51.100.9", 1_000 + i, 1, 50 + i);
      heard += send(NAT, 5_000, 1);
    }
    // Their numbers are not consecutive here, so no address is proven.
    expect(heard).toBe(0);
    expect(send(NAT, 5_000, 5)).toBeGreaterThan(0);
  });
});

describe("packets under SRTP", () => {
  test("prove their address, and another one only when the far end was silent", () => {
    const { send, wait } = createPeer({ isAuthenticated: true });
    expect(send(NAT, 5_000, 4)).toBe(1);
    expect(send("203.0.113.1", 5_000, 10)).toBe(0);
    wait(1_100);
    expect(send("203.0.113.1", 5_000, 4, 9)).toBe(1);
  });
});

test("an address of IPv6 is the same however it is written", () => {
  const { send } = createPeer({}, "2001:0DB8:0:0::1");
  expect(send("2001:db8::1", 4_000, 3)).toBe(3);
  expect(send("2001:db8::2", 4_000, 9)).toBe(0);
});

test("a far end on hold may be heard, and nothing is sent to it, whichever port it sends from", () => {
  const { peer, send, aims } = createPeer();
  peer.redirect({ host: SDP, port: 0, rtcpPort: 0 });
  expect(send(SDP, 4_002, 6)).toBe(3);
  expect(aims.slice(1)).toEqual([`${SDP} 0`, `${SDP} 0`]);
  peer.redirect({ host: SDP, port: 4_000, rtcpPort: 4_001 });
  expect(aims.at(-1)).toBe(`${SDP} 4002`);
});
