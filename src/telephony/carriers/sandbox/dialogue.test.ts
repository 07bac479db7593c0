import { describe, expect, test } from "vitest";
import { COLD_ORDER } from "#kit/trial-order.ts";
import { CallClock } from "./call-clock.ts";
import { SandboxDialogue, type DialogueEnd } from "./dialogue.ts";
import { createPersona } from "./persona.ts";
import { simulate } from "./sandbox-numbers.ts";

const NEVER = new AbortController().signal;
const QUESTION = "Hello, this is Ada from Acme. Do you have a minute?";

function dialogueWith(code: string, dropAtMs?: number): { dialogue: SandboxDialogue; ends: DialogueEnd[] } {
  const behaviour = simulate(`+120255501${code}`, 1);
  if (behaviour.kind !== "ANSWERS") throw new Error(`${code} does not answer`);
  const ends: DialogueEnd[] = [];
  return {
    dialogue: new SandboxDialogue(createPersona(behaviour, 1), new CallClock("instant"), dropAtMs, (end) =>
      ends.push(end),
    ),
    ends,
  };
}

describe("the clock of a talk", () => {
  test("adds up speech at 15 characters a second, thinking time and the answer", async () => {
    const { dialogue } = dialogueWith("00");
    const spoken = await dialogue.say("a".repeat(45), NEVER);
    expect(spoken).toEqual({ heard: "a".repeat(45), startMs: 0, endMs: 3_000, interrupted: false, hungUp: false });
    const heard = await dialogue.listen(5_000, NEVER);
    expect(heard).toMatchObject({ kind: "SPEECH", text: "Okay.", startMs: 3_600, endMs: 3_933 });
    expect(dialogue.elapsedMs()).toBe(3_933);
  });

  test("silence takes exactly the time that was waited", async () => {
    const { dialogue } = dialogueWith("04");
    expect(await dialogue.listen(7_000, NEVER)).toEqual({ kind: "SILENCE", endMs: 7_000 });
  });

  test("a person who begins too late is heard in the next listen", async () => {
    const { dialogue } = dialogueWith("00");
    const { endMs } = await dialogue.say(QUESTION, NEVER);
    expect(await dialogue.listen(100, NEVER)).toEqual({ kind: "SILENCE", endMs: endMs + 100 });
    expect(await dialogue.listen(5_000, NEVER)).toMatchObject({ kind: "SPEECH", startMs: endMs + 600 });
  });

  test("holding the line takes its seconds of call time in one utterance", async () => {
    const { dialogue } = dialogueWith("81");
    const { endMs } = await dialogue.say(QUESTION, NEVER);
    const heard = await dialogue.listen(5_000, NEVER);
    expect(heard).toMatchObject({ kind: "SPEECH", startMs: endMs + 600, endMs: endMs + 600 + 20_000 });
  });
});

describe("turns", () => {
  test("several utterances in a row are one turn, answered once by its last question", async () => {
    const { dialogue } = dialogueWith("02");
    await dialogue.say("Hello, this is Ada.", NEVER);
    await dialogue.say("Do you have a minute?", NEVER);
    expect(await dialogue.listen(5_000, NEVER)).toMatchObject({ text: "Before I answer, who am I speaking with?" });
    await dialogue.say("Ada from Acme. Do you have a minute?", NEVER);
    expect(await dialogue.listen(5_000, NEVER)).toMatchObject({ text: "Yes, that works for me." });
  });

  test("an interruption cuts what was heard at a word, and is the next thing said", async () => {
    const { dialogue } = dialogueWith("03");
    const spoken = await dialogue.say(QUESTION, NEVER);
    expect(spoken.interrupted).toBe(true);
    expect(spoken.hungUp).toBe(false);
    expect(QUESTION.startsWith(`${spoken.heard} `)).toBe(true);
    expect(spoken.heard.length).toBeGreaterThan(QUESTION.length / 3);
    expect(await dialogue.listen(1_000, NEVER)).toMatchObject({ kind: "SPEECH", startMs: spoken.endMs });
  });

  test("who picks up and hears nothing says hello", async () => {
    expect(await dialogueWith("00").dialogue.listen(2_000, NEVER)).toMatchObject({ kind: "SPEECH", text: "Hello?" });
  });

  test("keys reach the menu", async () => {
    const { dialogue } = dialogueWith("22");
    expect(await dialogue.listen(5_000, NEVER)).toMatchObject({ text: expect.stringContaining("Press 1") });
    await dialogue.sendDigits("1", NEVER);
    expect(await dialogue.listen(5_000, NEVER)).toMatchObject({ text: "Hello?" });
  });

  test("never silent: 55 goes on as long as the agent listens, past any limit", async () => {
    const { dialogue } = dialogueWith("55");
    for (let turn = 0; turn < 4; turn++) expect((await dialogue.listen(5_000, NEVER)).kind).toBe("SPEECH");
    expect(dialogue.elapsedMs()).toBeGreaterThan(600_000);
  });
});

describe("ends", () => {
  test("50 hangs up one second into the first utterance", async () => {
    const { dialogue, ends } = dialogueWith("50");
    const spoken = await dialogue.say(QUESTION, NEVER);
    expect(spoken).toMatchObject({ endMs: 1_000, interrupted: true, hungUp: true });
    expect(await dialogue.listen(5_000, NEVER)).toEqual({ kind: "HUNG_UP", endMs: 1_000 });
    expect(await dialogue.say("Hello?", NEVER)).toMatchObject({ heard: "", hungUp: true });
    expect(ends).toEqual(["CUSTOMER"]);
  });

  test("51 hangs up in the middle of the third turn, and not before", async () => {
    const { dialogue, ends } = dialogueWith("51");
    for (let turn = 1; turn <= 2; turn++) {
      expect((await dialogue.say(QUESTION, NEVER)).interrupted).toBe(false);
      expect((await dialogue.listen(5_000, NEVER)).kind).toBe("SPEECH");
    }
    const third = await dialogue.say(QUESTION, NEVER);
    expect(third.hungUp).toBe(true);
    expect(third.heard.length).toBeLessThan(QUESTION.length);
    expect(ends).toEqual(["CUSTOMER"]);
  });

  test("the media path breaks at its time, whoever is talking", async () => {
    const { dialogue, ends } = dialogueWith("00", 10_000);
    expect((await dialogue.say("a".repeat(75), NEVER)).interrupted).toBe(false);
    await dialogue.listen(2_000, NEVER);
    const cut = await dialogue.say("word ".repeat(60), NEVER);
    expect(cut).toMatchObject({ endMs: 10_000, interrupted: true, hungUp: false });
    expect(await dialogue.listen(5_000, NEVER)).toEqual({ kind: "DROPPED", endMs: 10_000 });
    expect(ends).toEqual(["CARRIER"]);
  });

  test("a path that breaks while the target rings is no hang-up", async () => {
    const { dialogue, ends } = dialogueWith("00", 500);
    expect(await dialogue.transfer(COLD_ORDER, NEVER)).toMatchObject({ kind: "FAILED", reason: "UNREACHABLE" });
    expect(ends).toEqual(["CARRIER"]);
  });

  test("goodbye is answered, and then the line is dead", async () => {
    const { dialogue, ends } = dialogueWith("00");
    await dialogue.say("Thank you, goodbye.", NEVER);
    expect(await dialogue.listen(5_000, NEVER)).toMatchObject({ kind: "SPEECH", text: "Thank you, goodbye." });
    expect(ends).toEqual(["CUSTOMER"]);
    expect((await dialogue.listen(5_000, NEVER)).kind).toBe("HUNG_UP");
  });

  test("hanging up twice ends once", async () => {
    const { dialogue, ends } = dialogueWith("00");
    await dialogue.hangUp();
    await dialogue.hangUp();
    expect(ends).toEqual(["AGENT"]);
  });
});

describe("aborting", () => {
  test("cuts a say off, and what was heard is told", async () => {
    const behaviour = simulate("+12025550100", 1);
    if (behaviour.kind !== "ANSWERS") throw new Error("does not answer");
    const dialogue = new SandboxDialogue(createPersona(behaviour, 1), new CallClock(1), undefined, () => undefined);
    const cutting = new AbortController();
    const saying = dialogue.say("word ".repeat(200), cutting.signal);
    cutting.abort();
    const spoken = await saying;
    expect(spoken.interrupted).toBe(true);
    expect(spoken.endMs).toBeLessThan(60_000);
    expect(spoken.heard.length).toBeLessThan(900);
  });

  test("ends a listen as silence", async () => {
    const { dialogue } = dialogueWith("04");
    expect(await dialogue.listen(60_000, AbortSignal.abort())).toEqual({ kind: "SILENCE", endMs: 0 });
  });

  test("the end of the call wakes who waits", async () => {
    const behaviour = simulate("+12025550104", 1);
    if (behaviour.kind !== "ANSWERS") throw new Error("does not answer");
    const dialogue = new SandboxDialogue(createPersona(behaviour, 1), new CallClock(1), undefined, () => undefined);
    const listening = dialogue.listen(3_600_000, NEVER);
    await new Promise((resolve) => setImmediate(resolve));
    await dialogue.hangUp();
    expect((await listening).kind).toBe("HUNG_UP");
  });
});
