import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { resample } from "#src/audio/codec/resample.ts";
import { createDeepgramTts } from "#src/audio/speech-providers/deepgram/deepgram-tts.ts";
import { createElevenLabsTts } from "#src/audio/speech-providers/elevenlabs/elevenlabs-tts.ts";
import { createOpenAiTts } from "#src/audio/speech-providers/openai-compatible/openai-tts.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import type { TtsSettings } from "#src/audio/tts/http-tts-provider.ts";
import type { Tts, VoiceOptions } from "#src/audio/tts/tts.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createKeepingPorts, type SafeOpen } from "#src/platform/http/safe-fetch.ts";
import { type ProviderAnswer, ProviderServer } from "../kit/provider-server.ts";

const KEY = "key-of-the-tests";
const NEVER = new AbortController().signal;
const VOICE: VoiceOptions = { language: "en-US", voiceId: null };
const TEXT = "Good day.";
const TONES = encodeToneSpeech(TEXT);

/** Bytes that each provider would send for the tones. */
const MULAW = Buffer.from(encodeMuLaw(TONES));
const PCM24 = toBytes(resample(TONES, 8_000, 24_000));

function toBytes(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [i, sample] of samples.entries()) bytes.writeInt16LE(sample, i * 2);
  return bytes;
}

type Make = (origin: string, port: number, more?: Partial<TtsSettings>) => Tts;
const make =
  (
    create: (settings: TtsSettings, safeOpen: SafeOpen) => Tts,
    settings: { path: string; model: string; voice: string },
  ): Make =>
  (origin, port, more) => {
    const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [`127.0.0.1:${port}`] });
    const { path, ...rest } = settings;
    return create({ baseUrl: `${origin}${path}`, apiKey: KEY, ...rest, ...more }, createKeepingPorts(guard).safeOpen);
  };

const PROVIDERS: [string, Make, Buffer][] = [
  ["ElevenLabs", make(createElevenLabsTts, { path: "", model: "eleven_flash_v2_5", voice: "v1" }), MULAW],
  ["Deepgram", make(createDeepgramTts, { path: "", model: "", voice: "aura-2-thalia-en" }), MULAW],
  ["OpenAI", make(createOpenAiTts, { path: "/v1", model: "gpt-4o-mini-tts", voice: "alloy" }), PCM24],
];

async function speak(voice: Tts, text = TEXT, signal = NEVER, options = VOICE): Promise<Int16Array[]> {
  return await Array.fromAsync(voice.speak(text, options, signal));
}

function hear(pieces: Int16Array[]): string[] {
  return decodeToneSpeech(Int16Array.from(pieces.flatMap((piece) => [...piece])));
}

async function failureOf(speaking: Promise<unknown>): Promise<{ code: string; message: string }> {
  return await speaking.then(
    () => ({ code: "NONE", message: "" }),
    (error: unknown) => error as { code: string; message: string },
  );
}

describe.each(PROVIDERS)("%s", (name, create, sound) => {
  const answer = (act: (response: ServerResponse) => void): ProviderAnswer => act;
  const whole = answer((response) => response.writeHead(200, { "content-type": "audio/basic" }).end(sound));

  test("sentences one after another use one connection, and one that is left early loses it", async () => {
    const begun = answer((response) => response.writeHead(200, { "content-type": "audio/basic" }).write(sound));
    await using server = await ProviderServer.start([whole, whole, begun, whole]);
    const voice = create(server.origin, server.port);
    for (let i = 0; i < 2; i++) await speak(voice);
    for await (const _ of voice.speak(TEXT, VOICE, NEVER)) break;
    await speak(voice);
    const [first, ...others] = server.received.map(({ port }) => port);
    expect(others.map((port) => port === first)).toEqual([true, true, false]);
  });

  test("says the text", async () => {
    await using server = await ProviderServer.start([whole]);
    expect(hear(await speak(create(server.origin, server.port)))).toEqual([TEXT]);
  });

  test("hands the first piece on while the provider is still speaking", async () => {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const half = answer((response) => {
      response.writeHead(200).write(sound.subarray(0, 9_001));
      void heard.then(() => response.end(sound.subarray(9_001)));
    });
    await using server = await ProviderServer.start([half]);
    const pieces: Int16Array[] = [];
    for await (const piece of create(server.origin, server.port).speak(TEXT, VOICE, NEVER)) {
      pieces.push(piece);
      resolve();
    }
    expect(hear(pieces)).toEqual([TEXT]);
  });

  test("cut into single bytes it is the same sound", async () => {
    const crumbs = answer((response) => {
      response.writeHead(200);
      for (const byte of sound.subarray(0, 99)) response.write(Buffer.from([byte]));
      response.end(sound.subarray(99));
    });
    await using server = await ProviderServer.start([crumbs]);
    expect(hear(await speak(create(server.origin, server.port)))).toEqual([TEXT]);
  });

  test.each([true, false])("calling off closes the request; sound came: %s", async (cameFirst) => {
    const closed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const slow = answer((response) => {
      response.on("close", () => closed.resolve());
      if (cameFirst) response.writeHead(200).write(sound.subarray(0, 4_000));
      arrived.resolve();
    });
    await using server = await ProviderServer.start([slow]);
    const stop = new AbortController();
    const speaking = speak(create(server.origin, server.port), TEXT, stop.signal);
    await arrived.promise;
    stop.abort();
    expect((await speaking).length).toBeLessThan(2);
    await closed.promise;
  });

  test("leaving early closes the request", async () => {
    const closed = Promise.withResolvers<void>();
    const slow = answer((response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200).write(sound.subarray(0, 4_000));
    });
    await using server = await ProviderServer.start([slow]);
    for await (const piece of create(server.origin, server.port).speak(TEXT, VOICE, NEVER)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await closed.promise;
  });

  const FAULTS: [string, ProviderAnswer, string][] = [
    ["401", { status: 401, json: { detail: `wrong key ${KEY}` } }, "REFUSED"],
    ["403", { status: 403 }, "REFUSED"],
    ["400", { status: 400, json: { message: TEXT } }, "REFUSED"],
    ["404", { status: 404 }, "REFUSED"],
    ["429", { status: 429, headers: { "retry-after": "3" } }, "BUSY"],
    ["500", { status: 500 }, "UNAVAILABLE"],
    ["503", { status: 503 }, "UNAVAILABLE"],
    ["a redirect to itself", { status: 302, headers: { location: "/" } }, "REFUSED"],
    ["JSON with 200", { status: 200, json: { error: "quota" } }, "UNREADABLE"],
    ["no sound", answer((response) => response.writeHead(200).end()), "UNREADABLE"],
    ["a WAV file", answer((response) => response.writeHead(200).end("RIFF....WAVEfmt ")), "UNREADABLE"],
    ["an MP3 file", answer((response) => response.writeHead(200).end("ID3.............")), "UNREADABLE"],
    ["a cut before the head", answer((response) => response.destroy()), "UNAVAILABLE"],
    [
      "a cut in the sound",
      answer((response) => response.writeHead(200).write(sound.subarray(0, 4_000), () => response.destroy())),
      "UNAVAILABLE",
    ],
    ["garbage for HTTP", answer((response) => response.socket?.end("\0garbage")), "UNAVAILABLE"],
  ];
  test.each(FAULTS)("%s is a failure that says no secret and no speech", async (_fault, fault, code) => {
    await using server = await ProviderServer.start([fault]);
    const failure = await failureOf(speak(create(server.origin, server.port)));
    expect(failure).toMatchObject({ code });
    expect(failure.message).not.toContain(KEY);
    expect(failure.message).not.toContain(TEXT);
  });

  test("a listener who takes its time is not sent more than the connection holds", async () => {
    let written = 0;
    const flood = answer((response) => {
      response.writeHead(200);
      const pour = () => {
        for (let go = !response.destroyed; go; written += 65_536) go = response.write(Buffer.alloc(65_536, 0x55));
        response.once("drain", pour);
      };
      pour();
    });
    await using server = await ProviderServer.start([flood]);
    let taken = 0;
    for await (const _piece of create(server.origin, server.port).speak(TEXT, VOICE, NEVER)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (++taken === 20) break;
    }
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test("a voice of the flow is used, and one that is none is refused before anything is sent", async () => {
    await using server = await ProviderServer.start([whole]);
    const voice = create(server.origin, server.port);
    await speak(voice, TEXT, NEVER, { language: "de-DE", voiceId: "another" });
    expect(JSON.stringify([server.received[0]?.url, server.received[0]?.body.toString()])).toContain("another");
    const refused = speak(voice, TEXT, NEVER, { language: "de-DE", voiceId: name === "OpenAI" ? "" : "../../user" });
    expect(await failureOf(refused)).toMatchObject({ code: "UNSUPPORTED" });
    expect(server.received.length).toBe(1);
  });

  test("a text that is too long for one request is said in several", async () => {
    await using server = await ProviderServer.start([whole]);
    const sentence = "This sentence says little but that it is one. ";
    expect(hear(await speak(create(server.origin, server.port), sentence.repeat(115))).length).toBeGreaterThan(1);
    const said = server.received.map(({ body }) => {
      const { text, input } = JSON.parse(body.toString()) as { text?: string; input?: string };
      return text ?? input;
    });
    expect(said.join(" ")).toBe(sentence.repeat(115).trim());
  });

  test("an empty text asks nobody", async () => {
    await using server = await ProviderServer.start([whole]);
    expect(await speak(create(server.origin, server.port), "  ")).toEqual([]);
    expect(server.received).toEqual([]);
  });
});
