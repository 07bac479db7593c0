import { WebSocket } from "ws";
import { newSid } from "./twilio-wire.ts";

const FRAME_MS = 20;
const FRAME_BYTES = 160;
const SILENCE = Buffer.alloc(FRAME_BYTES, 0xff).toString("base64");
/** Mu-law codes, without their sign, from this one on are quieter than a voice: the service sends silence, too. */
const QUIET_CODE = 0x60;

/** Settings of a stream. */
export interface StreamOptions {
  accountSid: string;
  callSid: string;
  url: string;
  /** Milliseconds after the agent's first speech at which the carrier ends the stream. */
  talkMs: number;
  /** Further milliseconds allowed while the agent has not spoken yet. */
  patienceMs: number;
}

/** Audio of a call over a WebSocket, in the format of Twilio's media streams: frames of silence, 50 a second. */
export class TwilioStream {
  readonly streamSid = newSid("MZ");
  /** True when the carrier ended it; otherwise the other side closed it. */
  wasStopped = false;
  /** Bytes of audio received from us. */
  heardBytes = 0;
  /** Time of the agent's first speech. */
  #spokenAt: number | null = null;
  readonly opened: Promise<boolean>;
  /** Resolves once either side has ended the stream. */
  readonly closed: Promise<void>;
  readonly #options: StreamOptions;
  readonly #socket: WebSocket;
  #sequence = 1;
  #chunk = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#socket = new WebSocket(options.url);
    this.opened = new Promise((resolve) => {
      this.#socket.once("open", () => resolve(true));
      this.#socket.once("error", () => resolve(false));
    });
    this.closed = new Promise((resolve) => this.#socket.once("close", () => resolve()));
    this.#socket.on("error", () => undefined);
    this.#socket.once("open", () => this.#start());
    this.#socket.on("message", (data) => this.#take(JSON.parse((data as Buffer).toString()) as StreamMessage));
    this.#socket.once("close", () => clearInterval(this.#timer));
  }

  /** Reports the end of the call, and closes. */
  stop(): void {
    this.wasStopped = true;
    const { accountSid, callSid } = this.#options;
    this.#send({ event: "stop", stop: { accountSid, callSid } });
    this.#socket.close(1000);
  }

  #start(): void {
    const { accountSid, callSid, talkMs, patienceMs } = this.#options;
    this.#socket.send(JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }));
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    const { streamSid } = this;
    const start = { accountSid, streamSid, callSid, tracks: ["inbound"], mediaFormat, customParameters: {} };
    this.#send({ event: "start", start });
    const startedAt = performance.now();
    this.#timer = setInterval(() => {
      const dueFrames = Math.floor((performance.now() - startedAt) / FRAME_MS);
      while (this.#chunk <= dueFrames) this.#sendFrame();
      if (performance.now() >= (this.#spokenAt ?? startedAt + patienceMs) + talkMs) this.stop();
    }, FRAME_MS);
  }

  #sendFrame(): void {
    const timestamp = String(this.#chunk * FRAME_MS);
    const media = { track: "inbound", chunk: String(this.#chunk), timestamp, payload: SILENCE };
    this.#chunk += 1;
    this.#send({ event: "media", media });
  }

  #send(message: Record<string, unknown>): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const sequenceNumber = String(this.#sequence++);
    this.#socket.send(JSON.stringify({ ...message, sequenceNumber, streamSid: this.streamSid }));
  }

  #hear(sound: Buffer): void {
    this.heardBytes += sound.length;
    if (isVoiced(sound)) this.#spokenAt ??= performance.now();
  }

  #take(message: StreamMessage): void {
    if (message.streamSid !== this.streamSid) return;
    if (message.event === "media") this.#hear(Buffer.from(message.media?.payload ?? "", "base64"));
    if (message.event === "mark") this.#send({ event: "mark", mark: message.mark });
  }
}

/** True when mu-law is loud enough for a voice. */
export function isVoiced(sound: Buffer): boolean {
  return sound.some((code) => (code & 0x7f) < QUIET_CODE);
}

interface StreamMessage {
  event: string;
  streamSid: string;
  media?: { payload: string };
  mark?: { name: string };
}
