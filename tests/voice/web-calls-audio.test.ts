import { expect, test } from "vitest";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import { decodeToneSpeech, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";
import { PageSocket } from "../kit/page-socket.ts";
import { World } from "../kit/world.ts";

/* A page with a microphone, without the page: frames of 20 ms over the WebSocket, in which both sides speak tones. */

const FRAME_BYTES = 160;
const FRAME_MS = 20;
const SILENCE = new Uint8Array(FRAME_BYTES).fill(0xff);

/** Speaks and listens over a page's connection, a frame every 20 ms on an absolute schedule. */
class Microphone {
  readonly heard: string[] = [];
  readonly #page: PageSocket;
  readonly #answers: string[];
  readonly #sink: ToneStream;
  #words: Uint8Array = new Uint8Array(0);
  #at = 0;
  #taken = 0;

  constructor(page: PageSocket, answers: string[]) {
    this.#page = page;
    this.#answers = answers;
    this.#sink = new ToneStream({ onSoFar: () => undefined, onUtterance: (text) => this.#hear(text) });
  }

  async dialogue(): Promise<void> {
    const startedAt = performance.now();
    for (let sent = 0; !this.#page.messages.some(({ type }) => type === "ended") && sent < 3_000;) {
      for (; sent * FRAME_MS <= performance.now() - startedAt; sent++) this.#page.sendBytes(this.#nextFrame());
      for (; this.#taken < this.#page.frames.length; this.#taken++) {
        this.#sink.push(decodeMuLaw(this.#page.frames[this.#taken] as Uint8Array));
      }
      await new Promise((resolve) => setTimeout(resolve, FRAME_MS / 2));
    }
  }

  #hear(text: string): void {
    this.heard.push(text);
    const answer = this.#answers.shift();
    if (answer === undefined) return;
    // Somebody who thinks for half a second.
    const voice = encodeToneSpeech(answer);
    const thinking = new Int16Array(4_000);
    const all = new Int16Array(Math.ceil((thinking.length + voice.length) / FRAME_BYTES) * FRAME_BYTES);
    all.set(voice, thinking.length);
    this.#words = encodeMuLaw(all);
    this.#at = 0;
  }

  #nextFrame(): Uint8Array<ArrayBuffer> {
    if (this.#at >= this.#words.length) return SILENCE;
    this.#at += FRAME_BYTES;
    return this.#words.slice(this.#at - FRAME_BYTES, this.#at) as Uint8Array<ArrayBuffer>;
  }
}

test(
  "a call over the web in audio is heard, answered, shown to the page and recorded",
  { timeout: 90_000 },
  async () => {
    const env = { SPEECH_TO_TEXT: "TONE", TEXT_TO_SPEECH: "TONE" };
    await using world = await World.start({ env });
    const flow = {
      name: "Visit",
      masterPrompt: "Ask whether the person comes.",
      firstMessage: "Hello Ada.",
      structuredOutputs: [
        {
          name: "visit",
          schema: { type: "object", properties: { coming: { type: "boolean", description: "Will you come?" } } },
        },
      ],
    };
    const made = await world.request("POST", "/web-calls", { body: { flow } });
    expect(made.status, made.text).toBe(200);
    using page = await PageSocket.hello(String(made.body.socketUrl), made.body.token);
    expect(await page.next("ready")).toMatchObject({ audio: true, audioReason: null });
    page.send({ type: "accept", mode: "AUDIO" });
    await page.next("started");
    const microphone = new Microphone(page, ["Hello", "Yes, I will come"]);
    await microphone.dialogue();

    const path = `/call-rows/${String(made.body.callRowId)}`;
    const row = await world.until(path, (body) => body.endedAt !== null);
    expect(row).toMatchObject({
      status: "COMPLETED",
      endReason: "AGENT_ENDED_CALL",
      extractedFields: { coming: true },
      recording: { channels: 2 },
    });
    const turns = row.transcript as { role: string; content: string }[];
    const said = turns.filter(({ role }) => role === "ASSISTANT").map(({ content }) => content);
    expect(microphone.heard.join(" ")).toBe(said.join(" "));
    expect(turns.filter(({ role }) => role === "USER").map(({ content }) => content)).toEqual([
      "Hello",
      "Yes, I will come",
    ]);
    const shown = page.messages.filter(({ type }) => type === "transcript").map(({ text }) => text);
    expect(shown).toContain("Yes, I will come");
    const headers = { "x-api-key": world.sample.apiKey };
    const recording = await fetch(`${world.url}/api/external/v1${path}/recording`, { headers });
    const [agent, person] = parseWav(new Uint8Array(await recording.arrayBuffer())).channels;
    expect(decodeToneSpeech(agent as Int16Array).join(" ")).toBe(said.join(" "));
    expect(decodeToneSpeech(person as Int16Array)).toEqual(["Hello", "Yes, I will come"]);
  },
);
