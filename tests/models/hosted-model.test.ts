import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHostedModel } from "#src/engine/models/hosted/providers.ts";
import { MODEL_PROVIDERS, type ModelProvider } from "#src/engine/models/hosted/vendors.ts";
import type { ModelMessage, ModelPiece, TurnRequest } from "#src/engine/models/models.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createKeepingPorts, createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createWebFetch } from "#src/platform/http/web-fetch.ts";
import { eventsOf, STREAMED_TURN, TrialServer, wholeAnswer } from "../kit/model-vendors/trial-server.ts";

let server: TrialServer;
beforeAll(async () => {
  server = await TrialServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());

const guard = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });
const keeping = createKeepingPorts(guard);
const fetch = createWebFetch(keeping.safeOpen, 5_000);
afterAll(() => keeping.close());
const open = (provider: ModelProvider, url = server.url) =>
  openHostedModel({ provider, baseUrl: url, apiKey: "secret-key", model: "trial", temperature: 0.2 }, fetch);

const KEY_HEADERS: Record<ModelProvider, string> = {
  OPENAI_COMPATIBLE: "authorization",
  ANTHROPIC: "x-api-key",
  GOOGLE: "x-goog-api-key",
  AZURE_OPENAI: "api-key",
  AMAZON_BEDROCK: "authorization",
};
const MESSAGES: ModelMessage[] = [
  { role: "SYSTEM", content: "Be kind." },
  { role: "ASSISTANT", content: "Good day." },
  { role: "USER", content: "Who is this?" },
  { role: "ASSISTANT", content: "", toolCalls: [{ id: "t1", name: "look_up", input: { day: "Sunday" } }] },
  { role: "TOOL", content: "closed", toolCallId: "t1" },
];
const LOOK_UP = {
  name: "look_up",
  description: "Looks up a day.",
  inputSchema: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
};

function turnOf(more: Partial<TurnRequest> = {}): TurnRequest {
  const signal = new AbortController().signal;
  return { messages: MESSAGES, tools: [LOOK_UP], outputs: [], language: "en-US", signal, ...more };
}

async function collect(provider: ModelProvider, request = turnOf()): Promise<ModelPiece[]> {
  const pieces: ModelPiece[] = [];
  for await (const piece of open(provider).respond(request)) pieces.push(piece);
  return pieces;
}

/** Returns the code of a failure, or the number of pieces received. */
async function fate(provider: ModelProvider): Promise<string> {
  try {
    return `${(await collect(provider)).length} pieces`;
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

describe.each([...MODEL_PROVIDERS])("%s", (provider) => {
  test("a streamed turn: text as it comes, the call whole, the tokens last", async () => {
    server.answer = { body: STREAMED_TURN[provider] };
    const pieces = await collect(provider);
    const text = pieces.map((piece) => (piece.kind === "TEXT" ? piece.text : "")).join("");
    expect(text).toBe("Hello there.");
    const calls = pieces.filter((piece) => piece.kind === "TOOL_CALL");
    expect(calls).toMatchObject([{ call: { name: "look_up", input: { day: "Monday" } } }]);
    expect(pieces.at(-1)).toEqual({ kind: "USAGE", inputTokens: 21, outputTokens: 8 });
  });

  test("turns one after another use one connection, and one that is called off ends it", async () => {
    server.requests.length = 0;
    const stop = new AbortController();
    server.answer = { body: STREAMED_TURN[provider] };
    for (let i = 0; i < 2; i++) await collect(provider);
    server.answer = { body: STREAMED_TURN[provider], end: "STALL" };
    const left = open(provider)
      .respond(turnOf({ signal: stop.signal }))
      [Symbol.asyncIterator]();
    await left.next();
    stop.abort();
    server.answer = { body: STREAMED_TURN[provider] };
    await collect(provider);
    const [first, ...others] = server.requests.map(({ port }) => port);
    expect(others.map((port) => port === first)).toEqual([true, true, false]);
  });

  test("the request carries the key in the provider's own header, the tools, and a conversation a person begins", async () => {
    server.answer = { body: STREAMED_TURN[provider] };
    server.requests.length = 0;
    await collect(provider);
    const [request] = server.requests;
    const reported = JSON.stringify(request?.body);
    for (const part of ["Be kind.", "Good day.", "Who is this?", "look_up", "Sunday", "closed"])
      expect(reported).toContain(part);
    expect(request?.headers[KEY_HEADERS[provider]]).toContain("secret-key");
    expect(reported.indexOf("on the line")).toBeLessThan(reported.indexOf("Good day."));
  });

  test("two sentences of the assistant in a row stay two sentences", async () => {
    server.answer = { body: STREAMED_TURN[provider] };
    server.requests.length = 0;
    const said = ["It is ready.", "Shall I send it?"].map((content): ModelMessage => ({ role: "ASSISTANT", content }));
    await collect(provider, turnOf({ messages: [...MESSAGES.slice(0, 3), ...said] }));
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("ready.Shall");
  });

  test("the model sees which fields are required, and the conditions of others", async () => {
    server.answer = { body: STREAMED_TURN[provider] };
    server.requests.length = 0;
    const schema = {
      type: "object",
      properties: { coming: { type: "boolean" }, reason: { $ref: "#/$defs/reason" } },
      required: ["coming"],
      if: { properties: { coming: { const: false } } },
      then: { required: ["reason"] },
      $defs: { reason: { type: "string", enum: ["ILL", "AWAY"] } },
    };
    await collect(provider, turnOf({ outputs: [{ name: "visit", description: "The visit.", schema }] }));
    const reported = JSON.stringify(server.requests[0]?.body).replaceAll("\\", "");
    for (const part of ['"required":["coming"]', '"const":false', '"enum":["ILL","AWAY"]'])
      expect(reported).toContain(part);
  });

  test("an output is filled from a JSON answer, also from one in a fence", async () => {
    const output = { name: "visit", description: "The visit.", schema: { type: "object", properties: {} } };
    const request = {
      messages: MESSAGES,
      output,
      outputs: [output],
      language: "en",
      faults: ["coming: missing"],
      signal: turnOf().signal,
    };
    for (const text of ['{"coming":true}', '```json\n{"coming":true}\n```']) {
      server.answer = { body: wholeAnswer(provider, text), headers: { "content-type": "application/json" } };
      const filled = await open(provider).extract(request);
      expect(filled).toEqual({ value: { coming: true }, inputTokens: 30, outputTokens: 5 });
    }
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("coming: missing");
    // What holds no JSON was billed as well.
    server.answer = { body: wholeAnswer(provider, "I do not know."), headers: { "content-type": "application/json" } };
    await expect(open(provider).extract(request)).rejects.toMatchObject({
      code: "MODEL_GARBLED",
      usage: { inputTokens: 30, outputTokens: 5 },
    });
  });

  test("each status is told apart, and no message shows the key", async () => {
    const cases: [number, string][] = [
      [401, "MODEL_UNAUTHORIZED"],
      [403, "MODEL_UNAUTHORIZED"],
      [400, "MODEL_REFUSED"],
      [404, "MODEL_REFUSED"],
      [429, "MODEL_RATE_LIMITED"],
      [500, "MODEL_UNAVAILABLE"],
      [503, "MODEL_UNAVAILABLE"],
      [302, "MODEL_REFUSED"],
    ];
    for (const [status, code] of cases) {
      const headers = { "content-type": "application/json", "retry-after": "7", location: "http://127.0.0.1:1/" };
      server.answer = { status, headers, body: '{"error":{"message":"no","type":"x"},"key":"secret-key"}' };
      const failure = await collect(provider).catch((error: unknown) => error);
      expect(failure, String(status)).toMatchObject({ code });
      expect(String((failure as Error).message)).not.toContain("secret-key");
    }
  });

  test("cut at every event: never a turn that looks whole", async () => {
    const events = eventsOf(provider);
    // Number of events up to the one that gives the end reason; a stream without that one is not whole.
    const telling = { OPENAI_COMPATIBLE: 4, ANTHROPIC: 9, GOOGLE: 2, AZURE_OPENAI: 4, AMAZON_BEDROCK: 8 }[provider];
    for (let kept = 0; kept <= telling; kept++) {
      for (const end of ["CUT", "CLOSE"] as const) {
        const body = events.slice(0, kept).join("");
        server.answer = { body, end };
        const outcome = await fate(provider);
        expect(outcome, `${kept} events, ${end}`).toMatch(/^MODEL_/);
      }
    }
  });

  test("garbage in the place of any event is a fault with a code, or is skipped where the protocol says so", async () => {
    const events = eventsOf(provider);
    for (const garbage of ["data: {not json", 'data: {"error":{"message":"overloaded","type":"x"}}', "data: [1,2]"]) {
      for (let at = 0; at < events.length; at++) {
        server.answer = { body: events.map((event, i) => (i === at ? `${garbage}\n\n` : event)).join("") };
        expect(await fate(provider), `${garbage} at ${at}`).toMatch(/^(MODEL_\w+|\d+ pieces)$/);
      }
    }
  });

  test("a stall ends when the caller's patience does", async () => {
    server.answer = { body: STREAMED_TURN[provider].slice(0, 80), end: "STALL" };
    const stop = new AbortController();
    const turn = collect(provider, turnOf({ signal: stop.signal }));
    setTimeout(() => stop.abort(new Error("enough")), 30);
    await expect(turn).rejects.toThrow("enough");
  });

  test("a server that is not there is unreachable", async () => {
    const model = open(provider, "http://127.0.0.1:1");
    const failure = await model
      .respond(turnOf())
      [Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "MODEL_UNREACHABLE" });
  });
});

// Google's arguments are numbers of its own before they are a text.
test.each(["OPENAI_COMPATIBLE", "ANTHROPIC"] as const)(
  "%s: a call's id keeps more digits than a number holds",
  async (provider) => {
    server.answer = { body: STREAMED_TURN[provider].replace(/\\*"Monday\\*"/, "9007199254740993") };
    const calls = (await collect(provider)).filter((piece) => piece.kind === "TOOL_CALL");
    expect(calls).toMatchObject([{ call: { input: { day: "9007199254740993" } } }]);
  },
);

test("calls have ids of their own where a server gives all of them the same", async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  for (const id of ["call_0", ""]) {
    const made = ["Monday", "Tuesday"].map((day, index) => {
      const function_ = { name: "look_up", arguments: JSON.stringify({ day }) };
      return chunk({ tool_calls: [{ index, id, type: "function", function: function_ }] });
    });
    server.answer = { body: [...made, chunk({}, "tool_calls"), "data: [DONE]\n\n"].join("") };
    const pieces = [...(await collect("OPENAI_COMPATIBLE")), ...(await collect("OPENAI_COMPATIBLE"))];
    const calls = pieces.flatMap((piece) => (piece.kind === "TOOL_CALL" ? [piece.call] : []));
    expect(calls.map(({ input }) => input.day)).toEqual(["Monday", "Tuesday", "Monday", "Tuesday"]);
    expect(new Set(calls.map((one) => one.id)).size, `id "${id}"`).toBe(4);
  }
});

test("a private address is not asked unless the operator opens it", async () => {
  const closed = createWebFetch(createSafeOpen(createOutboundGuard({ allowPrivateNetwork: false, allow: [] })), 5_000);
  const settings = { provider: "OPENAI_COMPATIBLE" as const, apiKey: null, model: "trial", temperature: null };
  const model = openHostedModel({ ...settings, baseUrl: server.url }, closed);
  server.requests.length = 0;
  const failure = await model
    .respond(turnOf())
    [Symbol.asyncIterator]()
    .next()
    .catch((error: unknown) => error);
  expect([(failure as { code: string }).code, server.requests.length]).toEqual(["MODEL_UNREACHABLE", 0]);
});
