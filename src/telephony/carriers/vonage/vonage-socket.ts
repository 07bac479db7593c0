import { linear16LittleEndian } from "#src/audio/codec/linear16.ts";
import { asObject, parseObject, type JsonObject } from "#src/platform/kernel/json-object.ts";
import {
  CLEARED,
  FaultCounter,
  IGNORED,
  type MediaSocketCodec,
  type SocketAudio,
  type SocketEvent,
  type SocketFault,
  type SocketFormat,
} from "#src/telephony/carriers/media-socket.ts";
import { asCount, asKey, asParameters, asText, MAX_MESSAGE_BYTES } from "#src/telephony/carriers/socket-json.ts";

const FRAMES_PER_SECOND = 50;
/** Vonage sends one frame of 20 ms at a time; more than half a second does not come from it. */
const MAX_FRAMES = 25;

/**
 * The messages of Vonage's WebSocket, both ways: 16-bit samples, low byte first, at 8, 16 or 24 kHz in binary messages
 * of exactly 20 ms, and JSON for the rest. Only the close of the socket marks the end. A mark is a `notify`, which a
 * clear discards: after CLEARED, pending marks do not come.
 */
export class VonageMediaSocket implements MediaSocketCodec {
  readonly isAudioBinary = true;
  readonly #faults = new FaultCounter();
  readonly #audio: SocketAudio = { kind: "AUDIO", payload: new Uint8Array(0), payloadBytes: 0, position: 0 };
  #format: SocketFormat | null = null;
  #nextPosition = 0;

  get format(): SocketFormat | null {
    return this.#format;
  }

  get faults(): Readonly<Record<SocketFault, number>> {
    return this.#faults.counts;
  }

  read(bytes: Uint8Array, isBinary: boolean): SocketEvent {
    if (isBinary) return this.#readAudio(bytes);
    if (bytes.length > MAX_MESSAGE_BYTES) return this.#faults.raise("TOO_LARGE");
    const message = parseObject(bytes);
    const event = message && asText(message["event"]);
    if (!event) return this.#faults.raise("MALFORMED");
    if (event === "websocket:connected") return this.#readStart(message);
    if (!this.#format) return this.#faults.raise("OUT_OF_ORDER");
    if (event === "websocket:cleared") return CLEARED;
    if (event === "websocket:dtmf") {
      const key = asKey(message["digit"]);
      return key ? { kind: "KEY", key, durationMs: asCount(message["duration"]) } : this.#faults.raise("MALFORMED");
    }
    const name = event === "websocket:notify" ? asText(asObject(message["payload"])?.["mark"]) : null;
    return name ? { kind: "MARK", name } : IGNORED;
  }

  countAudio(payloadBytes: number): number {
    return payloadBytes;
  }

  writeAudio(payload: Uint8Array, payloadBytes: number, out: Uint8Array): number {
    if (!this.#format) throw new RangeError("The stream has not started.");
    if (payloadBytes !== this.#frameBytes() || payloadBytes > Math.min(payload.length, out.length)) {
      throw new RangeError("Vonage takes frames of exactly 20 ms.");
    }
    for (let i = 0; i < payloadBytes; i++) out[i] = payload[i] as number;
    return payloadBytes;
  }

  mark(name: string): string {
    return JSON.stringify({ action: "notify", payload: { mark: name } });
  }

  clear(): string {
    return JSON.stringify({ action: "clear" });
  }

  #frameBytes(): number {
    return ((this.#format?.rateHz ?? 0) / FRAMES_PER_SECOND) * 2;
  }

  #readStart(message: JsonObject): SocketEvent {
    if (this.#format) return this.#faults.raise("OUT_OF_ORDER");
    const { event: _event, "content-type": contentType, ...headers } = message;
    const rate = typeof contentType === "string" ? /^audio\/l16;\s*rate=(8000|16000|24000)$/i.exec(contentType) : null;
    if (!rate) return this.#faults.raise("BAD_FORMAT");
    this.#format = { codec: linear16LittleEndian, rateHz: Number(rate[1]) };
    // Vonage names neither the stream nor the call; the headers from our answer do.
    const parameters = asParameters(headers);
    return { kind: "STARTED", streamId: "", callId: parameters["uuid"] ?? "", format: this.#format, parameters };
  }

  #readAudio(bytes: Uint8Array): SocketEvent {
    if (!this.#format) return this.#faults.raise("OUT_OF_ORDER");
    if (bytes.length === 0 || bytes.length % 2 !== 0) return this.#faults.raise("BAD_AUDIO");
    if (bytes.length > this.#frameBytes() * MAX_FRAMES) return this.#faults.raise("TOO_LARGE");
    this.#audio.payload = bytes;
    this.#audio.payloadBytes = bytes.length;
    this.#audio.position = this.#nextPosition;
    this.#nextPosition += bytes.length / 2;
    return this.#audio;
  }
}
