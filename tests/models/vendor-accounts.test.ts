import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { type HostedSettings, openHostedModel } from "#src/engine/models/hosted/providers.ts";
import { addressOf, type ModelProvider } from "#src/engine/models/hosted/vendors.ts";
import type { ModelPiece, TokenUsage, TurnRequest } from "#src/engine/models/models.ts";
import { converseFrames } from "../kit/model-vendors/bedrock-frames.ts";
import { eventsOf, STREAMED_TURN, toEvents, type TrialAnswer } from "../kit/model-vendors/trial-server.ts";

/* What each vendor's account needs of a request: its address, credentials, marks for its cache, further members. */

type Json = Record<string, unknown>;

const TURN: TurnRequest = {
  messages: [
    { role: "SYSTEM", content: "Be kind." },
    { role: "USER", content: "Who is this?" },
  ],
  tools: [{ name: "look_up", description: "Looks up.", inputSchema: { type: "object", properties: {} } }],
  outputs: [],
  language: "en",
  signal: new AbortController().signal,
};

/** Requests as the outbound fetch got them, each answered by the next answer, the last one for good. */
async function ask(settings: Partial<HostedSettings>, ...answers: Partial<TrialAnswer>[]) {
  const provider = settings.provider ?? "OPENAI_COMPATIBLE";
  const requests: { url: string; headers: Headers; text: string; body: Json }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const text = init.body as string;
    requests.push({
      url: input instanceof Request ? input.url : String(input),
      headers: new Headers(init.headers),
      text,
      body: JSON.parse(text) as Json,
    });
    const { status = 200, body = STREAMED_TURN[provider] } =
      answers[Math.min(requests.length, answers.length) - 1] ?? {};
    const type = status === 200 ? "text/event-stream" : "application/json";
    return new Response(Buffer.from(body, "latin1"), { status, headers: { "content-type": type } });
  };
  const model = openHostedModel(
    { provider, baseUrl: null, apiKey: "secret", model: "trial", temperature: null, ...settings },
    fetch,
  );
  const pieces: ModelPiece[] = [];
  for await (const piece of model.respond(TURN)) pieces.push(piece);
  const usage = pieces.findLast((piece) => piece.kind === "USAGE") as TokenUsage;
  return { requests, last: requests.at(-1) as (typeof requests)[number], usage };
}

test.each<[ModelProvider, string | null, string | null, string | null]>([
  ["OPENAI_COMPATIBLE", null, null, "https://api.openai.com/v1"],
  ["ANTHROPIC", " https://own.example/v1/ ", null, "https://own.example/v1"],
  ["AZURE_OPENAI", "https://r.openai.azure.com/", null, "https://r.openai.azure.com/openai/v1"],
  ["AZURE_OPENAI", "https://r.openai.azure.com/openai", null, "https://r.openai.azure.com/openai"],
  ["AZURE_OPENAI", "https://gateway.example/azure", null, "https://gateway.example/azure"],
  ["AZURE_OPENAI", null, null, null],
  ["AMAZON_BEDROCK", null, "eu-west-1", "https://bedrock-runtime.eu-west-1.amazonaws.com"],
  ["AMAZON_BEDROCK", null, "cn-north-1", "https://bedrock-runtime.cn-north-1.amazonaws.com.cn"],
])("%s at %s in %s is asked at %s", (provider, baseUrl, region, address) => {
  expect(addressOf(provider, baseUrl, region)).toBe(address);
});

test.each(["https://r.openai.azure.com", "https://r.openai.azure.com/openai"])("Azure at %s", async (baseUrl) => {
  const { last } = await ask({ provider: "AZURE_OPENAI", baseUrl, model: "our-mini", temperature: 0.3 });
  expect(last.url.split("?")[0]).toBe("https://r.openai.azure.com/openai/v1/chat/completions");
  expect(last.headers.get("api-key")).toBe("secret");
  expect(last.body).toMatchObject({ model: "our-mini", max_completion_tokens: 1_024, temperature: 0.3 });
  expect(last.body).not.toHaveProperty("max_tokens");
});

test("a deployment of a model that reasons is learnt from what Azure refuses", async () => {
  const refused = (param: string) => ({
    status: 400,
    body: JSON.stringify({
      error: { message: `Unsupported parameter: '${param}'`, param, type: "invalid_request_error" },
    }),
  });
  const settings = { provider: "AZURE_OPENAI", baseUrl: "https://gateway.example/azure", temperature: 0.3 } as const;
  const { requests, last } = await ask(settings, refused("max_tokens"), refused("temperature"), {});
  expect(requests).toHaveLength(3);
  expect(last.body).toMatchObject({ max_completion_tokens: 1_024 });
  expect(last.body).not.toHaveProperty("temperature");
});

test("requests to Bedrock are signed for the region with the access key, over the body that is sent", async () => {
  const accessKeyId = "AKIDEXAMPLE12345";
  const { last } = await ask({
    provider: "AMAZON_BEDROCK",
    region: "eu-west-1",
    accessKeyId,
    model: "amazon.nova-lite-v1:0",
  });
  expect(last.url).toBe(
    "https://bedrock-runtime.eu-west-1.amazonaws.com/model/amazon.nova-lite-v1%3A0/converse-stream",
  );
  const [, scope = "", signed = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      last.headers.get("authorization") ?? "",
    ) ?? [];
  const at = last.headers.get("x-amz-date") ?? "";
  expect(scope).toBe(`${accessKeyId}/${at.slice(0, 8)}/eu-west-1/bedrock/aws4_request`);
  // By AWS's description of Signature Version 4, with each part of the path encoded twice.
  const path = new URL(last.url).pathname.split("/").map(encodeURIComponent).join("/");
  const names = signed.split(";");
  const headers = names.map((name) => `${name}:${name === "host" ? new URL(last.url).host : last.headers.get(name)}\n`);
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const canonical = ["POST", path, "", headers.join(""), signed, hash(last.text)].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", at, scope.split("/").slice(1).join("/"), hash(canonical)].join("\n");
  const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = scope
    .split("/")
    .slice(1)
    .reduce<string | Buffer>((sealed, part) => mac(sealed, part), "AWS4secret");
  expect(mac(key, toSign).toString("hex")).toBe(signature);
});

test.each<[string, Partial<HostedSettings>, string]>([
  ["without a key", { apiKey: null }, "Bearer none"],
  ["with a key of Bedrock's", {}, "Bearer secret"],
  ["with an access key", { accessKeyId: "AKIDEXAMPLE12345" }, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE12345/"],
])("the operator's own AWS environment is never used %s", async (_case, more, authorization) => {
  const foreign = {
    AWS_BEARER_TOKEN_BEDROCK: "operator",
    AWS_ACCESS_KEY_ID: "operator",
    AWS_SECRET_ACCESS_KEY: "operator",
    AWS_SESSION_TOKEN: "operator",
    AWS_REGION: "us-east-2",
    AWS_ENDPOINT_URL: "https://operator.example",
    AZURE_API_KEY: "operator",
  };
  const before = Object.keys(foreign).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, foreign);
  try {
    const { last } = await ask({ provider: "AMAZON_BEDROCK", region: "eu-west-1", ...more });
    expect(last.headers.get("authorization")).toContain(authorization);
    expect(last.headers.get("x-amz-security-token")).toBeNull();
    const azure = await ask({ provider: "AZURE_OPENAI", baseUrl: "https://r.openai.azure.com", apiKey: null });
    for (const { url, headers, text } of [last, azure.last])
      expect(`${url} ${JSON.stringify([...headers])} ${text}`).not.toContain("operator");
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test.each<ModelProvider>(["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE", "AZURE_OPENAI", "AMAZON_BEDROCK"])(
  "%s gets the extra headers, and the extra members beside the service's own",
  async (provider) => {
    const extraBody = { generationConfig: { topK: 3 }, user: "parley" };
    const address = { baseUrl: "https://host.example", region: "eu-west-1" };
    const { last } = await ask({ provider, ...address, headers: { "X-Team": "blue" }, extraBody, temperature: 0.5 });
    expect(last.headers.get("x-team")).toBe("blue");
    const found = provider === "AMAZON_BEDROCK" ? last.body.additionalModelRequestFields : last.body;
    const merged = provider === "GOOGLE" ? { generationConfig: { temperature: 0.5, topK: 3 } } : {};
    expect(found).toMatchObject({ ...extraBody, ...merged });
  },
);

test("Anthropic is told where its cache may keep the prompt, and what it kept is counted apart", async () => {
  const [start = "", ...others] = eventsOf("ANTHROPIC");
  const kept = start.replace('"input_tokens":21', '"input_tokens":21,"cache_read_input_tokens":900');
  const { last, usage } = await ask({ provider: "ANTHROPIC" }, { body: [kept, ...others].join("") });
  const mark = { cache_control: { type: "ephemeral" } };
  expect(last.body.system).toMatchObject([{ type: "text", ...mark }]);
  expect(last.body.messages).toMatchObject([{ content: [{ text: "Who is this?", ...mark }] }]);
  expect(usage).toMatchObject({ inputTokens: 921, cachedTokens: 900, outputTokens: 8 });
});

test("Bedrock is told so for the models that keep prompts; a model that refuses it is asked without", async () => {
  const usage = { inputTokens: 21, outputTokens: 8, totalTokens: 929, cacheReadInputTokens: 900 };
  const kept = { body: converseFrames(["Hello."], [], usage).join("") };
  const settings = { provider: "AMAZON_BEDROCK", region: "eu-west-1" } as const;
  const claude = await ask({ ...settings, model: "eu.anthropic.claude-sonnet-4-20250514-v1:0" }, kept);
  const point = { cachePoint: { type: "default" } };
  expect(claude.last.body).toMatchObject({ messages: [{ content: [{ text: "Who is this?" }, point] }] });
  expect((claude.last.body.system as Json[]).at(-1)).toEqual(point);
  expect(claude.usage).toMatchObject({ inputTokens: 921, cachedTokens: 900 });
  const llama = await ask({ ...settings, model: "meta.llama3-1-8b-instruct-v1:0" });
  expect(llama.last.text).not.toContain("cachePoint");
  const refusal = { status: 400, body: '{"message":"Your request did not allow prompt caching."}' };
  const nova = await ask({ ...settings, model: "amazon.nova-lite-v1:0" }, refusal, {});
  expect(nova.requests.map(({ text }) => text.includes("cachePoint"))).toEqual([true, false]);
});

test("what OpenAI's and Google's caches kept is counted apart as well", async () => {
  const openAi = {
    usage: { prompt_tokens: 1_000, completion_tokens: 8, prompt_tokens_details: { cached_tokens: 900 } },
  };
  const [words = "", ...others] = eventsOf("OPENAI_COMPATIBLE").slice(0, -2);
  const body = [words, ...others, toEvents([{ ...openAi, choices: [] }, "[DONE]"])].join("");
  for (const provider of ["OPENAI_COMPATIBLE", "AZURE_OPENAI"] as const) {
    const { usage } = await ask({ provider, baseUrl: "https://host.example" }, { body });
    expect(usage, provider).toMatchObject({ inputTokens: 1_000, cachedTokens: 900 });
  }
  const google = STREAMED_TURN.GOOGLE.replace(
    '"promptTokenCount":21',
    '"promptTokenCount":1000,"cachedContentTokenCount":900',
  );
  expect((await ask({ provider: "GOOGLE" }, { body: google })).usage).toMatchObject({
    inputTokens: 1_000,
    cachedTokens: 900,
  });
});
