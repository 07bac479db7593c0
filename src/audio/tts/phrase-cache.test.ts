import { expect, test } from "vitest";
import { PhraseCache } from "./phrase-cache.ts";
import type { Tts } from "./tts.ts";

const NEVER = new AbortController().signal;
const OPTIONS = { language: "en", voiceId: null };

/** Says each character of a text as a piece of `size` samples; "!" is a failure. */
function counting(size = 10) {
  const said: string[] = [];
  const tts: Tts = {
    name: "engine",
    async *speak(text, options) {
      said.push(`${text}/${options.voiceId}/${options.language}`);
      for (const letter of text) {
        if (letter === "!") throw new Error("failed");
        yield new Int16Array(size).fill(letter.charCodeAt(0));
      }
    },
  };
  return { tts, said };
}

async function hear(voice: Tts, text: string, options: Parameters<Tts["speak"]>[1] = OPTIONS) {
  const pieces = await Array.fromAsync(voice.speak(text, options, NEVER));
  return pieces.flatMap((piece) => [...piece]);
}

test("a phrase is said once and then repeated, sample for sample", async () => {
  const { tts, said } = counting();
  const voice = new PhraseCache(100_000).wrap(tts);
  const first = await hear(voice, "abc");
  expect(await hear(voice, "abc")).toEqual(first);
  expect(said).toEqual(["abc/null/en"]);
});

test("another voice, language or engine is another phrase", async () => {
  const { tts, said } = counting();
  const cache = new PhraseCache(100_000);
  await hear(cache.wrap(tts), "a");
  await hear(cache.wrap(tts), "a", { language: "en", voiceId: "v" });
  await hear(cache.wrap(tts), "a", { language: "de", voiceId: null });
  await hear(cache.wrap({ ...tts, name: "other" }), "a");
  expect(said.length).toBe(4);
});

test("the first speaker hears each piece as it comes, and what it does to one is not repeated", async () => {
  const { tts } = counting();
  const voice = new PhraseCache(100_000).wrap(tts);
  const pieces: Int16Array[] = [];
  for await (const piece of voice.speak("ab", OPTIONS, NEVER)) {
    pieces.push(piece);
    piece.fill(0);
  }
  expect(pieces.length).toBe(2);
  for await (const piece of voice.speak("ab", OPTIONS, NEVER)) {
    expect(piece[0]).toBe(97);
    piece.fill(0);
  }
  expect((await hear(voice, "ab"))[0]).toBe(97);
});

test("what failed, was left early or was called off is not kept", async () => {
  const { tts, said } = counting();
  const cache = new PhraseCache(100_000);
  const voice = cache.wrap(tts);
  await hear(voice, "ab!").catch(() => undefined);
  for await (const _piece of voice.speak("cd", OPTIONS, NEVER)) break;
  const stop = new AbortController();
  for await (const _piece of voice.speak("ef", OPTIONS, stop.signal)) stop.abort();
  expect([said.length, cache.bytes]).toEqual([3, 0]);
});

test("the bytes stay below the limit, and the phrase not said for longest goes first", async () => {
  const { tts, said } = counting(100);
  const cache = new PhraseCache(4_000);
  const voice = cache.wrap(tts);
  for (const letter of "abcdefgh") await hear(voice, letter);
  await hear(voice, "a");
  for (const letter of "ijk") await hear(voice, letter);
  expect(cache.bytes).toBeLessThanOrEqual(4_000);
  expect(cache.bytes).toBeGreaterThan(2_000);
  said.length = 0;
  await hear(voice, "a");
  await hear(voice, "b");
  expect(said).toEqual(["b/null/en"]);
});

test("a phrase that would take too large a share is said and not kept", async () => {
  const { tts } = counting(1_000);
  const cache = new PhraseCache(8_000);
  expect((await hear(cache.wrap(tts), "ab")).length).toBe(2_000);
  expect(cache.bytes).toBe(0);
});
