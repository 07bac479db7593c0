import { createCipheriv, hash } from "node:crypto";

const HASH_BLOCK_BYTES = 64;
const HASH_BYTES = 20;
const BLOCK_BYTES = 16;
/** Packets whose key streams are made at once: one call into the cipher costs more than the blocks do. */
const PACKETS_AHEAD = 16;

/**
 * HMAC-SHA1 over packets of at most `maxBytes`. It computes the two hashes itself, because `createHmac` sets the key up
 * for every packet, which takes many times as long.
 */
export class PacketAuthenticator {
  readonly #inner: Buffer;
  readonly #outer: Buffer;
  #view: Buffer;
  #tag = "";

  constructor(key: Uint8Array, maxBytes: number) {
    this.#inner = Buffer.alloc(HASH_BLOCK_BYTES + maxBytes, 0x36);
    this.#outer = Buffer.alloc(HASH_BLOCK_BYTES + HASH_BYTES, 0x5c);
    for (const [i, byte] of key.entries()) {
      this.#inner[i] = 0x36 ^ byte;
      this.#outer[i] = 0x5c ^ byte;
    }
    this.#view = this.#inner.subarray(0, HASH_BLOCK_BYTES);
  }

  /** Computes the tag of the first `length` bytes, followed by a number of 32 bits unless it is null. */
  compute(bytes: Uint8Array, length: number, suffix: number | null): void {
    const inner = this.#inner;
    for (let i = 0; i < length; i++) inner[HASH_BLOCK_BYTES + i] = bytes[i] as number;
    let total = HASH_BLOCK_BYTES + length;
    if (suffix !== null) total = inner.writeUInt32BE(suffix >>> 0, total);
    if (this.#view.length !== total) this.#view = inner.subarray(0, total);
    this.#outer.write(hash("sha1", this.#view, "binary"), HASH_BLOCK_BYTES, "latin1");
    this.#tag = hash("sha1", this.#outer, "binary");
  }

  /** Writes the first bytes of the tag. */
  write(bytes: Uint8Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) bytes[at + i] = this.#tag.charCodeAt(i);
  }

  /** Compares the tag in constant time. */
  matches(bytes: Uint8Array, at: number, count: number): boolean {
    let difference = 0;
    for (let i = 0; i < count; i++) difference |= (bytes[at + i] as number) ^ this.#tag.charCodeAt(i);
    return difference === 0;
  }
}

/** AES in counter mode as SRTP numbers it (RFC 3711, section 4.1.1), for one source. */
export class PacketCipher {
  readonly #cipher: ReturnType<typeof createCipheriv>;
  readonly #iv = new Uint8Array(BLOCK_BYTES);
  #counters = new Uint8Array(0);
  #stream: Uint8Array = new Uint8Array(0);
  #firstIndex = -1;
  #blocksPerPacket = 0;

  constructor(cipherKey: Uint8Array, salt: Uint8Array, ssrc: number) {
    // Counter mode is the block cipher over counters; keeping it open saves setting the key up for every packet.
    this.#cipher = createCipheriv("aes-128-ecb", cipherKey, null).setAutoPadding(false);
    this.#iv.set(salt);
    for (let i = 0; i < 4; i++) this.#iv[4 + i] = (this.#iv[4 + i] as number) ^ ((ssrc >>> (24 - i * 8)) & 0xff);
  }

  /** Encrypts or decrypts `count` bytes in place. `index` is the packet's number with its rollovers. */
  apply(bytes: Uint8Array, at: number, count: number, index: number): void {
    const blocks = Math.ceil(count / BLOCK_BYTES);
    const ahead = index - this.#firstIndex;
    if (this.#firstIndex < 0 || ahead < 0 || ahead >= PACKETS_AHEAD || blocks > this.#blocksPerPacket) {
      // A late packet must not make the following ones start over.
      if (this.#firstIndex >= 0 && ahead < 0) return this.#applyOnce(bytes, at, count, index);
      this.#prepare(index, blocks);
    }
    const from = (index - this.#firstIndex) * this.#blocksPerPacket * BLOCK_BYTES;
    const stream = this.#stream;
    for (let i = 0; i < count; i++) bytes[at + i] = (bytes[at + i] as number) ^ (stream[from + i] as number);
  }

  #applyOnce(bytes: Uint8Array, at: number, count: number, index: number): void {
    const blocks = Math.ceil(count / BLOCK_BYTES);
    const counters = new Uint8Array(blocks * BLOCK_BYTES);
    this.#writeCounters(counters, 0, index, blocks);
    const stream = this.#cipher.update(counters);
    for (let i = 0; i < count; i++) bytes[at + i] = (bytes[at + i] as number) ^ (stream[i] as number);
  }

  #prepare(index: number, blocks: number): void {
    if (blocks !== this.#blocksPerPacket) {
      this.#blocksPerPacket = blocks;
      this.#counters = new Uint8Array(PACKETS_AHEAD * blocks * BLOCK_BYTES);
    }
    this.#firstIndex = index;
    for (let i = 0; i < PACKETS_AHEAD; i++) {
      this.#writeCounters(this.#counters, i * blocks * BLOCK_BYTES, index + i, blocks);
    }
    this.#stream = this.#cipher.update(this.#counters);
  }

  #writeCounters(counters: Uint8Array, start: number, index: number, blocks: number): void {
    const iv = this.#iv;
    // The index has 48 bits, of which bit operations hold 32.
    const high = Math.floor(index / 0x1_0000_0000);
    for (let block = 0, at = start; block < blocks; block++, at += BLOCK_BYTES) {
      counters.set(iv, at);
      counters[at + 8] = (iv[8] as number) ^ (high >>> 8);
      counters[at + 9] = (iv[9] as number) ^ high;
      counters[at + 10] = (iv[10] as number) ^ (index >>> 24);
      counters[at + 11] = (iv[11] as number) ^ (index >>> 16);
      counters[at + 12] = (iv[12] as number) ^ (index >>> 8);
      counters[at + 13] = (iv[13] as number) ^ index;
      counters[at + 14] = block >>> 8;
      counters[at + 15] = block;
    }
  }
}

/** Remembers which of the latest 64 packet numbers were seen (RFC 3711, section 3.3.2). */
export class ReplayWindow {
  #highest = -1;
  /** Bits for the highest number and the 31 before it, then for the 32 before those. */
  #recent = 0;
  #older = 0;

  /** The highest number so far; -1 before the first. */
  get highest(): number {
    return this.#highest;
  }

  /** True when a number is new, and not older than the window. */
  isNew(index: number): boolean {
    const back = this.#highest - index;
    if (back < 0) return true;
    if (back >= 64) return false;
    return ((back < 32 ? this.#recent >>> back : this.#older >>> (back - 32)) & 1) === 0;
  }

  /** Marks a number as seen. */
  add(index: number): void {
    const ahead = index - this.#highest;
    if (this.#highest < 0 || ahead >= 64) {
      this.#recent = 1;
      this.#older = 0;
    } else if (ahead >= 32) {
      this.#older = this.#recent << (ahead - 32);
      this.#recent = 1;
    } else if (ahead > 0) {
      this.#older = (this.#older << ahead) | (this.#recent >>> (32 - ahead));
      this.#recent = (this.#recent << ahead) | 1;
    } else if (ahead > -32) this.#recent |= 1 << -ahead;
    else this.#older |= 1 << (-ahead - 32);
    if (ahead > 0) this.#highest = index;
  }
}
