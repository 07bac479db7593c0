import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import type { Stt, SpeechStreamOptions } from "#src/audio/stt/stt.ts";
import type { OpenSocket } from "#src/platform/http/safe-socket.ts";
import { toDeepgramLanguage } from "./deepgram-language.ts";
import { type DeepgramLimits, DeepgramStream } from "./deepgram-stream.ts";

/** Most hints: beyond 500 tokens together Deepgram refuses the connection. */
const MAX_HINTS = 50;
const MAX_HINT_CHARACTERS = 60;

/** Settings of Deepgram's streaming STT, in its cloud or self-hosted. */
export interface DeepgramStreamSettings {
  /** Origin, without /v1. */
  baseUrl: string;
  apiKey: string;
  model: string;
}

const LIMITS: DeepgramLimits = {
  connectMs: 3_000,
  deadAfterMs: 4_000,
  flushMs: 1_500,
  tickMs: 1_000,
  keepAliveMs: 4_000,
  backoffMs: 150,
  giveUpMs: 8_000,
};

/** Streaming STT by Deepgram's wss /v1/listen. */
export function createDeepgramStt(
  settings: DeepgramStreamSettings,
  openSocket: OpenSocket,
  limits: Partial<DeepgramLimits> = {},
): Stt {
  return {
    name: "DEEPGRAM",
    open(options) {
      const target = {
        url: `${settings.baseUrl}/v1/listen?${toQuery(settings.model, options)}`,
        headers: { authorization: `Token ${settings.apiKey}` },
      };
      return new DeepgramStream(openSocket, target, { ...LIMITS, ...limits }, (event) => options.onEvent(event));
    },
  };
}

function toQuery(model: string, { language, hints }: SpeechStreamOptions): string {
  const query = new URLSearchParams({
    model,
    language: toDeepgramLanguage(language),
    encoding: "mulaw",
    sample_rate: String(VOICE_RATE_HZ),
    channels: "1",
    interim_results: "true",
    smart_format: "true",
    // The turn engine decides when the person has finished; this only makes words final early.
    endpointing: "300",
  });
  const name = model.startsWith("nova-3") ? "keyterm" : "keywords";
  for (const hint of hints.slice(0, MAX_HINTS)) {
    const term = hint.toWellFormed().trim().slice(0, MAX_HINT_CHARACTERS);
    if (term) query.append(name, term);
  }
  return query.toString();
}
