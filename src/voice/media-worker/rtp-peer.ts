import type { RemoteInfo } from "node:dgram";
import { FRAME_MS } from "#src/voice/turns/frame-time.ts";
import type { RtpSocket } from "./rtp-socket.ts";

/** An address that was heard for so long is the far end's, and strangers are shut out. */
const SETTLED_PACKETS = 50;
/** A far end that is silent for so long may have been moved to another address by a router on the way. */
const MOVABLE_AFTER_TICKS = 1_000 / FRAME_MS;

/** Where a far end is to be reached. */
export interface RtpAddress {
  host: string;
  port: number;
  /** Null: RTCP shares the port. */
  rtcpPort: number | null;
}

/**
 * Where the far end really is: its packets may come from another address than its signalling told (RFC 4961), and the
 * way back leads there. The first valid packet decides; after that only the signalled host, or anybody once the far end
 * was silent for a second, can change it.
 */
export class RtpPeer {
  readonly #socket: RtpSocket;
  #signalled: RtpAddress;
  #host = "";
  #port = 0;
  #packets = 0;
  #silentTicks = 0;
  #foreign = 0;

  constructor(socket: RtpSocket, signalled: RtpAddress) {
    this.#socket = socket;
    this.#signalled = signalled;
    this.redirect(signalled);
  }

  /** Packets of strangers. */
  get foreign(): number {
    return this.#foreign;
  }

  /** How long nothing was heard. */
  get silentMs(): number {
    return this.#silentTicks * FRAME_MS;
  }

  /** The signalling gave another address. */
  redirect(signalled: RtpAddress): void {
    this.#signalled = signalled;
    this.#packets = 0;
    this.#silentTicks = 0;
    const isNowhere = signalled.host === "0.0.0.0" || signalled.host === "::";
    const rtcpPort = isNowhere && signalled.rtcpPort !== null ? 0 : signalled.rtcpPort;
    this.#socket.aim(signalled.host, isNowhere ? 0 : signalled.port, rtcpPort);
  }

  /** Whether a packet from there may be the far end's. */
  mayHear(from: RemoteInfo): boolean {
    if (this.#packets === 0 || this.#socket.isLocked || this.#isSame(from)) return true;
    if (this.#silentTicks > MOVABLE_AFTER_TICKS) return true;
    if (from.address === this.#signalled.host && this.#host !== this.#signalled.host) return true;
    this.#foreign++;
    return false;
  }

  /** A valid packet of sound came from there. */
  hear(from: RemoteInfo): void {
    this.#silentTicks = 0;
    if (this.#packets === 0 || !this.#isSame(from)) this.#follow(from);
    if (this.#packets < SETTLED_PACKETS) this.#packets++;
    else this.#socket.lock();
  }

  /** The far end gave another sign of life. */
  hearReport(): void {
    this.#silentTicks = 0;
  }

  /** Whether RTCP from there may be the far end's. */
  mayReport(from: RemoteInfo): boolean {
    if (from.address === this.#signalled.host || (this.#packets > 0 && from.address === this.#host)) return true;
    this.#foreign++;
    return false;
  }

  /** Strangers send more than can be taken: only the far end is heard from now on. */
  shutOut(): void {
    this.#socket.lock();
  }

  /** 20 ms have passed. */
  tick(): void {
    this.#silentTicks++;
    if (this.#silentTicks === MOVABLE_AFTER_TICKS && this.#socket.isLocked) this.#socket.unlock();
  }

  #isSame(from: RemoteInfo): boolean {
    return from.port === this.#port && from.address === this.#host;
  }

  #follow({ address, port }: RemoteInfo): void {
    const { host: toldHost, port: toldPort, rtcpPort } = this.#signalled;
    this.#host = address;
    this.#port = port;
    this.#packets = 0;
    const isAsTold = address === toldHost && port === toldPort;
    this.#socket.aim(address, port, rtcpPort === null || isAsTold ? rtcpPort : port + 1);
  }
}
