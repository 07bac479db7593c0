import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import type { Stt } from "#src/audio/stt/stt.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import { VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import { MediaHost } from "#src/audio/worker/media-host.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { makeReply } from "./sounds.ts";

/**
 * Whole conversations as the service holds them, from packet to packet: media thread, turns, STT, the engine, its
 * model, TTS, playout. STT, model and TTS answer at once, so that only the service's own delay is left. Prints the
 * ports of its calls.
 *
 *     node session-server.ts CALLS
 */
const HOST = "127.0.0.1";
const HOUR_S = 3_600;
/** Words that end a turn after the usual pause: neither a whole answer nor half a sentence. */
const WORDS = "I come on Monday";
const reply = makeReply();
const log = createLog("error");
const host = new MediaHost({ log, maxCalls: Number.MAX_SAFE_INTEGER });

const stt: Stt = {
  name: "at once",
  open: ({ onEvent }) => ({
    write: () => undefined,
    flush: () => onEvent({ kind: "FINAL", text: WORDS, confidence: 1 }),
    close: () => undefined,
  }),
};

const tts: Tts = {
  name: "at once",
  async *speak() {
    yield reply;
  },
};

const model: LanguageModel = {
  name: "at once",
  async *respond() {
    yield { kind: "TEXT", text: "All right." };
  },
  extract: () => Promise.resolve({ value: {}, inputTokens: 0, outputTokens: 0 }),
};

const providers: SpeechProviders = {
  sttProviders: [],
  ttsProviders: [],
  missing: [],
  voicesOf: () => null,
  firstSoundOf: () => null,
  findStt: () => stt,
  findTts: () => tts,
};
const voice = new VoiceCalls({ host, providers, log });

async function openCall(): Promise<number> {
  const { socketId, port } = await host.openSocket(HOST);
  const target = { remote: { host: HOST, port: 0 }, codec: "PCMU", payloadType: 0, eventPayloadType: 101 } as const;
  const { line } = voice.open({
    source: { kind: "RTP", socketId, ...target, srtp: null },
    speech: "VOICES",
    language: "en",
    voiceId: null,
    hints: [],
    endOfTurnMs: null,
    bargeInMs: null,
    recording: null,
    carrierVerdict: "HUMAN",
    transfer: undefined,
  });
  const flow = {
    name: "",
    masterPrompt: "",
    firstMessage: "Hello.",
    language: "en",
    maxDurationSeconds: HOUR_S,
    silenceTimeoutSeconds: HOUR_S,
    voicemail: { action: "HANG_UP" as const, message: "" },
  };
  const limits = { maxTurns: Number.MAX_SAFE_INTEGER, maxModelTokens: Number.MAX_SAFE_INTEGER };
  const ports = {
    line,
    model,
    now: () => new Date(),
    validate: () => [],
    answeredBy: "HUMAN" as const,
    onTurn: () => undefined,
    addToDoNotCall: () => Promise.resolve(),
  };
  const plan = {
    sessionId: String(port),
    channel: "VOICE" as const,
    flow,
    variables: {},
    memory: {},
    outputs: [],
    limits,
  };
  void runSession(plan, ports, new AbortController().signal);
  return port;
}

// The media host alone does not keep the process alive.
setInterval(() => undefined, HOUR_S * 1_000);
const ports: number[] = [];
for (let i = 0; i < Number(process.argv[2] ?? 1); i++) ports.push(await openCall());
process.once("SIGTERM", () => void host.close().then(() => process.exit()));
process.stdout.write(`${JSON.stringify(ports)}\n`);
