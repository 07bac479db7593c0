import { describe, expect, test } from "vitest";
import { COLD_ORDER } from "#kit/trial-order.ts";
import { drive, TrialCall } from "#kit/trial-voice-call.ts";
import type { TransferFailure, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { DialledLeg, MediaSource } from "#src/audio/line/media-source.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import { bridgeCalls } from "./bridge.ts";

const SOURCE = { kind: "PORT" } as MediaSource;
const QUESTION = "Do you take it?";
/** Words that each of the two hears of the other, once they are joined. */
const JOINED = ["I have a question", "How may I help"];
const never = new AbortController().signal;

/** A person on the line, and a target that is dialled; the test lets call time pass for both. */
class Trial {
  readonly target = new TrialCall();
  readonly person: TrialCall;
  leftMs = 60_000;
  hungUp = 0;
  dialled: DialledLeg = { kind: "ANSWERED", source: SOURCE, hangUp: async () => void this.hungUp++ };
  rings: Promise<void> = Promise.resolve();
  dialSignal: AbortSignal | undefined;
  result: TransferResult | undefined;

  constructor() {
    this.person = new TrialCall({
      transfer: (order, signal) =>
        bridgeCalls(
          {
            order,
            consultation: {
              question: QUESTION,
              understand: (text) => (/yes/i.test(text) ? true : /no/i.test(text) ? false : undefined),
            },
            dialLeg: async (_order, dialSignal) => {
              this.dialSignal = dialSignal;
              await this.rings;
              return this.dialled;
            },
            openLeg: () => ({
              line: this.target.line,
              ended: this.target.ended,
              join: () => this.person.media.join(this.target.media),
            }),
            leftMs: () => this.leftMs,
          },
          signal,
        ),
    });
  }

  transfer(order: Partial<TransferOrder>): void {
    void this.person.line.transfer?.({ ...COLD_ORDER, ...order }, never).then((result) => (this.result = result));
  }

  async pass(seconds: number, isDone?: () => boolean): Promise<void> {
    await drive([this.person, this.target], seconds * 50, isDone);
  }

  /** Lets time pass until the target has heard this text. */
  async reported(text: string): Promise<void> {
    await this.pass(60, () => this.target.heard.includes(text));
    if (!this.target.heard.includes(text)) throw new Error(`The target heard ${JSON.stringify(this.target.heard)}.`);
    await this.pass(1);
  }

  /** Lets both say something; returns the last text that each has heard. */
  async dialogue(): Promise<[target: string | undefined, person: string | undefined]> {
    this.person.say("I have a question");
    await this.pass(6);
    this.target.say("How may I help");
    await this.pass(6);
    return [this.target.heard.at(-1), this.person.heard.at(-1)];
  }
}

describe("a transfer that joins two calls", () => {
  test("COLD: they hear each other at once, our side is silent and deaf, and either's end ends both", async () => {
    for (const leaves of ["person", "target"] as const) {
      const trial = new Trial();
      trial.transfer({});
      await trial.pass(1);
      expect(await trial.dialogue()).toEqual(JOINED);
      expect(trial.target.heard).toEqual(["I have a question"]);
      expect(trial.person.heard).toEqual(["How may I help"]);
      trial.person.media.hearDigit("7");
      expect(trial.target.digits).toBe("7");
      expect(trial.result).toBeUndefined();
      trial[leaves].hangUp();
      await trial.pass(1);
      expect(trial.result).toEqual({ kind: "TRANSFERRED" });
      expect(trial.target.isClosed).toBe(true);
      expect(trial.hungUp).toBe(1);
    }
  });

  test("WARM: the target alone hears the whisper, after its hello, and then the person", async () => {
    const trial = new Trial();
    trial.transfer({ mode: "WARM", whisperMessage: "A caller about an invoice" });
    trial.target.say("Desk");
    await trial.reported("A caller about an invoice");
    expect(trial.person.heard).toEqual([]);
    expect(await trial.dialogue()).toEqual(JOINED);
    trial.target.hangUp();
    await trial.pass(1);
    expect(trial.result).toEqual({ kind: "TRANSFERRED" });
  });

  test("AGENTIC_WARM: the target hears what was said so far and takes the call by a word", async () => {
    const trial = new Trial();
    trial.transfer({ mode: "AGENTIC_WARM", summary: "They want a refund" });
    await trial.reported("They want a refund");
    await trial.reported(QUESTION);
    trial.target.say("Yes please");
    await trial.pass(5);
    expect(await trial.dialogue()).toEqual(JOINED);
  });

  test("AGENTIC_WARM: or by a key, also after it was asked again", async () => {
    const trial = new Trial();
    trial.transfer({ mode: "AGENTIC_WARM" });
    await trial.reported(QUESTION);
    trial.target.say("Pardon me");
    await trial.pass(60, () => trial.target.heard.length === 2);
    expect(trial.target.heard).toEqual([QUESTION, QUESTION]);
    trial.target.media.hearDigit("1");
    trial.target.media.hearDigit("#");
    await trial.pass(3);
    expect(await trial.dialogue()).toEqual(JOINED);
  });

  test.each<[string, (trial: Trial) => Promise<void>, Partial<TransferFailure>]>([
    [
      "says no",
      async (trial) => {
        await trial.reported(QUESTION);
        trial.target.say("No thanks");
      },
      { reason: "REJECTED" },
    ],
    ["hangs up", async (trial) => (await trial.reported(QUESTION), trial.target.hangUp()), { reason: "REJECTED" }],
    ["says nothing", async (trial) => trial.reported(QUESTION), { reason: "NO_ANSWER" }],
  ])(
    "AGENTIC_WARM: a target that %s leaves the person to the agent, who can speak again",
    async (_how, act, failure) => {
      const trial = new Trial();
      trial.transfer({ mode: "AGENTIC_WARM" });
      await act(trial);
      await trial.pass(60, () => trial.result !== undefined);
      expect(trial.result).toMatchObject({ kind: "FAILED", ...failure });
      expect(trial.target.isClosed).toBe(true);
      expect(trial.hungUp).toBe(1);
      const said = trial.person.line.say("Nobody is there", never);
      await trial.pass(5);
      expect(await said).toMatchObject({ heard: "Nobody is there" });
      expect(trial.person.heard).toEqual(["Nobody is there"]);
    },
  );

  test("only if human: a person is joined once they are known for one", async () => {
    const trial = new Trial();
    trial.transfer({ transferOnlyIfHuman: true });
    await trial.pass(1);
    trial.target.find("HUMAN");
    await trial.pass(1);
    expect(await trial.dialogue()).toEqual(JOINED);
  });

  test.each([
    ["MACHINE_VOICEMAIL", "MACHINE"],
    ["SILENCE", "NO_ANSWER"],
    [null, "NO_ANSWER"],
  ] as const)("only if human: %s gives %s", async (answeredBy, reason) => {
    const trial = new Trial();
    trial.transfer({ transferOnlyIfHuman: true });
    await trial.pass(1);
    expect(trial.result).toBeUndefined();
    if (answeredBy) trial.target.find(answeredBy);
    await trial.pass(12, () => trial.result !== undefined);
    expect(trial.result).toMatchObject({ kind: "FAILED", reason });
  });

  test("keys are pressed with their pauses before anybody is told anything", async () => {
    const trial = new Trial();
    trial.transfer({ mode: "WARM", dtmfSequence: "ww12,3", whisperMessage: "Here you are" });
    await trial.pass(0.8);
    expect(trial.target.digits).toBe("");
    await trial.pass(1);
    expect(trial.target.digits).toBe("12");
    await trial.reported("Here you are");
    expect(trial.target.digits).toBe("123");
  });

  test("a target that is busy, or a dial that breaks, is told as it is, and nothing is opened", async () => {
    const trial = new Trial();
    const busy: DialledLeg = { kind: "FAILED", reason: "BUSY", message: "Busy." };
    trial.dialled = busy;
    trial.transfer({});
    await trial.pass(1);
    expect(trial.result).toEqual(busy);
    const broken = new Trial();
    broken.rings = Promise.reject(new Error("no trunk"));
    broken.transfer({});
    await broken.pass(1);
    expect(broken.result).toEqual({ kind: "FAILED", reason: "UNREACHABLE", message: "no trunk" });
  });

  test("a person who hangs up while it rings ends the dial, and an answer that comes too late is hung up", async () => {
    const trial = new Trial();
    const { promise, resolve } = Promise.withResolvers<void>();
    trial.rings = promise;
    trial.transfer({});
    await trial.pass(1);
    trial.person.hangUp();
    await trial.pass(1);
    expect(trial.result).toEqual({ kind: "HUNG_UP" });
    expect(trial.dialSignal?.aborted).toBe(true);
    resolve();
    await trial.pass(1);
    expect(trial.hungUp).toBe(1);
  });

  test("a supervisor who whispers is heard by the target alone", async () => {
    const trial = new Trial();
    trial.transfer({});
    await trial.pass(1);
    let words = encodeToneSpeech("Offer a discount");
    trial.person.media.addSupervisor({
      heardBy: "AGENT",
      write: () => undefined,
      read(frame) {
        frame.fill(0);
        frame.set(words.subarray(0, frame.length));
        words = words.subarray(frame.length);
        return true;
      },
    });
    await trial.pass(6);
    expect(trial.target.heard).toEqual(["Offer a discount"]);
    expect(trial.person.heard).toEqual([]);
  });

  test("a joined call ends when its time is up", async () => {
    const trial = new Trial();
    trial.leftMs = 1;
    trial.transfer({});
    await trial.pass(60, () => trial.result !== undefined);
    expect(trial.result).toEqual({ kind: "TRANSFERRED" });
    expect(trial.target.isClosed).toBe(true);
  });
});
