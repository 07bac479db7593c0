import { describe, expect, test } from "vitest";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import { readSpeechSettings } from "#src/platform/config/speech-settings.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch, createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createOpenSocket } from "#src/platform/http/safe-socket.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { createSpeechProviders } from "./speech-providers.ts";

const KEYS = { DEEPGRAM_API_KEY: "secret-d", ELEVENLABS_API_KEY: "secret-e", OPENAI_API_KEY: "secret-o" };
const NEVER = new AbortController().signal;

async function open(env: Record<string, string>, searchPath = "", warm: (url: string) => void = () => undefined) {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [] });
  const lines: string[] = [];
  const providers = await createSpeechProviders(readSpeechSettings(env), {
    safeFetch: createSafeFetch(guard),
    safeOpen: createSafeOpen(guard),
    warm,
    openSocket: createOpenSocket(guard),
    log: createLog("debug", (line) => void lines.push(line)),
    searchPath,
  });
  return { providers, lines };
}

test("a voice is prepared by a connection to the first provider that does not rest", async () => {
  const warmed: string[] = [];
  const { providers } = await open({ ...KEYS, TEXT_TO_SPEECH: "DEEPGRAM,ELEVENLABS" }, "", (url) => warmed.push(url));
  const voice = providers.findTts();
  voice.warm?.();
  // The guard of this test refuses the provider, which rests after that.
  await Array.fromAsync(voice.speak("Hi.", { language: "en", voiceId: null }, NEVER)).catch(() => undefined);
  voice.warm?.();
  providers.findTts(["TONE"]).warm?.();
  expect(warmed).toEqual(["https://api.deepgram.com", "https://api.deepgram.com"]);
});

describe("which providers of speech there are", () => {
  test("without keys and programs none is asked unless it is named", async () => {
    const { providers } = await open({});
    expect([providers.sttProviders, providers.ttsProviders]).toEqual([[], []]);
    expect(() => providers.findStt()).toThrow(/No provider of speech to text is configured. .*DEEPGRAM_API_KEY/);
    expect(providers.findStt(["TONE"]).name).toBe("TONE");
  });

  test.each([
    ["DEEPGRAM", "DEEPGRAM_API_KEY"],
    ["OPENAI_COMPATIBLE", "OPENAI_BASE_URL"],
    ["LOCAL", "pocketsphinx"],
  ] as const)("asking for %s that is not configured says to set %s", async (name, what) => {
    const { providers } = await open({});
    expect(() => providers.findStt([name])).toThrow(what);
  });

  test("asking for ELEVENLABS or FLITE that is not there says what to set", async () => {
    const { providers } = await open({});
    expect(() => providers.findTts(["ELEVENLABS"])).toThrow("ELEVENLABS_API_KEY");
    expect(() => providers.findTts(["FLITE"])).toThrow("installs the program flite");
  });

  test("with keys all are there, in the operator's order", async () => {
    const { providers } = await open({ ...KEYS, TEXT_TO_SPEECH: "OPENAI_COMPATIBLE,ELEVENLABS" });
    expect(providers.sttProviders).toEqual(["DEEPGRAM", "OPENAI_COMPATIBLE"]);
    expect(providers.ttsProviders).toEqual(["OPENAI_COMPATIBLE", "ELEVENLABS"]);
    expect(providers.findTts().name).toBe("OPENAI_COMPATIBLE");
    expect(providers.findTts()).toBe(providers.findTts());
  });

  test("a program that is listed and not there is told", async () => {
    const { providers } = await open({ SPEECH_TO_TEXT: "LOCAL" });
    expect(providers.missing).toEqual([expect.stringContaining("LOCAL is listed, and not there.")]);
  });
});

test("a failover is logged by names and reasons, never with a key or a text", async () => {
  const closed = { DEEPGRAM_URL: "http://10.0.0.1:9000", ELEVENLABS_URL: "http://10.0.0.1:9000" };
  const { providers, lines } = await open({ ...KEYS, ...closed });
  const voice = providers.findTts(["ELEVENLABS", "TONE"]);
  const pieces = await Array.fromAsync(voice.speak("Private words.", { language: "en", voiceId: null }, NEVER));
  expect(pieces.length).toBe(1);
  const events: SpeechEvent[] = [];
  const stream = providers
    .findStt(["DEEPGRAM", "TONE"])
    .open({ language: "en", hints: [], expected: null, onEvent: (event) => void events.push(event) });
  await expect.poll(() => lines.length).toBe(2);
  for (const piece of pieces) stream.write(piece);
  expect(events.at(-1)).toMatchObject({ kind: "FINAL", text: "Private words." });
  expect(lines.join("\n")).toContain("ELEVENLABS");
  expect(lines.join("\n")).not.toMatch(/secret-|Private/);
});
