// oxlint-disable vitest/expect-expect -- checkCall expects

import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { createDeepgramStt } from "#src/audio/speech-providers/deepgram/deepgram-stt.ts";
import { createElevenLabsTts } from "#src/audio/speech-providers/elevenlabs/elevenlabs-tts.ts";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import type { Stt } from "#src/audio/stt/stt.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import { openHostedModel } from "#src/engine/models/hosted/providers.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createOpenSocket } from "#src/platform/http/safe-socket.ts";
import { createWebFetch } from "#src/platform/http/web-fetch.ts";
import { TrialServer } from "../kit/model-vendors/trial-server.ts";
import { ProviderServer } from "../kit/provider-server.ts";
import { type ServerSocket, type SocketBehaviour, SocketServer } from "../kit/socket-server.ts";
import { planWith } from "../kit/trial-session.ts";
import { checkCall, type Expected, holdCall, type TrialCall } from "../kit/voice-harness.ts";

/* The same as in voice-faults, with the adapters of real providers against servers that break on the wire. */

const OPENING = "Hello Anna. Can you hear me?";
const APOLOGY = "I am sorry, something went wrong on my side. Goodbye.";
const UNFINISHED = "I am sorry, I could not finish what I was saying, so please do not rely on it. Goodbye.";
const DONE = { end: "AGENT_ENDED_CALL", hears: [OPENING, "Will you come?"], withinMs: 60_000 };
const guard = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});
afterEach(() => void vi.useRealTimers());

/** A call whose 20 ms take 1 ms: what crosses the network seems 20 times slower than it is. */
async function expectCall(trial: TrialCall, expected: Expected) {
  const plan = planWith({ firstMessage: OPENING });
  const answers = ["Hello?", "Yes, I will come", "Three of us"];
  const report = await holdCall({ answers, plan, paceMs: 1, ...trial });
  checkCall(report, expected);
  return report;
}

describe("a synthesiser over HTTP", () => {
  type Act = (sound: Buffer, response: ServerResponse, turn: number) => void;

  const head = (response: ServerResponse) => response.writeHead(200, { "content-type": "audio/basic" });

  /** Calls through ElevenLabs, which treats each request in this way. */
  async function callWith(act: Act, expected: Expected, others: Tts[] = []) {
    let turn = 0;
    const answer = (response: ServerResponse): void => {
      const { text } = JSON.parse(String(server.received.at(-1)?.body)) as { text: string };
      act(Buffer.from(encodeMuLaw(encodeToneSpeech(text))), response, turn++);
    };
    await using server: ProviderServer = await ProviderServer.start([answer]);
    const settings = { baseUrl: server.origin, apiKey: "key", model: "eleven_flash_v2_5", voice: "v1" };
    const voice = createElevenLabsTts(settings, createSafeOpen(guard));
    return await expectCall({ ttsProviders: [voice, ...others] }, expected);
  }

  test("cuts the connection in the middle of a sentence: it is said again", async () => {
    await callWith((sound, response, turn) => {
      if (turn % 2 === 1) return void head(response).end(sound);
      head(response).write(sound.subarray(0, 3_000), () => response.destroy());
    }, DONE);
  });

  test("stalls after its headers, or after some sound: the next one speaks", async () => {
    await callWith((_sound, response) => head(response).flushHeaders(), DONE, [toneTts]);
    await callWith(
      (sound, response, turn) => {
        if (turn === 0) head(response).write(sound.subarray(0, 4_000));
        else response.writeHead(503).end();
      },
      DONE,
      [toneTts],
    );
  });

  test("answers with errors, pages, files or nothing: the call ends soon and by a sound", async () => {
    const answers: Act[] = [
      (_, response) => response.writeHead(500).end("no"),
      (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      (_, response) => head(response).end("RIFF....WAVE"),
      (_, response) => head(response).end(),
      (_, response) => response.destroy(),
    ];
    for (const answer of answers) {
      const { caller } = await callWith(answer, { end: "ERROR_SPEECH", withinMs: 8_000 });
      expect(caller.heard).toEqual([]);
    }
  });
});

describe("a recogniser over a socket", () => {
  const result = (text: string) => ({
    type: "Results",
    start: 0,
    duration: 1,
    is_final: true,
    from_finalize: true,
    channel: { alternatives: [{ transcript: text, confidence: 0.9, words: [] }] },
  });

  /** Understands tone speech, when it is asked to finish an utterance. */
  function understand(socket: ServerSocket): void {
    let heard = 0;
    socket.onMessage((message) => {
      if (typeof message !== "string" || !message.includes("Finalize")) return;
      const audio = decodeMuLaw(socket.audio.subarray(heard));
      heard += audio.length;
      socket.send(result(decodeToneSpeech(audio).join(" ")));
    });
  }

  async function callWith(behaviours: SocketBehaviour[], expected: Expected, others: Stt[] = []) {
    await using server = await SocketServer.start(behaviours);
    const settings = { baseUrl: server.origin, apiKey: "key", model: "nova-3" };
    const sink = createDeepgramStt(settings, createOpenSocket(guard));
    return await expectCall({ sttProviders: [sink, ...others] }, expected);
  }

  test("is understood while nothing is broken", async () => {
    const { outcome } = await callWith([understand], DONE);
    expect(outcome.extractedFields).toEqual({ coming: true, people: 3 });
  });

  test("is cut while somebody speaks: what they say is heard on the next connection", async () => {
    const cutting = (socket: ServerSocket) => {
      socket.onMessage(() => socket.audio.length > 4_000 && socket.cut());
    };
    await callWith([cutting, understand], DONE);
  });

  test("never answers: the next one hears what was said", async () => {
    await callWith([() => undefined], DONE, [toneStt]);
  });

  test("refuses, never shakes hands, or talks nonsense: the caller is told goodbye", async () => {
    const lost = { end: "ERROR_SPEECH", hears: [], withinMs: 25_000 };
    const nonsense = (socket: ServerSocket) => {
      const timer = setInterval(() => socket.send('{"type":"Results","channel":'), 500);
      socket.raw.on("close", () => clearInterval(timer));
    };
    for (const behaviour of [{ refuse: 401 }, { raw: () => undefined }, nonsense]) {
      // Who speaks at that moment interrupts it.
      const { texts } = await callWith([behaviour], lost);
      expect(`ASSISTANT: ${APOLOGY}`).toContain(texts.at(-1));
      expect(texts.at(-1)).toMatch(/^ASSISTANT: I am/);
    }
  });
});

describe("a model over HTTP", () => {
  const piece = (words: string) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { role: "assistant", content: words }, finish_reason: null }] })}\n\n`;

  test("stalls, is cut, or answers garbage, before and after its first words: the caller is told", async () => {
    await using server = await TrialServer.start();
    const settings = {
      provider: "OPENAI_COMPATIBLE",
      baseUrl: server.url,
      apiKey: null,
      model: "m",
      temperature: 0,
    } as const;
    const model = openHostedModel(settings, createWebFetch(createSafeOpen(guard), 60_000));
    const answers = [
      { body: "", end: "STALL" },
      { body: piece("Good. Let me see"), end: "STALL" },
      { body: "", end: "CUT" },
      { body: piece("Good. Let me see"), end: "CUT" },
      { body: "data: {nonsense\n\n", end: "CLOSE" },
      { body: "data: [DONE]\n\n", end: "CLOSE" },
      { status: 500, body: "<html>no</html>", end: "CLOSE" },
    ] as const;
    for (const answer of answers) {
      server.answer = answer;
      const hears = answer.body.includes("Good.") ? [OPENING, "Good.", UNFINISHED] : [OPENING, APOLOGY];
      await expectCall({ ports: { model, modelStallMs: 3_000 } }, { end: "ERROR_MODEL", hears, withinMs: 20_000 });
    }
  });
});
