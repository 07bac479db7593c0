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

async function open(env: Record<string, string>, searchPath = "") {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [] });
  const lines: string[] = [];
  const providers = await createSpeechProviders(readSpeechSettings(env), {
    safeFetch: createSafeFetch(guard),
    safeOpen: createSafeOpen(guard),
    openSocket: createOpenSocket(guard),
    log: createLog("debug", (line) => void lines.push(line)),
    searchPath,
  });
  return { providers, lines };
}

describe("which providers of speech there are", () => {
  test("without keys and programs none is asked unless it is named", async () => {
    const { providers } = await open({});
    expect([providers.recognisers, providers.synthesisers]).toEqual([[], []]);
    expect(() => providers.findRecogniser()).toThrow(/No provider of speech to text is configured. .*DEEPGRAM_API_KEY/);
    expect(providers.findRecogniser(["TONE"]).name).toBe("TONE");
  });

  test.each([
    ["DEEPGRAM", "DEEPGRAM_API_KEY"],
    ["OPENAI_COMPATIBLE", "OPENAI_BASE_URL"],
    ["LOCAL", "pocketsphinx"],
  ] as const)("asking for %s that is not configured says to set %s", async (name, what) => {
    const { providers } = await open({});
    expect(() => providers.findRecogniser([name])).toThrow(what);
  });

  test("asking for ELEVENLABS or FLITE that is not there says what to set", async () => {
    const { providers } = await open({});
    expect(() => providers.findSynthesiser(["ELEVENLABS"])).toThrow("ELEVENLABS_API_KEY");
    expect(() => providers.findSynthesiser(["FLITE"])).toThrow("installs the program flite");
  });

  test("with keys all are there, in the operator's order", async () => {
    const { providers } = await open({ ...KEYS, TEXT_TO_SPEECH: "OPENAI_COMPATIBLE,ELEVENLABS" });
    expect(providers.recognisers).toEqual(["DEEPGRAM", "OPENAI_COMPATIBLE"]);
    expect(providers.synthesisers).toEqual(["OPENAI_COMPATIBLE", "ELEVENLABS"]);
    expect(providers.findSynthesiser().name).toBe("OPENAI_COMPATIBLE");
    expect(providers.findSynthesiser()).toBe(providers.findSynthesiser());
  });

  test("a program that is listed and not there is told", async () => {
    const { providers } = await open({ SPEECH_TO_TEXT: "LOCAL" });
    expect(providers.missing).toEqual([expect.stringContaining("LOCAL is listed, and not there.")]);
  });
});

test("a failover is logged by names and reasons, never with a key or a text", async () => {
  const closed = { DEEPGRAM_URL: "http://10.0.0.1:9000", ELEVENLABS_URL: "http://10.0.0.1:9000" };
  const { providers, lines } = await open({ ...KEYS, ...closed });
  const voice = providers.findSynthesiser(["ELEVENLABS", "TONE"]);
  const pieces = await Array.fromAsync(voice.speak("Private words.", { language: "en", voiceId: null }, NEVER));
  expect(pieces.length).toBe(1);
  const events: SpeechEvent[] = [];
  const stream = providers
    .findRecogniser(["DEEPGRAM", "TONE"])
    .open({ language: "en", hints: [], expected: null, onEvent: (event) => void events.push(event) });
  await expect.poll(() => lines.length).toBe(2);
  for (const piece of pieces) stream.write(piece);
  expect(events.at(-1)).toMatchObject({ kind: "FINAL", text: "Private words." });
  expect(lines.join("\n")).toContain("ELEVENLABS");
  expect(lines.join("\n")).not.toMatch(/secret-|Private/);
});
