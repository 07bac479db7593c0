import { expect, test } from "vitest";
import { type ChainedModel, createFallbackModel, ModelHealth, type OnFailover } from "./fallback-model.ts";
import type { LanguageModel, ModelPiece, TurnRequest } from "./models.ts";

const LIMITS = { respondMs: 30, extractMs: 30 };

function chainOf(
  models: LanguageModel[],
  limits = LIMITS,
  onFailover: OnFailover = () => undefined,
  health = new ModelHealth(),
) {
  const chained = models.map((model) => ({ key: model.name, model })) as [ChainedModel, ...ChainedModel[]];
  return createFallbackModel(chained, limits, health, onFailover);
}
const request: TurnRequest = {
  messages: [],
  tools: [],
  outputs: [],
  language: "en",
  signal: new AbortController().signal,
};
const extraction = {
  messages: [],
  output: { name: "o", description: "", schema: {} },
  outputs: [],
  language: "en",
  faults: [],
  signal: request.signal,
};

const STALL = Symbol("says nothing more");
type Step = string | Error | typeof STALL;

/** A model that plays one step per request: a text, a failure, or silence for ever. */
function play(name: string, ...steps: Step[]): LanguageModel {
  return {
    name,
    async *respond() {
      for (const step of steps) yield* act(step);
    },
    async extract() {
      for await (const piece of act(steps[0] as Step)) return { value: piece, inputTokens: 1, outputTokens: 1 };
      throw new Error("nothing");
    },
  };
}

async function* act(step: Step): AsyncGenerator<ModelPiece> {
  if (step instanceof Error) throw step;
  if (typeof step === "string") yield { kind: "TEXT", text: step };
  else await new Promise(() => undefined);
}

async function run(...models: [LanguageModel, ...LanguageModel[]]) {
  const changes: string[] = [];
  const model = chainOf(models, LIMITS, (failed, next) => changes.push(`${failed} > ${next}`));
  let text = "";
  let error = "";
  try {
    for await (const piece of model.respond(request)) if (piece.kind === "TEXT") text += piece.text;
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  return { text, error, changes };
}

test("the first model speaks when it answers", async () => {
  expect(await run(play("a", "one ", "two"), play("b", "no"))).toEqual({ text: "one two", error: "", changes: [] });
});

test("a model that fails or is silent at first is replaced by the next", async () => {
  for (const step of [new Error("503"), STALL] as Step[]) {
    const outcome = await run(play("a", step), play("b", "here"));
    expect(outcome).toEqual({ text: "here", error: "", changes: ["a > b"] });
  }
});

test("nothing of an answer that breaks off gets out: the next model gives the whole of it", async () => {
  for (const step of [new Error("cut"), STALL] as Step[]) {
    const outcome = await run(play("a", "I think", step), play("b", "Hello"));
    expect(outcome).toEqual({ text: "Hello", error: "", changes: ["a > b"] });
  }
});

test("a model that failed is asked last for a while, in later sessions too", async () => {
  const health = new ModelHealth();
  const asked: string[] = [];
  const noted = (name: string, ...steps: Step[]): LanguageModel => {
    const model = play(name, ...steps);
    return { ...model, respond: (given) => (asked.push(name), model.respond(given)) };
  };
  for (let session = 0; session < 2; session++) {
    const model = chainOf([noted("a", new Error("503")), noted("b", "here")], LIMITS, () => undefined, health);
    for await (const piece of model.respond(request)) expect(piece).toMatchObject({ text: "here" });
  }
  expect(asked).toEqual(["a", "b", "b"]);
});

test("when all fail the last failure is thrown", async () => {
  const outcome = await run(play("a", new Error("first")), play("b", STALL), play("c", new Error("last")));
  expect(outcome).toEqual({ text: "", error: "last", changes: ["a > b", "b > c", "c > null"] });
});

test("a caller that hangs up ends it without asking another model", async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  const waiting: LanguageModel = {
    ...play("a"),
    async *respond({ signal }) {
      asked.push("a");
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
      yield { kind: "TEXT", text: "never" };
    },
  };
  const next: LanguageModel = {
    ...play("b", "x"),
    async *respond() {
      asked.push("b");
      yield { kind: "TEXT", text: "x" };
    },
  };
  const model = chainOf([waiting, next], { respondMs: 60_000, extractMs: 60_000 });
  const turn = model
    .respond({ ...request, signal: stop.signal })
    [Symbol.asyncIterator]()
    .next();
  stop.abort(new Error("hung up"));
  await expect(turn).rejects.toThrow("hung up");
  expect(asked).toEqual(["a"]);
});

test("an output that the next model fills has the tokens of the first one's answer too", async () => {
  const useless = Object.assign(new Error("no JSON"), { usage: { inputTokens: 5, outputTokens: 2 } });
  const model = chainOf([play("a", useless), play("b", "filled")]);
  expect(await model.extract(extraction)).toMatchObject({ inputTokens: 6, outputTokens: 3 });
  await expect(chainOf([play("a", useless), play("b", new Error("500"))]).extract(extraction)).rejects.toMatchObject({
    message: "500",
    usage: { inputTokens: 5, outputTokens: 2 },
  });
});

test("an output is filled by the next model when the first one fails or stalls", async () => {
  for (const step of [new Error("500"), STALL] as Step[]) {
    const model = chainOf([play("a", step), play("b", "filled")]);
    expect(await model.extract(extraction)).toMatchObject({ value: { text: "filled" } });
  }
});
