import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readSpeechSettings } from "./speech-settings.ts";

test("nothing set: no provider, no order, a cache of 64 MB", () => {
  expect(readSpeechSettings({})).toEqual({
    deepgram: undefined,
    elevenLabs: undefined,
    openAi: undefined,
    sttProviders: null,
    ttsProviders: null,
    phraseCacheBytes: 64 * 1024 * 1024,
    vadModel: null,
  });
});

test("the file of the Silero model is made absolute", () => {
  expect(readSpeechSettings({ SPEECH_VAD_MODEL: "/srv/silero/silero_vad.onnx" }).vadModel).toBe(
    "/srv/silero/silero_vad.onnx",
  );
  expect(readSpeechSettings({ SPEECH_VAD_MODEL: "silero_vad.onnx" }).vadModel).toBe(resolve("silero_vad.onnx"));
});

test("keys make providers usable, with defaults and in the order that is named", () => {
  const settings = readSpeechSettings({
    DEEPGRAM_API_KEY: "d",
    ELEVENLABS_API_KEY: "e",
    ELEVENLABS_VOICE: "v",
    OPENAI_BASE_URL: "http://whisper.internal:8000/v1/",
    SPEECH_TO_TEXT: "deepgram, LOCAL,DEEPGRAM",
    TEXT_TO_SPEECH: "ELEVENLABS",
    PHRASE_CACHE_MB: "0",
  });
  expect(settings).toMatchObject({
    deepgram: { baseUrl: "https://api.deepgram.com", apiKey: "d", model: "nova-3" },
    elevenLabs: { apiKey: "e", voice: "v" },
    openAi: { baseUrl: "http://whisper.internal:8000/v1", apiKey: undefined },
    sttProviders: ["DEEPGRAM", "LOCAL"],
    ttsProviders: ["ELEVENLABS"],
    phraseCacheBytes: 0,
  });
});

test.each([
  [{ SPEECH_TO_TEXT: "DEEPGRAM" }, "SPEECH_TO_TEXT names DEEPGRAM, which needs DEEPGRAM_API_KEY."],
  [{ TEXT_TO_SPEECH: "FLITE,ELEVENLABS" }, "TEXT_TO_SPEECH names ELEVENLABS, which needs ELEVENLABS_API_KEY."],
  [{ TEXT_TO_SPEECH: "OPENAI_COMPATIBLE" }, "which needs OPENAI_API_KEY or OPENAI_BASE_URL."],
  [
    { SPEECH_TO_TEXT: "ELEVENLABS" },
    'SPEECH_TO_TEXT takes DEEPGRAM, OPENAI_COMPATIBLE, LOCAL, TONE, not "ELEVENLABS".',
  ],
  [{ ELEVENLABS_URL: "ftp://x" }, "ELEVENLABS_URL must be an http or https address"],
  [{ PHRASE_CACHE_MB: "many" }, "PHRASE_CACHE_MB must be a whole number"],
])("%j is refused", (env, message) => expect(() => readSpeechSettings(env)).toThrow(message));
