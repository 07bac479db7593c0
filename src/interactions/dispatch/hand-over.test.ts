import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { COLD_ORDER } from "#kit/trial-order.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import type { TransferOrder } from "#src/audio/line/line.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";
import { type VoiceCall, VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import { MediaHost } from "#src/audio/worker/media-host.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import { type HandedCall, openTransfer } from "./hand-over.ts";

/* Two calls through the media thread, in real time. */

const FRAME_BYTES = 160;
const QUIET = new Uint8Array(FRAME_BYTES).fill(0xff);

/** A phone user who says the given words and records what is heard. */
class Phone {
  readonly source: MediaSource;
  readonly heard: string[] = [];
  hasHungUp = false;
  isOver = false;
  readonly #port: MessagePort;
  readonly #frame = new Int16Array(FRAME_BYTES);
  #voice: Int16Array = new Int16Array(0);

  constructor() {
    const { port1, port2 } = new MessageChannel();
    const sink = new ToneStream({ onSoFar: () => undefined, onUtterance: (text) => this.heard.push(text) });
    this.source = { kind: "PORT", port: port2 };
    this.#port = port1;
    port1.on("message", (message: Uint8Array | { closed?: true }) => {
      if (!(message instanceof Uint8Array)) return void (this.isOver ||= message.closed === true);
      muLawCodec.decodeInto(message, 0, FRAME_BYTES, this.#frame);
      sink.push(this.#frame);
      this.#speak();
    });
  }

  say(text: string): void {
    this.#voice = encodeToneSpeech(text);
  }

  hangUp(): void {
    this.hasHungUp = true;
    this.#port.postMessage({ closed: true });
  }

  close(): void {
    this.#port.close();
  }

  /** Sends a frame for each one received. */
  #speak(): void {
    const bytes = QUIET.slice();
    const part = this.#voice.subarray(0, FRAME_BYTES);
    muLawCodec.encodeInto(part, part.length, bytes, 0);
    this.#voice = this.#voice.subarray(FRAME_BYTES);
    if (!this.hasHungUp) this.#port.postMessage(bytes);
  }
}

async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const ORDER: TransferOrder = { ...COLD_ORDER, mode: "WARM", whisperMessage: "A caller" };

const options: HandedCall["options"] = { speech: "TONES", language: "en-US", voiceId: null, hints: [] };

let host: MediaHost;
const phones: Phone[] = [];
afterEach(async () => {
  for (const phone of phones.splice(0)) phone.close();
  await host.close();
});

function open() {
  const log = createLog("error");
  host = new MediaHost({ log });
  const providers = { findStt: () => toneStt, findTts: () => toneTts };
  const voice = new VoiceCalls({ host, providers: providers as unknown as SpeechProviders, log });
  const [person, target] = [new Phone(), new Phone()];
  phones.push(person, target);
  const hungUp: string[] = [];
  const carrier = {
    name: "dials only",
    hangUp: async (id: string) => void hungUp.push(id),
    dialLeg: async () => ({ kind: "ANSWERED", source: target.source, hangUp: async () => void hungUp.push("leg") }),
  } as unknown as Carrier;
  const rest = { endOfTurnMs: null, bargeInMs: null, recording: null, carrierVerdict: null } as const;
  const call: VoiceCall = voice.open({
    ...options,
    ...rest,
    source: person.source,
    transfer: openTransfer({
      carrier,
      providerCallId: "call",
      voice,
      options,
      maxDurationSeconds: 60,
      person: () => call,
      mayRing: async () => true,
    }),
  });
  return { call, person, target, hungUp };
}

test(
  "a carrier that only dials: the whisper, then both hear each other; the end of one ends all of it",
  { timeout: 30_000 },
  async () => {
    const { call, person, target, hungUp } = open();
    const transfer = call.line.transfer?.(ORDER, new AbortController().signal);
    await until(() => target.heard.includes("A caller"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    person.say("Is this the desk");
    await until(() => target.heard.includes("Is this the desk"));
    target.say("It is");
    await until(() => person.heard.includes("It is"));
    expect(person.heard).toEqual(["It is"]);
    target.hangUp();
    expect(await transfer).toEqual({ kind: "TRANSFERRED" });
    await until(() => person.isOver);
    expect(hungUp).toEqual(["leg", "call"]);
    await call.ended;
    expect(call.line.used.speechSeconds).toBeGreaterThan(0);
  },
);

test("a carrier that can neither hand over nor dial leaves the line without transfers", () => {
  const { call } = open();
  const carrier = { name: "neither" } as unknown as Carrier;
  const parts = { carrier, providerCallId: "x", voice: {} as VoiceCalls, options, maxDurationSeconds: 1 };
  expect(openTransfer({ ...parts, person: () => call, mayRing: async () => true })).toBeUndefined();
});
