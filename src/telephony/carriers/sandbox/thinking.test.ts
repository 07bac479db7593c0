import { describe, expect, test } from "vitest";
import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";
import { type Persona, type SettledReaction, SILENCE, speak } from "#src/engine/personas/reaction.ts";
import { AudioPerson } from "./audio-person.ts";
import { CallClock } from "./call-clock.ts";
import { SandboxDialogue, type DialogueEnd } from "./dialogue.ts";

const NEVER = new AbortController().signal;

interface Question {
  text: string;
  turn: number;
  signal: AbortSignal;
  answer: (reaction: SettledReaction) => void;
}

/** A persona that thinks until the test answers for it. */
class Thinker implements Persona {
  readonly kind = "PERSON";
  readonly notes = [];
  readonly asked: Question[] = [];
  ignoresSignals = false;

  open = () => SILENCE;
  goOn = () => SILENCE;
  hearDigits = () => null;
  outcome = () => "ANSWERED" as const;

  hear(text: string, turn: number) {
    return {
      kind: "THINKING" as const,
      settle: (signal: AbortSignal) =>
        new Promise<SettledReaction>((answer, reject) => {
          this.asked.push({ text, turn, signal, answer });
          if (!this.ignoresSignals) signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    };
  }

  /** Returns the question, once it is asked. */
  async question(index = 0): Promise<Question> {
    for (let tries = 0; tries < 100 && !this.asked[index]; tries++) await new Promise(setImmediate);
    const question = this.asked[index];
    if (!question) throw new Error("Nothing was asked.");
    return question;
  }
}

describe("a talk in text with somebody who thinks", () => {
  function open(): { dialogue: SandboxDialogue; thinker: Thinker; ends: DialogueEnd[] } {
    const thinker = new Thinker();
    const ends: DialogueEnd[] = [];
    return {
      dialogue: new SandboxDialogue(thinker, new CallClock("instant"), undefined, (end) => ends.push(end)),
      thinker,
      ends,
    };
  }

  test("waits for the answer, and counts the pause before it alone", async () => {
    const { dialogue, thinker } = open();
    const { endMs } = await dialogue.say("Hello.", NEVER);
    const hearing = dialogue.listen(5_000, NEVER);
    (await thinker.question()).answer(speak("Who is there?", { delayMs: 700 }));
    expect(await hearing).toMatchObject({ kind: "SPEECH", text: "Who is there?", startMs: endMs + 700 });
  });

  test("asks once for a turn of several utterances", async () => {
    const { dialogue, thinker } = open();
    await dialogue.say("Hello.", NEVER);
    await dialogue.say("Is that Ada?", NEVER);
    const hearing = dialogue.listen(5_000, NEVER);
    (await thinker.question()).answer({ kind: "HANG_UP", delayMs: 0 });
    expect((await hearing).kind).toBe("HUNG_UP");
    expect(thinker.asked.map(({ text, turn }) => [text, turn])).toEqual([["Hello. Is that Ada?", 1]]);
  });

  test("an answer that says nothing is silence, after which the agent may speak on", async () => {
    const { dialogue, thinker } = open();
    await dialogue.say("Hello.", NEVER);
    const hearing = dialogue.listen(4_000, NEVER);
    (await thinker.question()).answer(SILENCE);
    expect((await hearing).kind).toBe("SILENCE");
    await dialogue.say("Are you there?", NEVER);
    void dialogue.listen(4_000, NEVER);
    expect(await thinker.question(1)).toMatchObject({ text: "Are you there?", turn: 2 });
  });

  test("stops the thought when the listener is called away, and asks again in the next listen", async () => {
    const { dialogue, thinker } = open();
    await dialogue.say("Hello.", NEVER);
    const away = new AbortController();
    const hearing = dialogue.listen(5_000, away.signal);
    const first = await thinker.question();
    away.abort();
    expect((await hearing).kind).toBe("SILENCE");
    expect(first.signal.aborted).toBe(true);
    const again = dialogue.listen(5_000, NEVER);
    (await thinker.question(1)).answer(speak("Yes?"));
    expect(await again).toMatchObject({ kind: "SPEECH", text: "Yes?" });
  });

  test("stops the thought when the call ends", async () => {
    const { dialogue, thinker, ends } = open();
    await dialogue.say("Hello.", NEVER);
    const hearing = dialogue.listen(5_000, NEVER);
    const { signal } = await thinker.question();
    await dialogue.hangUp();
    expect((await hearing).kind).toBe("HUNG_UP");
    expect([signal.aborted, ends]).toEqual([true, ["AGENT"]]);
  });
});

describe("a talk in audio with somebody who thinks", () => {
  /** A call whose frames the test passes; collects the person's tone speech. */
  class Call {
    readonly thinker = new Thinker();
    readonly heard: string[] = [];
    readonly ends: DialogueEnd[] = [];
    readonly person = new AudioPerson({
      persona: this.thinker,
      behaviour: {},
      onKey: () => undefined,
      onEnd: (end) => this.ends.push(end),
    });
    readonly #sink = new ToneStream({ onSoFar: () => undefined, onUtterance: (text) => this.heard.push(text) });

    pass(samples: Int16Array): void {
      for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
        const frame = new Uint8Array(FRAME_SAMPLES);
        muLawCodec.encodeInto(samples.subarray(at, at + FRAME_SAMPLES), FRAME_SAMPLES, frame, 0);
        const reply = this.person.pass(frame);
        if (!reply) return;
        const said = new Int16Array(FRAME_SAMPLES);
        muLawCodec.decodeInto(reply, 0, FRAME_SAMPLES, said);
        this.#sink.push(said);
      }
    }

    quiet(ms: number): void {
      this.pass(new Int16Array(ms * 8));
    }
  }

  test("the call goes on meanwhile, and the answer is said once it is there", async () => {
    const call = new Call();
    call.pass(encodeToneSpeech("Is that Ada?"));
    call.quiet(400);
    const question = await call.thinker.question();
    call.quiet(3_000);
    expect([question.text, call.heard]).toEqual(["Is that Ada?", []]);
    question.answer(speak("Who is there?"));
    await new Promise(setImmediate);
    call.quiet(6_000);
    expect(call.heard).toEqual(["Who is there?"]);
  });

  test("more words put another thought in the place of the one before", async () => {
    const call = new Call();
    call.thinker.ignoresSignals = true;
    call.pass(encodeToneSpeech("Hello."));
    call.quiet(400);
    const first = await call.thinker.question();
    call.pass(encodeToneSpeech("Is that Ada?"));
    call.quiet(400);
    const second = await call.thinker.question(1);
    expect([first.signal.aborted, second.text, second.turn]).toEqual([true, "Hello. Is that Ada?", 1]);
    second.answer({ kind: "HANG_UP", delayMs: 100 });
    first.answer(speak("Too late."));
    await new Promise(setImmediate);
    call.quiet(1_000);
    expect([call.heard, call.ends]).toEqual([[], ["CUSTOMER"]]);
  });

  test("the end of the call is the end of the thought", async () => {
    const call = new Call();
    call.pass(encodeToneSpeech("Hello."));
    call.quiet(400);
    const { signal } = await call.thinker.question();
    call.person.finish("AGENT");
    expect(signal.aborted).toBe(true);
  });
});
