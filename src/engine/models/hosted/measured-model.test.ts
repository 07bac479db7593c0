import { expect, test } from "vitest";
import type { LanguageModel, ModelPiece } from "#src/engine/models/models.ts";
import type { ProviderRequest } from "#src/platform/kernel/provider-request.ts";
import { measureModel } from "./measured-model.ts";
import { ModelFault } from "./model-fault.ts";

const WORD: ModelPiece = { kind: "TEXT", text: "Hello." };
const USAGE: ModelPiece = { kind: "USAGE", inputTokens: 20, outputTokens: 3 };

type Respond = LanguageModel["respond"];

function measure(respond: Respond) {
  const requests: ProviderRequest[] = [];
  const extract = () => Promise.resolve({ value: {}, inputTokens: 5, outputTokens: 2 });
  const model = measureModel({ name: "m", respond, extract }, "ANTHROPIC", (request) => requests.push(request));
  return { model, requests };
}

const ask = (signal: AbortSignal) => ({ messages: [], tools: [], outputs: [], language: "en", signal });

async function resultsOf(respond: Respond, stop = new AbortController()): Promise<ProviderRequest[]> {
  const { model, requests } = measure(respond);
  try {
    for await (const _ of model.respond(ask(stop.signal)));
  } catch {
    // The conversation handles it.
  }
  return requests;
}

const labels = { kind: "MODEL", provider: "ANTHROPIC" };

test("a turn counts with its time to the first words and the tokens of all its tries", async () => {
  const requests = await resultsOf(async function* () {
    yield { kind: "ALIVE" };
    yield WORD;
    yield USAGE;
    yield USAGE;
  });
  expect(requests).toEqual([
    { ...labels, result: "OK", firstMs: expect.any(Number), tokens: { input: 40, output: 6 } },
  ]);
});

test("a filled output counts with its tokens", async () => {
  const { model, requests } = measure(async function* () {});
  const output = { name: "o", description: "", schema: {} };
  await model.extract({ ...ask(new AbortController().signal), output, faults: [] });
  expect(requests).toMatchObject([{ ...labels, result: "OK", tokens: { input: 5, output: 2 } }]);
});

test("an answer of no use counts with its tokens", async () => {
  const requests: ProviderRequest[] = [];
  const usage = { inputTokens: 5, outputTokens: 2 };
  const extract = () => Promise.reject(Object.assign(new ModelFault("MODEL_GARBLED", "no JSON"), { usage }));
  const inner: LanguageModel = { name: "m", async *respond() {}, extract };
  const model = measureModel(inner, "ANTHROPIC", (request) => requests.push(request));
  const output = { name: "o", description: "", schema: {} };
  await model.extract({ ...ask(new AbortController().signal), output, faults: [] }).catch(() => undefined);
  expect(requests).toMatchObject([{ ...labels, result: "MODEL_GARBLED", tokens: { input: 5, output: 2 } }]);
});

test("a fault counts by its code, and an unknown one as OTHER: no message becomes a label", async () => {
  const failing = (error: Error) =>
    resultsOf(() => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }));
  expect(await failing(new ModelFault("MODEL_RATE_LIMITED", "no"))).toMatchObject([{ result: "MODEL_RATE_LIMITED" }]);
  expect(await failing(Object.assign(new Error("x"), { code: "ECONNRESET" }))).toMatchObject([{ result: "OTHER" }]);
});

test.each([
  ["its silence", Object.assign(new Error("silent"), { code: "MODEL_STALLED" }), "MODEL_STALLED"],
  ["a hang-up", new Error("hung up"), "ABANDONED"],
])("a model that is left because of %s counts at once, though it ignores the signal", async (_, reason, result) => {
  const { model, requests } = measure(async function* () {
    await new Promise(() => undefined);
    yield WORD;
  });
  const stop = new AbortController();
  void model.respond(ask(stop.signal))[Symbol.asyncIterator]().next();
  stop.abort(reason);
  expect(requests).toMatchObject([{ ...labels, result, firstMs: null }]);
});
