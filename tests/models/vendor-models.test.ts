import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openHostedModel } from "#src/engine/models/hosted/providers.ts";
import { RefusalMemory } from "#src/engine/models/hosted/refusal-memory.ts";
import type { ModelProvider } from "#src/engine/models/hosted/vendors.ts";
import type { ExtractRequest, ModelPiece, TurnRequest } from "#src/engine/models/models.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createWebFetch } from "#src/platform/http/web-fetch.ts";
import { STREAMED_TURN, type TrialAnswer, TrialServer, wholeAnswer } from "../kit/model-vendors/trial-server.ts";

type Json = Record<string, unknown>;

let server: TrialServer;
beforeAll(async () => {
  server = await TrialServer.start();
});
afterEach(() => {
  server.requests.length = 0;
  server.think = () => server.answer;
});
afterAll(() => server[Symbol.asyncDispose]());

const guard = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });
const fetch = createWebFetch(createSafeOpen(guard), 5_000);
const JSON_TYPE = { "content-type": "application/json" };

function open(model: string, more: { provider?: ModelProvider; memory?: RefusalMemory } = {}) {
  const settings = { provider: more.provider ?? "OPENAI_COMPATIBLE", baseUrl: server.url, apiKey: "k", model };
  return openHostedModel({ ...settings, temperature: 0.2 }, fetch, more.memory);
}

const signal = new AbortController().signal;
const DIALOGUE: TurnRequest["messages"] = [
  { role: "SYSTEM", content: "Be kind." },
  { role: "ASSISTANT", content: "Good day." },
  { role: "USER", content: " " },
  { role: "ASSISTANT", content: "", toolCalls: [{ id: "a".repeat(50), name: "look_up", input: {} }] },
  { role: "ASSISTANT", content: "One moment." },
  { role: "TOOL", content: "closed", toolCallId: "a".repeat(50) },
  // Tools that the model made up, called at once.
  {
    role: "ASSISTANT",
    content: "",
    toolCalls: ["", "7 days!", "x".repeat(70)].map((name, i) => ({ id: `made-up-${i}`, name, input: {} })),
  },
  { role: "TOOL", content: "failed: there is no such tool", toolCallId: "made-up-0" },
  // The person hung up before this one was answered.
  { role: "ASSISTANT", content: "", toolCalls: [{ id: "a".repeat(50), name: "look_up", input: { day: "Monday" } }] },
];
const TURN: TurnRequest = {
  messages: DIALOGUE,
  tools: [
    {
      name: "look_up",
      description: "Looks up.",
      inputSchema: { anyOf: [{ type: "object", properties: { day: { type: "array" } } }] },
    },
  ],
  outputs: [],
  language: "en-US",
  signal,
};
/** As users write them: optional members, formats, bounds. */
const VISIT = {
  type: "object",
  properties: {
    day: { type: "string", format: "date", description: "Which day?" },
    people: { type: "integer", minimum: 1 },
    note: { type: ["string", "null"], maxLength: 200 },
  },
  required: ["day"],
};

function extraction(schema: Json = VISIT): ExtractRequest {
  const output = { name: "the visit", description: "The visit.", schema };
  return { messages: DIALOGUE, output, outputs: [output], language: "en", faults: [], signal };
}

async function turn(model: ReturnType<typeof open>): Promise<ModelPiece[]> {
  const pieces: ModelPiece[] = [];
  for await (const piece of model.respond(TURN)) pieces.push(piece);
  return pieces;
}

const whole = (text: string): TrialAnswer => ({ body: wholeAnswer("OPENAI_COMPATIBLE", text), headers: JSON_TYPE });

test.each(["gpt-4o-mini", "gpt-5-mini", "o4-mini"])("%s takes turns and outputs as they are sent", async (name) => {
  const memory = new RefusalMemory();
  server.answer = { body: STREAMED_TURN.OPENAI_COMPATIBLE };
  expect((await turn(open(name, { memory }))).at(-1)).toMatchObject({ kind: "USAGE" });
  server.answer = whole('{"day":"2026-12-01","people":null,"note":null}');
  const filled = await open(name, { memory }).extract(extraction());
  // Null stands for what was not said, but where the schema itself allows it.
  expect(filled.value).toEqual({ day: "2026-12-01", note: null });
  expect(server.refused).toEqual([]);
  const format = server.requests.at(-1)?.body.response_format as { json_schema: Json };
  expect(format.json_schema.strict).toBe(true);
});

test("ids of calls are such as Mistral takes: nine letters and digits", async () => {
  server.answer = { body: STREAMED_TURN.OPENAI_COMPATIBLE };
  await turn(open("mistral-large-latest"));
  const messages = server.requests.at(-1)?.body.messages as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
  const ids = messages.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
  const answered = messages.flatMap((message) => message.tool_call_id ?? []);
  expect(ids.filter((id) => !/^[a-zA-Z0-9]{9}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(5);
  expect(answered).toEqual(ids);
});

test.each(["ANTHROPIC", "GOOGLE", "AZURE_OPENAI", "AMAZON_BEDROCK"] as const)(
  "%s takes turns and outputs as they are sent",
  async (provider) => {
    server.answer = { body: STREAMED_TURN[provider] };
    await turn(open("trial", { provider }));
    server.answer = { body: wholeAnswer(provider, '{"day":"2026-12-01"}'), headers: JSON_TYPE };
    expect((await open("trial", { provider }).extract(extraction())).value).toEqual({ day: "2026-12-01" });
    expect(server.refused).toEqual([]);
  },
);

test("what a server of another kind refuses is learnt once, and not sent again in later sessions", async () => {
  const memory = new RefusalMemory();
  const refuse = (param: string): TrialAnswer => ({
    status: 400,
    headers: JSON_TYPE,
    body: JSON.stringify({
      error: { message: `Unsupported parameter: '${param}'`, param, type: "invalid_request_error" },
    }),
  });
  server.think = (body) => {
    for (const name of ["max_tokens", "temperature", "stream_options"]) if (name in body) return refuse(name);
    return { body: STREAMED_TURN.OPENAI_COMPATIBLE };
  };
  await turn(open("deployment", { memory }));
  expect(server.requests).toHaveLength(4);
  expect(server.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 1_024 });
  await turn(open("deployment", { memory }));
  expect(server.requests).toHaveLength(5);
});

test("sessions that share a model learn from the same refusals at once", async () => {
  server.think = (body) => {
    const refused = ["temperature", "stream_options"].find((name) => name in body);
    if (refused === undefined) return { body: STREAMED_TURN.OPENAI_COMPATIBLE };
    return { status: 400, headers: JSON_TYPE, body: `{"error":{"message":"Unsupported parameter: '${refused}'"}}` };
  };
  const shared = open("shared");
  await Promise.all(Array.from({ length: 8 }, () => turn(shared)));
  expect(server.requests.length).toBeLessThanOrEqual(3 * 8);
});

test("a refused format is asked for less firmly until it is taken, and remembered", async () => {
  const memory = new RefusalMemory();
  const asked: string[] = [];
  server.think = (body) => {
    const format = body.response_format as { type: string; json_schema?: { strict: boolean } } | undefined;
    asked.push(
      format === undefined ? "WORDS" : format.json_schema ? `SCHEMA ${String(format.json_schema.strict)}` : "OBJECT",
    );
    if (format === undefined) return whole('<think>{no}</think>```json\n{"day":"2026-12-01"}\n```');
    return { status: 400, headers: JSON_TYPE, body: '{"error":{"message":"response_format is not supported"}}' };
  };
  for (let session = 0; session < 2; session++) {
    expect((await open("own", { memory }).extract(extraction())).value).toEqual({ day: "2026-12-01" });
  }
  expect(asked).toEqual(["SCHEMA true", "SCHEMA false", "OBJECT", "WORDS", "WORDS"]);
});

test("free forms, which strict mode cannot express, are asked for without it", async () => {
  server.answer = whole('{"any":{"a":1}}');
  const schema = { type: "object", properties: { any: { type: "object" } } };
  expect((await open("gpt-4o").extract(extraction(schema))).value).toEqual({ any: { a: 1 } });
  expect(server.refused).toEqual([]);
  expect(server.requests[0]?.body.response_format).toMatchObject({ json_schema: { strict: false } });
});

test("a turn that used its tokens up in thought is given more; one that is cut is told as cut", async () => {
  const cut = (delta: object): TrialAnswer => {
    const chunk = (value: object, finish: string | null) => ({
      choices: [{ index: 0, delta: value, finish_reason: finish }],
    });
    return {
      body: [chunk(delta, null), chunk({}, "length")].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""),
    };
  };
  const rooms: unknown[] = [];
  server.think = (body) => {
    rooms.push(body.max_completion_tokens);
    return rooms.length === 1 ? cut({ reasoning_content: "Hm." }) : { body: STREAMED_TURN.OPENAI_COMPATIBLE };
  };
  expect((await turn(open("gpt-5"))).some(({ kind }) => kind === "TEXT")).toBe(true);
  expect(rooms).toEqual([9_216, 36_864]);
  server.think = () => cut({ content: "It is on Mon" });
  expect((await turn(open("gpt-4o"))).map(({ kind }) => kind)).toEqual(["TEXT", "USAGE", "TRUNCATED"]);
  server.think = () => cut({ reasoning_content: "Hm." });
  await expect(turn(open("gpt-5"))).rejects.toMatchObject({ code: "MODEL_TRUNCATED" });
});

test("a refusal is a fault before a word of it is out, and thoughts are no words", async () => {
  const stream = (...deltas: object[]): TrialAnswer => {
    const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    return { body: [...chunks, end].map((one) => `data: ${JSON.stringify(one)}\n\n`).join("") };
  };
  server.think = () => stream({ refusal: "I am sorry. " }, { refusal: "I cannot." });
  const said: string[] = [];
  const asked = async () => {
    for await (const piece of open("gpt-4o").respond(TURN)) if (piece.kind === "TEXT") said.push(piece.text);
  };
  await expect(asked()).rejects.toMatchObject({ code: "MODEL_REFUSED" });
  expect(said).toEqual([]);
  server.think = () =>
    stream({ content: "<thi" }, { content: "nk>They want" }, { content: " x.</think>\n\nHel" }, { content: "lo." });
  await asked();
  expect(said.join("")).toBe("Hello.");
});
