import type { ModelProvider } from "#src/engine/models/hosted/vendors.ts";
import { converseFrames } from "./bedrock-frames.ts";
import { googleChunk, openAiChunk, toEvents, type TrialAnswer, wholeAnswer } from "./trial-server.ts";

type Json = Record<string, unknown>;

/** One line of a conversation, in a vendor-neutral form. */
export interface AskedLine {
  role: "USER" | "ASSISTANT" | "TOOL";
  text: string;
  /** Names of the tools that an ASSISTANT called in it. */
  calls: string[];
}

/** A request, in a vendor-neutral form. */
export interface Asked {
  provider: ModelProvider;
  system: string;
  lines: AskedLine[];
  /** Names of the tools on offer. */
  tools: string[];
  /** Form in which JSON is requested; WORDS: by no parameter. */
  format: "STRICT" | "SCHEMA" | "JSON_TOOL" | "OBJECT" | "WORDS";
  isStreamed: boolean;
}

/** Reply of a model. */
export interface Said {
  text?: string;
  calls?: { name: string; input: object }[];
}

/** Reads a request in its vendor's protocol. `path` distinguishes Google's streamed requests from the others. */
export function readAsked(provider: ModelProvider, body: Json, path: string): Asked {
  switch (provider) {
    case "OPENAI_COMPATIBLE":
    case "AZURE_OPENAI":
      return readOpenAi(provider, body);
    case "ANTHROPIC":
      return readAnthropic(body);
    case "GOOGLE":
      return readGoogle(body, path.includes("streamGenerateContent"));
    case "AMAZON_BEDROCK":
      return readBedrock(body, path.includes("converse-stream"));
  }
}

function readOpenAi(provider: ModelProvider, body: Json): Asked {
  const messages = body.messages as { role: string; content: unknown; tool_calls?: { function: { name: string } }[] }[];
  const format = body.response_format as { type: string; json_schema?: { strict?: boolean } } | undefined;
  const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content ?? ""));
  return {
    provider,
    system: messages.map(({ role, content }) => (role === "system" ? textOf(content) : "")).join(""),
    lines: messages
      .filter(({ role }) => role !== "system")
      .map(({ role, content, tool_calls: calls = [] }) => ({
        role: role.toUpperCase() as AskedLine["role"],
        text: textOf(content),
        calls: calls.map((call) => call.function.name),
      })),
    tools: ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name),
    format: !format ? "WORDS" : !format.json_schema ? "OBJECT" : format.json_schema.strict ? "STRICT" : "SCHEMA",
    isStreamed: body.stream === true,
  };
}

function readAnthropic(body: Json): Asked {
  const tools = ((body.tools ?? []) as { name: string }[]).map(({ name }) => name);
  const isForced = (body.tool_choice as { type: string } | undefined)?.type !== "auto";
  const { format } = (body.output_config ?? {}) as { format?: object };
  return {
    provider: "ANTHROPIC",
    system: ((body.system ?? []) as { text: string }[]).map(({ text }) => text).join(""),
    lines: (body.messages as { role: string; content: Json[] }[]).flatMap(({ role, content }) => {
      const results = content.filter(({ type }) => type === "tool_result");
      const text = content.map((block) => (typeof block.text === "string" ? block.text : "")).join("");
      const calls = content.filter(({ type }) => type === "tool_use").map(({ name }) => String(name));
      const own = { role: role.toUpperCase() as AskedLine["role"], text, calls };
      const reported = results.map((block) => ({
        role: "TOOL" as const,
        text: JSON.stringify(block.content),
        calls: [],
      }));
      return text === "" && calls.length === 0 ? reported : [...reported, own];
    }),
    tools,
    format: format ? "SCHEMA" : tools.includes("json") && isForced ? "JSON_TOOL" : "WORDS",
    isStreamed: body.stream === true,
  };
}

function readGoogle(body: Json, isStreamed: boolean): Asked {
  const { parts: system = [] } = (body.systemInstruction ?? {}) as { parts?: { text: string }[] };
  const config = (body.generationConfig ?? {}) as Json;
  const hasSchema = config.responseJsonSchema !== undefined || config.responseSchema !== undefined;
  const named = (part: Json): string => (part.functionCall as { name: string }).name;
  return {
    provider: "GOOGLE",
    system: system.map(({ text }) => text).join(""),
    lines: (body.contents as { role: string; parts: Json[] }[]).flatMap(({ role, parts }) => {
      const results = parts.filter((part) => "functionResponse" in part);
      const text = parts.map((part) => (typeof part.text === "string" ? part.text : "")).join("");
      const calls = parts.filter((part) => "functionCall" in part).map(named);
      const own = { role: role === "model" ? ("ASSISTANT" as const) : ("USER" as const), text, calls };
      const reported = results.map((part) => ({ role: "TOOL" as const, text: JSON.stringify(part), calls: [] }));
      return text === "" && calls.length === 0 ? reported : [...reported, own];
    }),
    tools: ((body.tools ?? []) as { functionDeclarations?: { name: string }[] }[]).flatMap(
      ({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name),
    ),
    format: hasSchema ? "SCHEMA" : config.responseMimeType === "application/json" ? "OBJECT" : "WORDS",
    isStreamed,
  };
}

function readBedrock(body: Json, isStreamed: boolean): Asked {
  const { tools: offered = [], toolChoice } = (body.toolConfig ?? {}) as {
    tools?: { toolSpec?: { name: string } }[];
    toolChoice?: Json;
  };
  const tools = offered.flatMap(({ toolSpec }) => (toolSpec ? [toolSpec.name] : []));
  const fields = (body.additionalModelRequestFields ?? {}) as { output_config?: { format?: object } };
  const isForced = toolChoice !== undefined && "any" in toolChoice;
  return {
    provider: "AMAZON_BEDROCK",
    system: ((body.system ?? []) as { text?: string }[]).map(({ text = "" }) => text).join(""),
    lines: (body.messages as { role: string; content: Json[] }[]).flatMap(({ role, content }) => {
      const results = content.flatMap(({ toolResult }) => (toolResult ? [toolResult as Json] : []));
      const text = content.map((block) => (typeof block.text === "string" ? block.text : "")).join("");
      const calls = content.flatMap(({ toolUse }) => (toolUse ? [(toolUse as { name: string }).name] : []));
      const own = { role: role.toUpperCase() as AskedLine["role"], text, calls };
      const reported = results.map((result) => ({
        role: "TOOL" as const,
        text: JSON.stringify(result.content),
        calls: [],
      }));
      return text === "" && calls.length === 0 ? reported : [...reported, own];
    }),
    tools,
    format: fields.output_config?.format ? "SCHEMA" : tools.includes("json") && isForced ? "JSON_TOOL" : "WORDS",
    isStreamed,
  };
}

const WHOLE = { "content-type": "application/json" };
let ids = 0;

/** Writes a model's reply in its vendor's protocol, streamed or whole, as requested. */
export function writeSaid({ provider, format, isStreamed }: Asked, { text = "", calls = [] }: Said): TrialAnswer {
  if (format === "JSON_TOOL")
    return { body: provider === "ANTHROPIC" ? writeJsonTool(text) : writeBedrockTool(text), headers: WHOLE };
  if (!isStreamed) return { body: wholeAnswer(provider, text), headers: WHOLE };
  const named = calls.map(({ name, input }) => ({ id: `call_${++ids}`, name, input }));
  switch (provider) {
    case "OPENAI_COMPATIBLE":
    case "AZURE_OPENAI": {
      const asked = named.map(({ id, name, input }, index) => {
        const call = { name, arguments: JSON.stringify(input) };
        return openAiChunk({ tool_calls: [{ index, id, type: "function", function: call }] });
      });
      const words = text === "" ? [] : [openAiChunk({ role: "assistant", content: text })];
      return { body: toEvents([...words, ...asked, openAiChunk({}, calls.length > 0 ? "tool_calls" : "stop")]) };
    }
    case "ANTHROPIC":
      return { body: toEvents(writeAnthropic(text, named), true) };
    case "GOOGLE": {
      const words = text === "" ? [] : [{ text }];
      const asked = named.map(({ name, input }) => ({ functionCall: { name, args: input } }));
      return { body: toEvents([googleChunk([...words, ...asked], "STOP")]) };
    }
    case "AMAZON_BEDROCK": {
      const asked = named.map(({ input, ...call }) => ({ ...call, input: [JSON.stringify(input)] }));
      const usage = { inputTokens: 21, outputTokens: 8, totalTokens: 29 };
      return { body: converseFrames(text === "" ? [] : [text], asked, usage).join("") };
    }
  }
}

function writeJsonTool(text: string): string {
  const answer = JSON.parse(wholeAnswer("ANTHROPIC", "")) as Json;
  const content = [{ type: "tool_use", id: `call_${++ids}`, name: "json", input: JSON.parse(text) as Json }];
  return JSON.stringify({ ...answer, content, stop_reason: "tool_use" });
}

function writeBedrockTool(text: string): string {
  const answer = JSON.parse(wholeAnswer("AMAZON_BEDROCK", "")) as Json;
  const toolUse = { toolUseId: `call_${++ids}`, name: "json", input: JSON.parse(text) as Json };
  const output = { message: { role: "assistant", content: [{ toolUse }] } };
  return JSON.stringify({ ...answer, output, stopReason: "tool_use" });
}

function writeAnthropic(text: string, calls: { id: string; name: string; input: object }[]): object[] {
  const { usage, ...message } = JSON.parse(wholeAnswer("ANTHROPIC", "")) as Json;
  const words = text === "" ? [] : [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text } }];
  const asked = calls.map(({ id, name, input }) => ({
    start: { type: "tool_use", id, name, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
  }));
  const blocks = [...words, ...asked].flatMap(({ start, delta }, index) => [
    { type: "content_block_start", index, content_block: start },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ]);
  const reason = calls.length > 0 ? "tool_use" : "end_turn";
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ];
}
