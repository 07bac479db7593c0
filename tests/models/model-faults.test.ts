import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { validateAgainst } from "#src/authoring/structured-outputs/schema-check.ts";
import { phrasesFor } from "#src/engine/conversation/phrases.ts";
import type { SessionOutcome } from "#src/engine/conversation/plan.ts";
import { runSession } from "#src/engine/conversation/session.ts";
import { createFallbackModel, ModelHealth } from "#src/engine/models/fallback-model.ts";
import { openHostedModel } from "#src/engine/models/hosted/providers.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import { ClockedLine } from "../kit/clocked-line.ts";
import { CUT, type Fault, faultyFetch, finish, say, STALL } from "../kit/model-vendors/faulty-server.ts";
import { openAiChunk, toEvents } from "../kit/model-vendors/trial-server.ts";
import { planWith } from "../kit/trial-session.ts";

/*
 * Every way in which a model server fails, over the protocol of OpenAI, on a clock that the test advances: a call in
 * which a person asks for their appointment, with a healthy fallback model and without one.
 */

const JSON_TYPE = { "content-type": "application/json" };
const HTML = { "content-type": "text/html" };
const CONFIRMED = "Your appointment is confirmed. ";
const HALF = "It is on Mon";
const TRUTH = "It is on Tuesday at ten.";

const status = (code: number, body = '{"error":{"message":"no","type":"x"}}', more: Partial<Fault> = {}): Fault => ({
  status: code,
  headers: JSON_TYPE,
  steps: [body],
  ...more,
});
const stream = (...steps: Fault["steps"]): Fault => ({ steps, fills: true });
const calls = (name: string, text: string) =>
  toEvents([
    openAiChunk({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name, arguments: text } }] }),
  ]);
const event = (value: unknown): string => toEvents([value as object]);
const think = (text: string) => toEvents([openAiChunk({ reasoning_content: text })]);

/** Fails before a word of the turn is heard. */
const UNHEARD: Record<string, Fault> = {
  "unknown host": { fails: "CONNECT", steps: [] },
  "connection timed out": { fails: "TIMEOUT", waitMs: 5_000, steps: [] },
  "broken certificate": { fails: "TLS", steps: [] },
  "address not allowed": { fails: "BLOCKED", steps: [] },
  "no status": { waitMs: Infinity, steps: [] },
  "301": status(301, "", { headers: { location: "https://elsewhere.example" } }),
  "400": status(400),
  "401": status(401),
  "402 no credit": status(402),
  "403": status(403),
  "404 unknown model": status(404),
  "408": status(408),
  "413 too long": status(413, '{"error":{"message":"maximum context length"}}'),
  "422": status(422),
  "429": status(429, undefined, { headers: { ...JSON_TYPE, "retry-after": "30" } }),
  "500": status(500),
  "500 after four seconds": status(500, undefined, { waitMs: 4_000 }),
  "502 as a page": status(502, "<html>Bad gateway</html>", { headers: HTML }),
  "503": status(503),
  "504": status(504),
  "529 overloaded": status(529),
  "204": { ...status(204, ""), fills: true },
  "a page instead of a stream": stream("<html>Sign in</html>"),
  "nothing at all": stream(),
  "an error instead of a stream": stream('{"error":{"message":"overloaded"}}'),
  "no chunk": stream(toEvents(["[DONE]"])),
  "an empty answer": stream(finish("stop")),
  "only spaces": stream(say(" ", "\n"), finish("stop")),
  "only thoughts": stream(think("They want to know the day."), finish("stop")),
  "only a <think> block": stream(say("<think>Mon", "day?</think>"), finish("stop")),
  "an endless <think> block": stream(say("<think>Mon", "day?"), finish("stop")),
  "a refusal": stream(toEvents([openAiChunk({ refusal: "I cannot." })]), finish("stop")),
  "withheld before a word": stream(finish("content_filter")),
  "withheld in the first sentence": stream(say(HALF), finish("content_filter")),
  "cut off by its length before a word": stream(think("Hm."), finish("length")),
  "cut off by its length in the first sentence": stream(say(HALF), finish("length")),
  "cut before a word": stream(toEvents([openAiChunk({ role: "assistant" })]), CUT),
  "cut in the first sentence": stream(say(HALF), CUT),
  "closed in the first sentence": stream(say(HALF)),
  "stalled before a word": stream(toEvents([openAiChunk({ role: "assistant" })]), STALL),
  "stalled in the first sentence": stream(say(HALF), STALL),
  "kept alive by comments": stream(...Array.from({ length: 40 }, () => [": ping\n\n", 1_000]).flat(), STALL),
  "kept alive by thoughts": stream(...Array.from({ length: 60 }, () => [think("Hm."), 1_000]).flat(), STALL),
  "a word every two seconds": stream(...Array.from({ length: 40 }, () => [say("hm "), 2_000]).flat(), STALL),
  "an error before a word": stream(event({ error: { message: "overloaded", code: 503 } })),
  "an error in the first sentence": stream(say(HALF), event({ error: { message: "overloaded" } })),
  "no JSON": stream("data: {not json\n\n", finish("stop")),
  "other JSON": stream(event([1, 2]), finish("stop")),
  "words of another type": stream(event({ choices: [{ index: 0, delta: { content: 7 } }] }), finish("stop")),
  "a call without JSON": stream(calls("look_up", '{"day":'), finish("tool_calls")),
  "a call with a list": stream(calls("look_up", "[1]"), finish("tool_calls")),
  "cut in the middle of a call": stream(calls("look_up", '{"day"'), CUT),
  "calls without end": stream(calls("look_up", "{}"), finish("tool_calls")),
};

/** Fails after the first sentence was heard. */
const HEARD: Record<string, Fault> = {
  "cut in the second sentence": stream(say(CONFIRMED, HALF), 200, CUT),
  "closed in the second sentence": stream(say(CONFIRMED, HALF), 200),
  "stalled in the second sentence": stream(say(CONFIRMED, HALF), STALL),
  "cut off by its length in the second sentence": stream(say(CONFIRMED, HALF), finish("length")),
  "withheld in the second sentence": stream(say(CONFIRMED, HALF), 200, finish("content_filter")),
  "an error in the second sentence": stream(say(CONFIRMED, HALF), 200, event({ error: { message: "no" } })),
  "no JSON in the second sentence": stream(say(CONFIRMED, HALF), 200, "data: {\n\n", finish("stop")),
};

/** Is odd, and no failure: the turn is said as far as it can be. */
const ODD: Record<string, Fault> = {
  "slow to begin": { ...stream(say(TRUTH), finish("stop")), waitMs: 2_900 },
  "no tokens counted": stream(say(TRUTH), finish("stop")),
  "a tool that nobody offered": {
    ...stream(calls("make_tea", "{}"), finish("tool_calls")),
    later: [say(TRUTH), finish("stop")],
  },
  "marks of Markdown and HTML": stream(
    say("**It is** on <b>Tuesday</b> at [ten](https://x.example/a?b=1)."),
    finish("stop"),
  ),
  "thoughts before the words": stream(say("<thi", "nk>Mon", "day?</think>\n\n", TRUTH), finish("stop")),
  "characters that nothing stores": stream(say(`It is\0 on Tuesday\ud800 at ten\u0007.`), finish("stop")),
  "bytes that are no UTF-8": stream(say("It is on Tuesday at ten. "), Buffer.from([0xff, 0x0a, 0x0a]), finish("stop")),
  "words without end": stream(say(...Array.from({ length: 3_000 }, () => "It is on Tuesday at ten. ")), STALL),
};

const OUTPUT = { type: "object", properties: { day: { type: "string" } } };
const PLAN = planWith({ firstMessage: "Hello." }, { outputs: [{ name: "visit", description: "", schema: OUTPUT }] });
const { unfinished, apology, oneMoment } = phrasesFor("en");

function open(fault: Fault, name: string): LanguageModel {
  const settings = { baseUrl: `https://${name}.example/v1`, apiKey: "k", model: name, temperature: null };
  return openHostedModel({ provider: "OPENAI_COMPATIBLE", ...settings }, faultyFetch(fault, { day: "Tuesday" }));
}

async function hold(fault: Fault, hasFallback: boolean): Promise<{ outcome: SessionOutcome; line: ClockedLine }> {
  const faulty = open(fault, "faulty");
  const healthy = open(stream(say("It is on ", "Tuesday at ten."), finish("stop")), "healthy");
  const chained = [
    { key: "a", model: faulty },
    { key: "b", model: healthy },
  ] as const;
  const chain = createFallbackModel(
    [...chained],
    { respondMs: 20_000, extractMs: 20_000 },
    new ModelHealth(),
    () => undefined,
  );
  using line = new ClockedLine(["Hello?", "When is my appointment?"]);
  const ports = {
    line,
    model: hasFallback ? chain : faulty,
    now: () => new Date(),
    validate: validateAgainst,
    answeredBy: "HUMAN" as const,
    onTurn: () => undefined,
    addToDoNotCall: async () => undefined,
  };
  let ended: SessionOutcome | undefined;
  const running = runSession(PLAN, ports, new AbortController().signal).then((outcome) => (ended = outcome));
  while (!ended) await vi.advanceTimersByTimeAsync(100);
  return { outcome: await running, line };
}

beforeAll(async () => {
  // The vendor's library is loaded on the real clock.
  await open(stream(say("Hello."), finish("stop")), "first")
    .respond({
      messages: [],
      tools: [],
      outputs: [],
      language: "en",
      signal: new AbortController().signal,
    })
    [Symbol.asyncIterator]()
    .next();
});
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
    }),
);
afterEach(() => void vi.useRealTimers());

/**
 * Checks what holds of every call, whatever its model did; returns the words of its agent. `mayStand`: its sentences are true without
 * the one that was left out.
 */
function checkCall({ outcome, line }: Awaited<ReturnType<typeof hold>>, mayStand = false): string[] {
  expect(line.longestSilenceMs).toBeLessThanOrEqual(2_500);
  const said = line.said.filter((text) => text !== oneMoment && text !== "Hello.");
  const heard = said.join(" ");
  expect(heard).not.toMatch(/Mon|<|>|\*|https?:|think|\0|\p{Surrogate}/u);
  const isLeftOpen = !mayStand && heard.includes("confirmed") && !heard.includes("Tuesday");
  expect(isLeftOpen ? said.at(-1) : unfinished).toBe(unfinished);
  // The record has what was heard, and can be stored; no output is lost without a word.
  const recorded = outcome.turns.filter(({ role }) => role === "ASSISTANT").map(({ content }) => content);
  expect(recorded.join(" ")).toBe(line.said.join(" "));
  expect(outcome.turns.some(({ role, content }) => role === "USER" && content === "When is my appointment?")).toBe(
    true,
  );
  expect(() => JSON.parse(toStorableJson(outcome)) as unknown).not.toThrow();
  const visit = outcome.outputs.visit;
  expect(visit?.valid === true || visit?.pending === true || (visit?.errors ?? []).length > 0).toBe(true);
  return said;
}

describe.each(Object.entries(UNHEARD))("%s", (_name, fault) => {
  test("with a fallback: the person hears its answer, and nothing of the failure", async () => {
    const call = await hold(fault, true);
    const said = checkCall(call);
    expect(call.outcome).toMatchObject({
      endReason: "CUSTOMER_HUNG_UP",
      error: null,
      outputs: { visit: { valid: true } },
    });
    expect(said.filter((words) => !/^(hm ?)+$/.test(words))).toEqual([TRUTH]);
  });

  test("without one: an apology, and a record that says why", async () => {
    const call = await hold(fault, false);
    const said = checkCall(call);
    expect(call.outcome.endReason).toBe("ERROR_MODEL");
    expect(call.outcome.error?.code).toMatch(/^MODEL_/);
    expect([apology, unfinished]).toContain(said.at(-1));
  });
});

describe.each(Object.entries(HEARD))("%s", (name, fault) => {
  test("with a fallback: it carries the turn on", async () => {
    const call = await hold(fault, true);
    expect(checkCall(call)).toEqual([CONFIRMED.trim(), TRUTH]);
    expect(call.outcome).toMatchObject({ endReason: "CUSTOMER_HUNG_UP", error: null });
  });

  test("without one: the person is told not to rely on it, or has heard whole sentences alone", async () => {
    const call = await hold(fault, false);
    const said = checkCall(call, name.includes("length"));
    expect(call.outcome.outputs).toMatchObject({ visit: { valid: true } });
    const [seen, wanted] = name.includes("length")
      ? [new Set(said), new Set([CONFIRMED.trim()])]
      : [
          [call.outcome.endReason, said.at(-1)],
          ["ERROR_MODEL", unfinished],
        ];
    expect(seen).toEqual(wanted);
  });
});

test.each(Object.entries(ODD).flatMap(([name, fault]) => [true, false].map((has) => [name, has, fault] as const)))(
  "%s (fallback: %s) is said as far as it can be",
  async (_name, hasFallback, fault) => {
    const call = await hold(fault, hasFallback);
    expect(
      checkCall(call)
        .join(" ")
        .replaceAll(/[^\w\s.]/g, ""),
    ).toMatch(/^It is on Tuesday at ten\./);
    expect(call.outcome).toMatchObject({ endReason: "CUSTOMER_HUNG_UP", error: null });
  },
);
