import { describe, expect, test } from "vitest";
import { createFliteTts } from "#src/audio/speech-providers/flite/flite-tts.ts";
import type { FliteProgram } from "#src/audio/speech-providers/flite/flite.ts";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import type { VoiceOptions } from "#src/audio/tts/tts.ts";

const NEVER = new AbortController().signal;
const VOICE: VoiceOptions = { language: "en-US", voiceId: null };

function listen() {
  const events: SpeechEvent[] = [];
  const onEvent = (event: SpeechEvent) => void events.push(event);
  return { events, stream: toneStt.open({ language: "en", hints: [], expected: null, onEvent }) };
}

describe("tone speech", () => {
  test("what is spoken is heard, piece by piece", async () => {
    const text = "Good day, this is the dentist's office. ".repeat(10).trim();
    const { events, stream } = listen();
    let pieces = 0;
    for await (const piece of toneTts.speak(text, VOICE, NEVER)) {
      pieces++;
      for (let at = 0; at < piece.length; at += 160) stream.write(piece.subarray(at, at + 160));
    }
    expect(pieces).toBeGreaterThan(2);
    expect(events.at(-1)).toEqual({ kind: "FINAL", text, confidence: 1 });
    const partials = events.filter((event) => event.kind === "PARTIAL");
    expect(partials.length).toBeGreaterThan(20);
    expect(partials.filter((event) => !text.startsWith(event.text))).toEqual([]);
  });

  test("calling off ends the speech at the next block", async () => {
    const stop = new AbortController();
    let samples = 0;
    for await (const piece of toneTts.speak("long ".repeat(500), VOICE, stop.signal)) {
      samples += piece.length;
      stop.abort();
    }
    expect(samples).toBeLessThan(6 * 8_000);
  });

  test("a flush is always answered, and a closed stream tells nothing", async () => {
    const { events, stream } = listen();
    stream.flush();
    expect(events).toEqual([{ kind: "FINAL", text: "", confidence: null }]);
    stream.close();
    stream.flush();
    for await (const piece of toneTts.speak("Late.", VOICE, NEVER)) stream.write(piece);
    expect(events.length).toBe(1);
  });
});

describe("flite", () => {
  function fake(say: FliteProgram["say"]) {
    return createFliteTts({ voices: new Set(["slt", "rms"]), say });
  }

  test("a long text is said in parts, the first of them before the last is made", async () => {
    const said: string[] = [];
    const voice = fake(async (text) => {
      said.push(text);
      return new Int16Array(text.length);
    });
    const text = "One sentence of this text. ".repeat(20).trim();
    for await (const piece of voice.speak(text, VOICE, NEVER)) {
      expect(piece.length).toBeLessThan(161);
      expect(said.length).toBe(1);
      break;
    }
    said.length = 0;
    await Array.fromAsync(voice.speak(text, VOICE, NEVER));
    expect(said.join(" ")).toBe(text);
  });

  test("other languages and unknown voices are refused, and a failure is thrown", async () => {
    const voice = fake(() => Promise.reject(new Error("no")));
    const speak = (options: VoiceOptions) => Array.fromAsync(voice.speak("Hi.", options, NEVER));
    await expect(speak({ language: "de-DE", voiceId: null })).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect(speak({ language: "en", voiceId: "/etc/passwd" })).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect(speak(VOICE)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  test("calling off reaches the program and ends the speech without a failure", async () => {
    const stop = new AbortController();
    const voice = fake((_text, _voice, signal) => {
      setImmediate(() => stop.abort());
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("killed"))));
    });
    expect(await Array.fromAsync(voice.speak("Hi.", VOICE, stop.signal))).toEqual([]);
  });

  test("so many programs run at a time, and who comes too late is refused", async () => {
    let running = 0;
    let most = 0;
    const voice = fake(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return new Int16Array(1);
    });
    const speaking = Array.from({ length: 80 }, () => Array.fromAsync(voice.speak("Hi.", VOICE, NEVER)));
    const ends = await Promise.allSettled(speaking);
    expect(most).toBe(4);
    expect(ends.filter(({ status }) => status === "rejected").length).toBe(12);
  });
});
