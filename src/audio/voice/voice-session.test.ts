import { expect, test } from "vitest";
import { handleOf } from "#kit/trial-media.ts";
import { planWith } from "#kit/trial-session.ts";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { toneStt } from "#src/audio/speech-providers/tone/tone-stt.ts";
import { toneTts } from "#src/audio/speech-providers/tone/tone-tts.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";
import { TurnEngine } from "#src/audio/turns/turn-engine.ts";
import { LoudVad } from "#src/audio/vad/loud-vad.ts";
import { type FrameTransport, MediaCall } from "#src/audio/worker/media-call.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { createScriptedModel } from "#src/engine/models/scripted/scripted-model.ts";
import { VoiceLine } from "./voice-line.ts";

const THINKING_FRAMES = 20;

/** A person on the phone, over a line that carries mu-law: hears the agent's words and answers them in turn. */
class Caller implements FrameTransport {
  readonly heard: string[] = [];
  readonly #answers: string[];
  readonly #sink: ToneStream;
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #bytes = new Uint8Array(FRAME_SAMPLES);
  #voice: Int16Array = new Int16Array(0);
  #at = 0;
  #wait = 0;

  constructor(answers: string[]) {
    this.#answers = [...answers];
    this.#sink = new ToneStream({ onSoFar: () => undefined, onUtterance: (text) => this.#hear(text) });
  }

  #hear(text: string): void {
    this.heard.push(text);
    const answer = this.#answers.shift();
    if (answer === undefined) return;
    this.#voice = encodeToneSpeech(answer);
    this.#at = 0;
    this.#wait = THINKING_FRAMES;
  }

  read(frame: Int16Array): boolean {
    if (this.#at >= this.#voice.length || this.#wait-- > 0) return false;
    this.#frame.fill(0);
    this.#frame.set(this.#voice.subarray(this.#at, this.#at + FRAME_SAMPLES));
    this.#at += FRAME_SAMPLES;
    this.#carry(this.#frame, frame);
    return true;
  }

  write(frame: Int16Array): void {
    this.#carry(frame, this.#frame);
    this.#sink.push(this.#frame);
  }

  #carry(from: Int16Array, to: Int16Array): void {
    muLawCodec.encodeInto(from, FRAME_SAMPLES, this.#bytes, 0);
    muLawCodec.decodeInto(this.#bytes, 0, FRAME_SAMPLES, to);
  }

  sendDigits(): void {}

  close(): void {}
}

test("a whole conversation in audio: said, heard, understood and filled, over mu-law both ways", async () => {
  const caller = new Caller(["Hello?", "Yes, I will come", "Three of us", "Goodbye"]);
  const call: MediaCall = new MediaCall({
    transport: caller,
    openTurns: (onEvent) =>
      new TurnEngine({ vad: new LoudVad(), endpointing: { language: "en" }, hasStt: true, onEvent }),
    answers: null,
    recorder: null,
    onEvent: (event) => line.onEvent(event),
  });
  const line: VoiceLine = new VoiceLine({
    media: handleOf(() => call),
    stt: toneStt,
    tts: toneTts,
    language: "en-US",
    voiceId: null,
    hints: [],
    onFault: (code, message) => expect.fail(`${code}: ${message}`),
  });
  const session = runSession(
    planWith(),
    {
      line,
      model: createScriptedModel(),
      now: () => new Date("2026-11-21T10:00:00Z"),
      validate: validateAgainst,
      answeredBy: "HUMAN",
      onTurn: () => undefined,
      addToDoNotCall: async () => undefined,
    },
    new AbortController().signal,
  );
  let isOver = false;
  const ended = session.finally(() => (isOver = true));
  // Faster than the wall clock: the call's own clock counts samples.
  for (let frames = 0; !isOver && frames < 6_000; frames++) {
    call.tick();
    if (frames % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const outcome = await ended;
  expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", extractedFields: { coming: true, people: 3 } });
  const spoken = outcome.turns.filter(({ role }) => role === "ASSISTANT").map(({ content }) => content);
  expect(caller.heard).toEqual(spoken);
  expect(outcome.turns.filter(({ role }) => role === "USER").map(({ content }) => content)).toEqual([
    "Hello?",
    "Yes, I will come",
    "Three of us",
  ]);
});
