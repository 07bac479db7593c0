import { describe, expect, test } from "vitest";
import { EmbeddingServer } from "../kit/embedding-server.ts";
import {
  hasOpenAiContract,
  findContractFaults,
  findFormFaults,
  whySkipped,
} from "../kit/model-vendors/openai-contract.ts";
import { assertNothingRefused, refuseAsVendor } from "../kit/model-vendors/refuse.ts";
import { TrialServer } from "../kit/model-vendors/trial-server.ts";

const CHAT = { model: "gpt-4o", messages: [{ role: "user", content: "Hello." }] };
const CALL = { id: "call_1", type: "function", function: { name: "look_up", arguments: "{}" } };

test("a server whose refusals nobody took out fails the test that disposes of it", async () => {
  const server = await TrialServer.start();
  await fetch(`${server.url}/chat/completions`, { method: "POST", body: JSON.stringify({ model: "gpt-4o" }) });
  await expect(server[Symbol.asyncDispose]()).rejects.toThrow("would have refused 1 requests");
  const embeddings = await EmbeddingServer.start();
  await fetch(`${embeddings.url}/embeddings`, { method: "POST", body: '{"model":"m","input":[" "]}' });
  await expect(embeddings[Symbol.asyncDispose]()).rejects.toThrow("'$.input' is invalid");
  expect(() => assertNothingRefused([])).not.toThrow();
});

describe.skipIf(!hasOpenAiContract)(`the document that OpenAI publishes${whySkipped}`, () => {
  test.each([
    ["a bare question", {}],
    ["a call and its answer", { messages: [...CHAT.messages, assistant({ tool_calls: [CALL] }), toolSays("x")] }],
    ["an output", { response_format: { type: "json_schema", json_schema: { name: "x", schema: {}, strict: true } } }],
  ])("allows %s", (_what, more) => {
    expect(findContractFaults("CreateChatCompletionRequest", { ...CHAT, ...more })).toEqual([]);
  });

  test.each([
    ["a member that no request has", { thinking: true }],
    ["a member that no message has", { messages: [{ role: "user", content: "x", id: "1" }] }],
    ["a role that nobody has", { messages: [{ role: "agent", content: "x" }] }],
    ["arguments that are no text", { messages: [assistant({ tool_calls: [{ ...CALL, function: { name: "x" } }] })] }],
    ["an effort that is none", { reasoning_effort: "hard" }],
    ["a temperature beyond 2", { temperature: 3 }],
    ["an output without a name", { response_format: { type: "json_schema", json_schema: {} } }],
  ])("does not allow %s, and the checking server refuses it", (_what, more) => {
    expect(findContractFaults("CreateChatCompletionRequest", { ...CHAT, ...more })).not.toEqual([]);
    expect(refuseAsVendor("/v1/chat/completions", { ...CHAT, ...more })).toMatchObject({ status: 400 });
  });

  test("knows embeddings, speech and transcriptions", () => {
    const embedding = { model: "m", input: ["x"], encoding_format: "float" };
    expect(findContractFaults("CreateEmbeddingRequest", embedding)).toEqual([]);
    expect(findContractFaults("CreateEmbeddingRequest", { ...embedding, texts: [] })).not.toEqual([]);
    expect(findContractFaults("CreateSpeechRequest", { model: "m", input: "x", voice: "alloy" })).toEqual([]);
    expect(findContractFaults("CreateSpeechRequest", { model: "m", input: "x" })).not.toEqual([]);
    const form: [string, string][] = [
      ["file", "RIFF"],
      ["model", "whisper-1"],
      ["temperature", "0"],
    ];
    const words: [string, string] = ["timestamp_granularities[]", "word"];
    expect(findFormFaults("CreateTranscriptionRequest", [...form, words])).toEqual([]);
    expect(findFormFaults("CreateTranscriptionRequest", [...form, ["speed", "2"]])).not.toEqual([]);
  });
});

function assistant(more: object): object {
  return { role: "assistant", content: null, ...more };
}

function toolSays(content: string): object {
  return { role: "tool", tool_call_id: "call_1", content };
}
