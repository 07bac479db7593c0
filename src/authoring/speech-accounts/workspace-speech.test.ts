import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { SpeechProviders } from "#src/audio/speech-providers/speech-providers.ts";
import { readSpeechSettings } from "#src/platform/config/speech-settings.ts";
import type { OpenAccount } from "./speech-accounts.ts";
import { withAccounts } from "./workspace-speech.ts";

const account = (provider: OpenAccount["provider"], change: Partial<OpenAccount> = {}): OpenAccount => ({
  provider,
  apiKey: randomBytes(4).toString("hex"),
  base_url: null,
  hears: provider !== "ELEVENLABS",
  speaks: true,
  transcription_model: null,
  speech_model: null,
  voice: null,
  ...change,
});
const server: Pick<SpeechProviders, "sttProviders" | "ttsProviders"> = {
  sttProviders: ["DEEPGRAM", "LOCAL"],
  ttsProviders: ["DEEPGRAM", "FLITE"],
};
const settings = readSpeechSettings({ DEEPGRAM_API_KEY: "of the server", DEEPGRAM_VOICE: "aura-2-zeus-en" });

test("a workspace's accounts are asked before the server's, which stay for when they fail", () => {
  const own = [account("OPENAI_COMPATIBLE"), account("ELEVENLABS", { voice: "Rachel" })];
  const joined = withAccounts(settings, server, own);
  expect(joined.sttProviders).toEqual(["OPENAI_COMPATIBLE", "DEEPGRAM", "LOCAL"]);
  expect(joined.ttsProviders).toEqual(["ELEVENLABS", "OPENAI_COMPATIBLE", "DEEPGRAM", "FLITE"]);
  expect(joined.elevenLabs).toMatchObject({ baseUrl: "https://api.elevenlabs.io", voice: "Rachel" });
  expect(joined.deepgram).toMatchObject({ apiKey: "of the server" });
});

test("an own account takes the place of the server's at the same provider, and does only what it is to do", () => {
  const own = account("DEEPGRAM", { apiKey: "own", speaks: false, base_url: "https://api.eu.example" });
  const joined = withAccounts(settings, server, [own]);
  expect(joined.sttProviders).toEqual(["DEEPGRAM", "LOCAL"]);
  expect(joined.ttsProviders).toEqual(["FLITE"]);
  expect(joined.deepgram).toEqual({
    apiKey: "own",
    baseUrl: "https://api.eu.example",
    model: "nova-3",
    voice: "aura-2-thalia-en",
  });
});
