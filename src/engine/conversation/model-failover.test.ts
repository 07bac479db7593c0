import { describe, expect, it } from "vitest";
import { call, modelOf, planWith, runTrial, text } from "#kit/trial-session.ts";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { type ChainedModel, createFallbackModel, ModelHealth } from "#src/engine/models/fallback-model.ts";
import type { LanguageModel, ModelPiece } from "#src/engine/models/models.ts";
import { type ChatPorts, takeChatTurn } from "./chat-turn.ts";

type Script = (ModelPiece | Error | "STALL")[];

/** A model whose turns are scripts; the last one repeats. */
function play(name: string, ...turns: Script[]): LanguageModel & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    name,
    asked,
    async *respond({ messages }) {
      const script = turns[Math.min(asked.length, turns.length - 1)] ?? [];
      asked.push(messages.map(({ role, content }) => `${role}: ${content}`));
      for (const step of script) {
        if (step instanceof Error) throw step;
        if (step === "STALL") await new Promise(() => undefined);
        else yield step;
      }
    },
    extract: async () => ({ value: {}, inputTokens: 0, outputTokens: 0 }),
  };
}

function chainOf(...models: LanguageModel[]): LanguageModel {
  const chained = models.map((model) => ({ key: model.name, model })) as [ChainedModel, ...ChainedModel[]];
  return createFallbackModel(chained, { respondMs: 40, extractMs: 40 }, new ModelHealth(), () => undefined);
}

const fault = (code: string): Error => Object.assign(new Error(`the server: ${code}`), { code });
const BYE: Script = [text("Good, see you then. Goodbye."), call("end_call")];
const plan = planWith({ firstMessage: "" }, { outputs: [] });

/** Every way to fail before anything that a person could have heard or read. */
const UNHEARD: Record<string, Script> = {
  "503": [fault("MODEL_UNAVAILABLE")],
  stall: ["STALL"],
  empty: [],
  "cut in the first sentence": [text("Your appointment is"), fault("MODEL_BROKE_OFF")],
  "stall in the first sentence": [text("Your appointment is"), "STALL"],
  refusal: [fault("MODEL_REFUSED")],
  truncated: [text("Your appointment is on Mon"), { kind: "TRUNCATED" }],
};

describe.each(Object.entries(UNHEARD))("%s", (_name, script) => {
  it("in a call the next model takes the turn, and nothing of the failed one is heard", async () => {
    const { texts, outcome } = await runTrial(["Hi"], plan, {
      model: chainOf(play("a", script), play("b", BYE)),
      modelStallMs: 40,
    });
    expect([texts[0], outcome.endReason]).toEqual(["ASSISTANT: Good, see you then. Goodbye.", "AGENT_ENDED_CALL"]);
  });

  it("in a chat too", async () => {
    const turn = await chatTurn(chainOf(play("a", script), play("b", [text("Here I am.")])));
    expect(turn).toMatchObject({ ended: null, error: null, replies: [{ content: "Here I am." }] });
  });
});

const ports = (model: LanguageModel): ChatPorts => ({
  model,
  now: () => new Date(),
  validate: validateAgainst,
  addToDoNotCall: async () => undefined,
  modelStallMs: 40,
});

function chatTurn(model: LanguageModel) {
  const history = [{ role: "USER" as const, content: "Hello?", toolCallId: null, turn: 1 }];
  return takeChatTurn({ ...plan, channel: "CHAT" }, history, ports(model), new AbortController().signal);
}

it("in a chat whole sentences that were never shown are taken back as well", async () => {
  const broken = play("a", [text("It is on Monday. It is "), fault("MODEL_BROKE_OFF")]);
  const turn = await chatTurn(chainOf(broken, play("b", [text("It is on Tuesday.\n\nSee you!")])));
  expect(turn.replies.map(({ content }) => content)).toEqual(["It is on Tuesday.\n\nSee you!"]);
});

describe("a turn that breaks off after a sentence was heard", () => {
  const broken: Script = [text("Your appointment is confirmed. It is on Mon"), fault("MODEL_BROKE_OFF")];

  it("is carried on by the next model, which knows what was heard; half a sentence is not said", async () => {
    const second = play("b", [text("It is on Monday. Goodbye."), call("end_call")]);
    const { texts, outcome } = await runTrial(["Hi"], plan, { model: chainOf(play("a", broken), second) });
    expect(outcome).toMatchObject({ endReason: "AGENT_ENDED_CALL", error: null });
    expect(texts.slice(0, 2)).toEqual([
      "ASSISTANT: Your appointment is confirmed.",
      "ASSISTANT: It is on Monday. Goodbye.",
    ]);
    expect(second.asked[0]?.at(-2)).toBe("ASSISTANT: Your appointment is confirmed.");
    expect(second.asked[0]?.at(-1)).toMatch(/^USER: \(You were cut off here/);
  });

  it("is carried on by the same model where there is no other", async () => {
    const only = play("a", broken, [text("It is on Monday."), call("end_call")]);
    const { outcome, texts } = await runTrial(["Hi"], plan, { model: only });
    expect([outcome.endReason, texts[1]]).toEqual(["AGENT_ENDED_CALL", "ASSISTANT: It is on Monday."]);
  });

  it("says truthfully that it is unfinished where nobody can carry it on", async () => {
    const { outcome, texts } = await runTrial(["Hi"], plan, { model: play("a", broken, [fault("MODEL_UNAVAILABLE")]) });
    expect(outcome.endReason).toBe("ERROR_MODEL");
    expect(texts.at(-1)).toMatch(/could not finish what I was saying/);
    expect(texts.join()).not.toContain("It is on Mon");
  });

  it("ends after some breaks, however often the model goes on breaking off", async () => {
    const { outcome } = await runTrial(["Hi"], plan, { model: play("a", broken) });
    expect(outcome).toMatchObject({ endReason: "ERROR_MODEL", error: { code: "MODEL_BROKE_OFF" } });
  });
});

it("a refused key is not tried twice on the same model, a server that is busy is", async () => {
  for (const [code, times] of [
    ["MODEL_UNAUTHORIZED", 1],
    ["MODEL_REFUSED", 1],
    ["MODEL_UNAVAILABLE", 2],
  ] as const) {
    const only = play("a", [fault(code)]);
    await chatTurn(only);
    expect(only.asked, code).toHaveLength(times);
  }
});

it("a model that works without a word (it reasons) is not stalled, and no voice says what cannot be said", async () => {
  const thinks: ModelPiece[] = [
    { kind: "ALIVE" },
    text("**Yes**, see [our page](https://x.example/a?b=1). <break/> Bye!"),
  ];
  const { line } = await runTrial(["Hi"], plan, { model: modelOf([[...thinks, call("end_call")]]) });
  expect(line.said.join(" ")).toBe("Yes, see our page. Bye!");
});

it("a turn has a longest length", async () => {
  const endless = Array.from({ length: 400 }, () => text("This goes on and on. "));
  const { line } = await runTrial([{ hangUp: true }], plan, { model: modelOf([endless]) });
  expect(line.said.join(" ").length).toBeLessThanOrEqual(4_000);
});
