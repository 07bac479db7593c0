import type { RemoteInfo } from "node:dgram";
import { BlockList, isIP, SocketAddress } from "node:net";
import { FRAME_MS } from "#src/audio/codec/frame.ts";
import type { RtpHeader } from "#src/audio/rtp/rtp.ts";
import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import type { RtpSocket } from "./rtp-socket.ts";

/** Packets in a row, of one source, that prove an address that the signalling did not give. */
const PROOF_PACKETS = 4;
/** Addresses that may be under proof at once; a far end needs one. */
const MAX_CANDIDATES = 8;
/** Silence after which a far end may go on from another port: a router on the way forgot the old one. */
const MOVABLE_AFTER_TICKS = 1_000 / FRAME_MS;
/** Packets from the signalled address after which the system drops all other senders. */
const LOCKED_AFTER_PACKETS = 50;
/** Silence that lifts the lock: later packets may be the far end's, from another port. */
const UNLOCKED_AFTER_TICKS = 200 / FRAME_MS;

/** Address of a far end. */
export interface RtpAddress {
  host: string;
  port: number;
  /** Null: RTCP shares the port. */
  rtcpPort: number | null;
}

/** Other proofs of an address. */
export interface RtpPeerOptions {
  /** CIDR ranges that a trunk behind NAT may send from. */
  ranges: readonly string[];
  /** True when packets are taken only when authenticated (SRTP), so that any address may prove itself. */
  isAuthenticated: boolean;
  /** Called at the first packet of a stranger. */
  onStranger: (host: string) => void;
}

/**
 * Standing of a packet's sender: KNOWN packets are heard, UNPROVEN ones once `prove` returns true, a STRANGER's are not
 * decoded.
 */
export type Standing = "KNOWN" | "UNPROVEN" | "STRANGER";

interface Candidate {
  ssrc: number;
  nextSequence: number;
  packets: number;
}

/**
 * Decides whose packets are the far end's, and where ours go. Only the signalled address is heard at once. Another port
 * of the signalled host is learnt once (symmetric RTP, RFC 4961), from packets in a row of one source; after that only
 * the same source may move to a further port, and only when it was silent. Another host is heard when it lies in one of
 * the trunk's ranges, once, or when its packets are authenticated. The signalled host can always win the call back.
 */
export class RtpPeer {
  readonly #socket: RtpSocket;
  readonly #options: RtpPeerOptions;
  readonly #ranges = new BlockList();
  readonly #candidates = new BoundedMap<string, Candidate>(MAX_CANDIDATES);
  #signalled: RtpAddress;
  /** Address that is heard; null before the first. */
  #current: { host: string; port: number } | null = null;
  #ssrc = 0;
  #packets = 0;
  #quietTicks = 0;
  #silentTicks = 0;
  #sends = false;
  #foreign = 0;
  #hasMetStranger = false;

  constructor(socket: RtpSocket, signalled: RtpAddress, options: RtpPeerOptions) {
    this.#socket = socket;
    this.#options = options;
    for (const range of options.ranges) {
      const [address = "", bits = ""] = range.split("/");
      this.#ranges.addSubnet(address, Number(bits), familyOf(address));
    }
    this.#signalled = { ...signalled, host: normalise(signalled.host) };
    this.#sends = !isUnspecified(signalled.host);
    this.#aim();
  }

  /** Packets that were rejected because of their source address. */
  get foreign(): number {
    return this.#foreign;
  }

  /** Milliseconds without a sign of life. */
  get silentMs(): number {
    return this.#silentTicks * FRAME_MS;
  }

  /** Takes an address from the signalling, perhaps the same again; port 0, or no address: nothing is to be sent. */
  redirect(reported: RtpAddress): void {
    this.#silentTicks = 0;
    // On hold the far end may still be heard from its old address, and comes back to it.
    this.#sends = reported.port !== 0 && !isUnspecified(reported.host);
    const { host: home, port: homePort } = this.#signalled;
    const host = normalise(reported.host);
    const isThere = isUnspecified(host) || (host === home && (reported.port === 0 || reported.port === homePort));
    if (!isThere) {
      this.#signalled = { ...reported, host };
      this.#current = null;
      this.#candidates.clear();
    }
    this.#aim();
  }

  /** Judges an RTP packet by its source address. */
  judge({ address, port }: RemoteInfo): Standing {
    const { host: home, port: homePort } = this.#signalled;
    const current = this.#current;
    const isHome = address === home;
    const isExact = isHome && port === homePort;
    if (current === null) {
      if (isExact) return "KNOWN";
      return isHome || this.#options.isAuthenticated || this.#isInRange(address) ? "UNPROVEN" : "STRANGER";
    }
    if (address === current.host && port === current.port) return "KNOWN";
    if (isExact || (isHome && current.host !== home)) return "UNPROVEN";
    const mayMove = isHome || address === current.host || this.#options.isAuthenticated;
    return mayMove && this.#quietTicks > MOVABLE_AFTER_TICKS ? "UNPROVEN" : "STRANGER";
  }

  /** Counts a stranger's packet. */
  refuse({ address }: RemoteInfo): void {
    this.#foreign++;
    if (this.#hasMetStranger) return;
    this.#hasMetStranger = true;
    this.#options.onStranger(address);
  }

  /** Counts a packet of an UNPROVEN address; true once the address is the far end's. */
  prove({ address, port }: RemoteInfo, { ssrc, sequence }: RtpHeader): boolean {
    if (this.#mustContinue(address, port) && ssrc !== this.#ssrc) {
      this.#foreign++;
      return false;
    }
    const key = `${address} ${port}`;
    const before = this.#candidates.get(key);
    const goesOn = before?.ssrc === ssrc && before.nextSequence === sequence;
    const packets = goesOn ? before.packets + 1 : 1;
    this.#candidates.delete(key);
    if (packets >= PROOF_PACKETS) {
      this.#follow(address, port);
      return true;
    }
    this.#candidates.set(key, { ssrc, nextSequence: (sequence + 1) & 0xffff, packets });
    this.#foreign++;
    return false;
  }

  /** Notes a packet of a KNOWN address. */
  hear({ address, port }: RemoteInfo, { ssrc }: RtpHeader): void {
    this.#silentTicks = 0;
    this.#quietTicks = 0;
    this.#ssrc = ssrc;
    if (this.#current === null) this.#follow(address, port);
    // While another address is heard, the signalled one must stay able to win the call back.
    if (++this.#packets >= LOCKED_AFTER_PACKETS && this.#isSignalled(address, port)) this.#socket.lock();
  }

  /** Notes another sign of life of the far end. */
  hearReport(): void {
    this.#silentTicks = 0;
  }

  /** True when RTCP from this address may be the far end's. */
  mayReport({ address }: RemoteInfo): boolean {
    return address === this.#signalled.host || address === this.#current?.host;
  }

  /** Advances by 20 ms. */
  tick(): void {
    this.#silentTicks++;
    if (++this.#quietTicks < UNLOCKED_AFTER_TICKS) return;
    this.#packets = 0;
    this.#socket.unlock();
  }

  /**
   * True when the address must continue with the current source. A far end that moves to another port keeps its source;
   * the signalled address may have any.
   */
  #mustContinue(address: string, port: number): boolean {
    if (this.#current === null || this.#options.isAuthenticated || this.#isSignalled(address, port)) return false;
    return address === this.#current.host;
  }

  #isSignalled(address: string, port: number): boolean {
    return address === this.#signalled.host && port === this.#signalled.port;
  }

  #isInRange(address: string): boolean {
    return this.#ranges.check(address, familyOf(address));
  }

  #follow(host: string, port: number): void {
    this.#current = { host, port };
    this.#packets = 0;
    this.#candidates.clear();
    this.#aim();
  }

  #aim(): void {
    const { rtcpPort } = this.#signalled;
    const { host, port } = this.#current ?? this.#signalled;
    const isUnchanged = rtcpPort === null || this.#isSignalled(host, port);
    // Reports go on while a far end is on hold; without an address there is nowhere to send them.
    const reportsTo = isUnchanged ? rtcpPort : port + 1;
    this.#socket.aim(host, this.#sends ? port : 0, isUnspecified(host) && reportsTo !== null ? 0 : reportsTo);
  }
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** Returns the address as the system writes it: IPv6 has many spellings. */
function normalise(address: string): string {
  return new SocketAddress({ address, family: familyOf(address) }).address;
}

function isUnspecified(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
