import { asObject, parseObject, type JsonObject } from "#src/platform/kernel/json-object.ts";
import { countBase64, readBase64, writeBase64 } from "./base64.ts";
import {
  CLEARED,
  CONNECTED,
  FaultCounter,
  IGNORED,
  STOPPED,
  type MediaSocketCodec,
  type SocketAudio,
  type SocketEvent,
  type SocketFault,
  type SocketFormat,
  type SocketStarted,
} from "./media-socket.ts";
import { asCount, asKey, asText, MAX_MESSAGE_BYTES } from "./socket-json.ts";

/** Half a second of the largest encoding; carriers send 20 ms. */
const MAX_AUDIO_BYTES = 24_000;
const SUFFIX = Buffer.from('"}}');

/** Differences between the sockets of the carriers that use JSON only. */
export interface JsonDialect {
  streamIdField: string;
  readStart(message: JsonObject): SocketStarted | SocketFault;
  /** Text before the base64 of a message with audio. */
  audioPrefix(streamId: string): string;
  mark(streamId: string, name: string): string;
  clear(streamId: string): string;
}

/** A media socket whose messages are all JSON, with audio in base64: Twilio's and, with other names, Telnyx's. */
export class JsonMediaSocket implements MediaSocketCodec {
  readonly isAudioBinary = false;
  readonly #dialect: JsonDialect;
  readonly #faults = new FaultCounter();
  readonly #payload = Buffer.alloc(MAX_AUDIO_BYTES);
  readonly #audio: SocketAudio = { kind: "AUDIO", payload: this.#payload, payloadBytes: 0, position: 0 };
  #started: SocketStarted | null = null;
  #hasStopped = false;
  #prefix = Buffer.alloc(0);
  /** Samples of the first message with audio: all have the same length, so their numbers give their positions. */
  #chunkSamples = 0;
  #nextPosition = 0;

  constructor(dialect: JsonDialect) {
    this.#dialect = dialect;
  }

  get format(): SocketFormat | null {
    return this.#started?.format ?? null;
  }

  get faults(): Readonly<Record<SocketFault, number>> {
    return this.#faults.counts;
  }

  read(bytes: Uint8Array, isBinary: boolean): SocketEvent {
    if (isBinary) return this.#faults.raise("WRONG_KIND");
    if (bytes.length > MAX_MESSAGE_BYTES) return this.#faults.raise("TOO_LARGE");
    const message = parseObject(bytes);
    const event = message && asText(message["event"]);
    if (!event) return this.#faults.raise("MALFORMED");
    if (this.#hasStopped) return this.#faults.raise("OUT_OF_ORDER");
    if (event === "connected") return CONNECTED;
    if (event === "start") return this.#readStart(message);
    if (event === "error") return readError(message);
    if (!this.#started) return this.#faults.raise("OUT_OF_ORDER");
    const streamId = message[this.#dialect.streamIdField];
    if (streamId !== undefined && streamId !== this.#started.streamId) return this.#faults.raise("WRONG_STREAM");
    return event === "media" ? this.#readAudio(message) : this.#readOther(event, message);
  }

  countAudio(payloadBytes: number): number {
    return this.#prefix.length + countBase64(payloadBytes) + SUFFIX.length;
  }

  writeAudio(payload: Uint8Array, payloadBytes: number, out: Uint8Array): number {
    if (!this.#started) throw new RangeError("The stream has not started.");
    if (payloadBytes > payload.length || this.countAudio(payloadBytes) > out.length) {
      throw new RangeError("The message does not fit into its buffer.");
    }
    out.set(this.#prefix);
    const letters = writeBase64(payload, 0, payloadBytes, out, this.#prefix.length);
    out.set(SUFFIX, this.#prefix.length + letters);
    return this.#prefix.length + letters + SUFFIX.length;
  }

  mark(name: string): string {
    return this.#dialect.mark(this.#started?.streamId ?? "", name);
  }

  clear(): string {
    return this.#dialect.clear(this.#started?.streamId ?? "");
  }

  #readStart(message: JsonObject): SocketEvent {
    if (this.#started) return this.#faults.raise("OUT_OF_ORDER");
    const started = this.#dialect.readStart(message);
    if (typeof started === "string") return this.#faults.raise(started);
    this.#started = started;
    this.#prefix = Buffer.from(this.#dialect.audioPrefix(started.streamId));
    return started;
  }

  #readAudio(message: JsonObject): SocketEvent {
    const media = asObject(message["media"]);
    if (!media || typeof media["payload"] !== "string") return this.#faults.raise("MALFORMED");
    const track = media["track"];
    if (track !== undefined && track !== "inbound" && track !== "inbound_track") return IGNORED;
    const bytesPerSample = this.#started?.format.codec.bytesPerSample ?? 1;
    const bytes = readBase64(media["payload"], this.#payload);
    if (bytes <= 0 || bytes % bytesPerSample !== 0) return this.#faults.raise("BAD_AUDIO");
    const samples = bytes / bytesPerSample;
    if (this.#chunkSamples === 0) this.#chunkSamples = samples;
    const chunk = asCount(media["chunk"]);
    this.#audio.payloadBytes = bytes;
    this.#audio.position = chunk === null || chunk === 0 ? this.#nextPosition : (chunk - 1) * this.#chunkSamples;
    this.#nextPosition = this.#audio.position + samples;
    return this.#audio;
  }

  #readOther(event: string, message: JsonObject): SocketEvent {
    if (event === "dtmf") {
      const key = asKey(asObject(message["dtmf"])?.["digit"]);
      return key ? { kind: "KEY", key, durationMs: null } : this.#faults.raise("MALFORMED");
    }
    if (event === "mark") {
      const name = asText(asObject(message["mark"])?.["name"]);
      return name ? { kind: "MARK", name } : this.#faults.raise("MALFORMED");
    }
    if (event === "cleared") return CLEARED;
    if (event !== "stop") return IGNORED;
    this.#hasStopped = true;
    return STOPPED;
  }
}

function readError(message: JsonObject): SocketEvent {
  const error = asObject(message["payload"]) ?? {};
  const code = asText(error["code"]) ?? asCount(error["code"])?.toString() ?? "UNKNOWN";
  return { kind: "CARRIER_ERROR", code, message: asText(error["detail"]) ?? asText(error["title"]) ?? "" };
}
