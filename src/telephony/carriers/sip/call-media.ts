import { randomInt } from "node:crypto";
import type { MediaSource, RtpTarget } from "#src/audio/line/media-source.ts";
import { createMasterKey, type CryptoLine } from "#src/audio/rtp/srtp-keys.ts";
import type { SdpCodec } from "./sdp-codecs.ts";
import { type AgreedMedia, answerOffer, readAnswer, type SdpAnswerer, type SdpOffer, writeOffer } from "./sdp.ts";

/** Ports that may be used for audio, both bounds included. */
export interface PortSpan {
  first: number;
  last: number;
}

/** The sockets of the media thread. */
export interface MediaSockets {
  /** Opens a socket on an address of this machine; rejects when it cannot. */
  openSocket(host: string, ports: PortSpan | null): Promise<{ socketId: number; port: number }>;
  /** Closes a socket; a call that uses it is notified that its far end hung up. */
  closeSocket(socketId: number): void;
  /** Sends to another address; port 0: to none. `isHeld`: silence of the far end is as agreed. */
  redirectSocket(socketId: number, remote: { host: string; port: number }, isHeld: boolean): void;
}

/** Rules for the audio of a trunk. */
export interface MediaRules {
  /** Address of this machine to bind. */
  host: string;
  /** Address given to the far end; null: the same as `host`. */
  publicHost: string | null;
  ports: PortSpan | null;
  /** Best first. */
  codecs: readonly SdpCodec[];
  srtp: "OFF" | "OPTIONAL" | "REQUIRED";
  /** Ranges (CIDR) that the far end may send from, besides the host that it names. */
  ranges: readonly string[];
}

/** The audio agreement of a call, from the first offer to the last. */
export class CallMedia {
  readonly #sockets: MediaSockets;
  readonly #rules: MediaRules;
  readonly #socketId: number;
  readonly #port: number;
  readonly #sessionId = String(randomInt(1, 2 ** 47));
  readonly #master = createMasterKey();
  #version = 1;
  #lastOffer: SdpOffer | null = null;
  #lastText = "";
  #agreed: AgreedMedia | null = null;
  #signallingHost: string | null = null;
  #isTaken = false;
  #isClosed = false;

  private constructor(sockets: MediaSockets, rules: MediaRules, socket: { socketId: number; port: number }) {
    this.#sockets = sockets;
    this.#rules = rules;
    this.#socketId = socket.socketId;
    this.#port = socket.port;
  }

  /** Opens the socket; its port appears in our SDP. Rejects when none is free. */
  static async open(sockets: MediaSockets, rules: MediaRules): Promise<CallMedia> {
    return new CallMedia(sockets, rules, await sockets.openSocket(rules.host, rules.ports));
  }

  /** Returns our offer; once audio was agreed, it offers the same again. */
  offer(): string {
    const { srtp } = this.#rules;
    const suite = this.#agreed?.target.srtp?.ours.suite ?? "AES_CM_128_HMAC_SHA1_80";
    const keys: CryptoLine[] = [{ tag: 1, suite, master: this.#master }];
    const isSecure = this.#agreed ? this.#agreed.target.srtp !== null : srtp !== "OFF";
    const required = this.#agreed ? isSecure : srtp === "REQUIRED";
    const eventType = this.#agreed?.target.eventPayloadType ?? null;
    const encryption = isSecure ? { keys, required } : null;
    const offer: SdpOffer = { ...this.#ours(), direction: "sendrecv", srtp: encryption, eventType };
    return this.#say((version) => {
      this.#lastOffer = { ...offer, version };
      return writeOffer(this.#lastOffer);
    });
  }

  /** Accepts the answer to our last offer; returns why it yields no audio, or null. */
  accept(text: string): string | null {
    if (!this.#lastOffer) return "The far end answered what was not offered.";
    if (text.trim() === "") return "The far end answered without a description of its audio.";
    const read = readAnswer(text, this.#lastOffer);
    if (read.kind === "REFUSED") return read.reason;
    return this.#adopt(read) ? null : "The far end changed the audio in a way that is not served.";
  }

  /** Answers an offer; null when nothing can be agreed, and the agreement stays unchanged. */
  answer(text: string): string | null {
    const srtp =
      this.#rules.srtp === "OFF" ? null : { master: this.#master, required: this.#rules.srtp === "REQUIRED" };
    const ours: SdpAnswerer = { ...this.#ours(), direction: "sendrecv", srtp };
    const read = answerOffer(text, ours);
    if (read.kind === "REFUSED" || !this.#adopt(read)) return null;
    return this.#say((version) => {
      const again = answerOffer(text, { ...ours, version });
      return again.kind === "AGREED" ? again.answer : "";
    });
  }

  /**
   * Records the address that the far end's SIP comes from. Phones and trunks behind NAT, or with several addresses, may
   * send audio from another address than their SDP names; the source address of their SIP is always right.
   */
  noteSignalling(host: string): void {
    // Without the zone of a link-local address, which is this machine's own name for a link.
    this.#signallingHost = host.replace(/%.*/, "");
  }

  /** Returns the audio, once; null before anything was agreed, and afterwards. */
  take(): MediaSource | null {
    if (!this.#agreed || this.#isTaken || this.#isClosed) return null;
    this.#isTaken = true;
    const { target } = this.#agreed;
    // On hold from the start: the source has the address to send to when the hold ends, the redirect begins the hold.
    if (!this.#agreed.sends || !this.#agreed.hears) this.#redirect();
    return { kind: "RTP", socketId: this.#socketId, ...target, ranges: this.#ranges() };
  }

  /** Ends the audio with the call. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sockets.closeSocket(this.#socketId);
  }

  /** Applies an agreement. A running stream keeps its codec and its keys; its address and direction may change. */
  #adopt(media: AgreedMedia): boolean {
    const before = this.#agreed;
    if (before && this.#isTaken && !isSameStream(before.target, media.target)) return false;
    this.#agreed = media;
    const isMoved = before === null || !isSamePlace(before, media);
    if (this.#isTaken && isMoved) this.#redirect();
    return true;
  }

  #redirect(): void {
    if (!this.#agreed || this.#isClosed) return;
    const { target, sends, hears } = this.#agreed;
    const remote = { host: target.remote.host, port: sends ? target.remote.port : 0 };
    this.#sockets.redirectSocket(this.#socketId, remote, !sends || !hears);
  }

  #ranges(): string[] {
    const host = this.#signallingHost;
    return [...this.#rules.ranges, ...(host === null ? [] : [`${host}/${host.includes(":") ? 128 : 32}`])];
  }

  #ours(): Omit<SdpAnswerer, "srtp" | "direction"> {
    const { host, publicHost, codecs } = this.#rules;
    const kept = this.#agreed && this.#isTaken ? [this.#agreed.target.codec] : codecs;
    const address = publicHost ?? host;
    return {
      address,
      port: this.#port,
      sessionId: this.#sessionId,
      version: this.#version,
      codecs: kept,
      rtcpMux: false,
    };
  }

  /** Writes a description; one that differs from the last has a higher version (RFC 3264, 8). */
  #say(write: (version: number) => string): string {
    const same = write(this.#version);
    if (this.#lastText === "" || this.#lastText === same) return (this.#lastText = same);
    return (this.#lastText = write(++this.#version));
  }
}

function isSamePlace(one: AgreedMedia, other: AgreedMedia): boolean {
  const { remote } = one.target;
  const isThere = remote.host === other.target.remote.host && remote.port === other.target.remote.port;
  return isThere && one.sends === other.sends && one.hears === other.hears;
}

function isSameStream(one: RtpTarget, other: RtpTarget): boolean {
  if (one.codec !== other.codec || one.payloadType !== other.payloadType) return false;
  if (!one.srtp || !other.srtp) return one.srtp === other.srtp;
  const [before, now] = [one.srtp.theirs, other.srtp.theirs];
  return before.suite === now.suite && Buffer.from(before.master).equals(Buffer.from(now.master));
}
