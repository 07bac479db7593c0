import { describe, expect, it } from "vitest";
import { modelOf, planWith, runTrial, type Step, text } from "#kit/trial-session.ts";
import { optOutPhrases } from "#src/engine/opt-out/judge.ts";
import type { ChatEntry } from "./chat-history.ts";
import { takeChatTurn } from "./chat-turn.ts";

const EN = optOutPhrases("en");
const DOUBT = "unsubscribe me from the newsletter but keep the appointment";

/** A model that goes on whatever it hears, and never calls a tool. */
const deaf = () => modelOf([[text("Lovely weather.")], [text("Let us go on.")], [text("And on.")]]);

describe("an opt-out, over a model that never calls the tool", () => {
  it.each([
    ["STOP", "en"],
    ["Please don't call me again", "en"],
    ["Ne m'appelez plus jamais", "fr"],
    ["Lassen Sie mich in Ruhe und melden Sie sich nicht mehr", "de"],
    ["Bel me niet meer", "nl"],
    ["Non chiamatemi più", "it"],
  ])("%s: the ledger is written, the goodbye is in the person's language", async (words, language) => {
    let listed = 0;
    const more = { model: deaf(), addToDoNotCall: async () => void listed++ };
    const { outcome, texts } = await runTrial(["Hello?", words, "Hello?"], planWith(), more);
    expect(outcome.endReason).toBe("CUSTOMER_OPTED_OUT");
    expect(listed).toBe(1);
    expect(texts.at(-1)).toBe(`ASSISTANT: ${optOutPhrases(language).done}`);
    expect(texts.at(-2)).toContain("add_to_do_not_call");
  });

  it.each([
    ["over the agent", ["Hello?", { goneAfterWords: 1 }, "Stop calling me"]],
    ["in two turns", ["Hello?", { goneAfterWords: 1 }, "Stop.", { digits: "9" }, "Stop calling me"]],
    ["over the goodbye at the time limit", [{ silence: true }, { goneAfterWords: 1 }, "Stop calling me"]],
    ["as an answer to the guard's question", [DOUBT, { goneAfterWords: 3 }, "Yes please"]],
  ] satisfies [string, Step[]][])("said %s and gone: the number is listed", async (when, steps) => {
    let listed = 0;
    const more = { model: deaf(), addToDoNotCall: async () => void listed++ };
    const limit = when.includes("time limit") ? { maxDurationSeconds: 1 } : {};
    const { outcome, texts } = await runTrial(steps, planWith(limit), more);
    expect(outcome).toMatchObject({ endReason: "CUSTOMER_OPTED_OUT", error: null });
    expect(listed).toBe(1);
    expect(texts.findLast((line) => line.startsWith("USER: "))).toMatch(/Stop calling me|Yes please/);
  });

  it("said no more than goodbye and gone: nobody is listed", async () => {
    let listed = 0;
    const more = { model: deaf(), addToDoNotCall: async () => void listed++ };
    const { outcome, texts } = await runTrial(["Hello?", { goneAfterWords: 1 }, "Bye."], planWith(), more);
    expect(outcome.endReason).toBe("CUSTOMER_HUNG_UP");
    expect(texts.at(-1)).toBe("USER: Bye.");
    expect(listed).toBe(0);
  });

  it("a list that cannot be written is not told of as written, and the error stays", async () => {
    const more = { model: deaf(), addToDoNotCall: () => Promise.reject(new Error("database away")) };
    const { outcome, texts } = await runTrial(["Hello?", "Stop calling me"], planWith(), more);
    expect(outcome).toMatchObject({ endReason: "CUSTOMER_OPTED_OUT", error: { code: "DO_NOT_CALL_FAILED" } });
    expect(texts.at(-1)).toBe(`ASSISTANT: ${EN.noted}`);
  });

  it("a look-alike goes to the model untouched", async () => {
    let listed = 0;
    const more = { addToDoNotCall: async () => void listed++ };
    const { outcome, texts } = await runTrial(
      ["Hello?", "Please take me off Monday and put me on Tuesday", "yes", "two"],
      planWith(),
      more,
    );
    expect(outcome.endReason).not.toBe("CUSTOMER_OPTED_OUT");
    expect(listed).toBe(0);
    expect(texts.join()).not.toContain(EN.ask);
  });
});

describe("an opt-out that is in doubt", () => {
  it("is asked back once; yes lists the number", async () => {
    let listed = 0;
    const more = { model: deaf(), addToDoNotCall: async () => void listed++ };
    const { outcome, texts } = await runTrial(["Hello?", DOUBT, "Yes please"], planWith(), more);
    expect(texts).toContain(`ASSISTANT: ${EN.ask}`);
    expect(outcome.endReason).toBe("CUSTOMER_OPTED_OUT");
    expect(listed).toBe(1);
  });

  it("no goes on: the model answers what was said before, and takes the no for no answer of its own", async () => {
    let listed = 0;
    const more = { addToDoNotCall: async () => void listed++ };
    const { outcome, texts } = await runTrial(["Hello?", DOUBT, "Yeah, no", "yes", "two", DOUBT], planWith(), more);
    expect(texts.filter((line) => line.includes(EN.ask))).toHaveLength(1);
    expect(listed).toBe(0);
    expect(outcome.extractedFields).toMatchObject({ coming: true, people: 2 });
  });

  it("in a chat the question and its answer are known from what is stored", async () => {
    const plan = planWith({}, { channel: "CHAT" });
    const entry = (role: ChatEntry["role"], content: string, turn: number): ChatEntry => ({
      role,
      content,
      toolCallId: null,
      turn,
    });
    let listed = 0;
    const asked = () => model.seen.flat().map(({ content }) => content);
    const model = deaf();
    const ports = {
      model,
      now: () => new Date("2026-11-21T10:00:00Z"),
      validate: () => [],
      addToDoNotCall: async () => void listed++,
    };
    const { signal } = new AbortController();
    const history = [entry("ASSISTANT", "Hello.", 0), entry("USER", DOUBT, 2)];
    const first = await takeChatTurn(plan, history, ports, signal);
    expect(first).toMatchObject({ ended: null, replies: [{ content: EN.ask }] });
    history.push(entry("ASSISTANT", EN.ask, 2));
    const yes = await takeChatTurn(plan, [...history, entry("USER", "yes", 4)], ports, signal);
    expect(yes).toMatchObject({ ended: "CUSTOMER_OPTED_OUT", optedOut: true });
    expect(listed).toBe(1);
    expect(asked()).toEqual([]);
    const no = await takeChatTurn(plan, [...history, entry("USER", "no", 4)], ports, signal);
    expect(no).toMatchObject({ ended: null, replies: [{ content: "Lovely weather." }] });
    expect(asked()).not.toContain(EN.ask);
    expect(asked()).not.toContain("no");
    const later = [...history, entry("USER", "no", 4), entry("ASSISTANT", "Fine.", 4), entry("USER", DOUBT, 6)];
    expect(await takeChatTurn(plan, later, ports, signal)).toMatchObject({ replies: [{ content: "Let us go on." }] });
    expect(listed).toBe(1);
  });
});
