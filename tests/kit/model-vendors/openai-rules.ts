import { findStrictFaults } from "./strict-rules.ts";

type Json = Record<string, unknown>;

/** One reason for which OpenAI refuses a request, as its error body states it. */
export interface Refusal {
  message: string;
  param: string | null;
  code: string | null;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const PARAMETERS = new Set(
  `model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop seed tools tool_choice
   parallel_tool_calls response_format reasoning_effort user frequency_penalty presence_penalty verbosity
   store metadata service_tier logprobs`.split(/\s+/),
);

/** True for reasoning models, which take other parameters than the rest. */
export function isReasoningFamily(model: string): boolean {
  return /^(o[1-9]|gpt-5)/.test(model) && !model.startsWith("gpt-5-chat");
}

/**
 * Lists the reasons for which OpenAI's chat completions refuse a request beyond their published schema
 * (openai-contract.ts). The schema is laxer than the server: it knows no families of models, does not pair calls with
 * their answers, and accepts any object as the schema of a function or of an output. The sources are the schema's
 * descriptions and the guides.
 */
export function findOpenAiRefusals(body: Json): Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (message: string, param: string | null = null, code: string | null = null): void => {
    refusals.push({ message, param, code });
  };
  for (const name of Object.keys(body)) {
    if (!PARAMETERS.has(name)) refuse(`Unrecognized request argument supplied: ${name}`);
  }
  if (typeof body.model !== "string" || body.model === "") refuse("you must provide a model parameter");
  checkSampling(body, refuse);
  if (body.stream_options !== undefined && body.stream !== true) {
    refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
  }
  checkMessages(body.messages, refuse);
  checkTools(body, refuse);
  checkFormat(body, refuse);
  return refusals;
}

/**
 * Lists the reasons for which OpenAI's embeddings refuse a request beyond their published schema, whose descriptions
 * say that no text may be empty. Texts of white space alone are refused like empty ones
 * (https://github.com/aryn-ai/sycamore/pull/943).
 */
export function findEmbeddingRefusals({ input }: Json): Refusal[] {
  const texts = (Array.isArray(input) ? input : [input]) as unknown[];
  const isGood = texts.every((text) => typeof text === "string" && text.trim() !== "");
  return isGood ? [] : [{ message: "'$.input' is invalid.", param: null, code: null }];
}

type Refuse = (message: string, param?: string | null, code?: string | null) => void;

function checkSampling(body: Json, refuse: Refuse): void {
  const { temperature } = body;
  if (isReasoningFamily(String(body.model))) {
    if (body.max_tokens !== undefined) {
      const text =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      refuse(text, "max_tokens", "unsupported_parameter");
    }
    for (const name of ["temperature", "top_p", "presence_penalty", "frequency_penalty"]) {
      if (body[name] !== undefined && body[name] !== 1) {
        const text = `Unsupported value: '${name}' does not support ${JSON.stringify(body[name])} with this model. Only the default (1) value is supported.`;
        refuse(text, name, "unsupported_value");
      }
    }
  } else if (body.reasoning_effort !== undefined) {
    refuse("Unrecognized request argument supplied: reasoning_effort");
  }
  if (temperature !== undefined && !(typeof temperature === "number" && temperature >= 0 && temperature <= 2)) {
    refuse("Invalid 'temperature'", "temperature");
  }
  for (const name of ["max_tokens", "max_completion_tokens"]) {
    if (body[name] !== undefined && !(Number.isInteger(body[name]) && Number(body[name]) > 0)) {
      refuse(`Invalid '${name}'`, name);
    }
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    refuse("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", "max_tokens");
  }
}

function checkMessages(messages: unknown, refuse: Refuse): void {
  if (!Array.isArray(messages) || messages.length === 0) return refuse("[] is too short - 'messages'", "messages");
  let open = new Set<string>();
  for (const [i, message] of (messages as Json[]).entries()) {
    const at = `messages[${i}]`;
    const { role, content } = message;
    if (role === "tool") {
      const id = String(message.tool_call_id);
      if (!open.delete(id))
        refuse(`${at}: role 'tool' must be a response to a preceding message with 'tool_calls'`, at);
      if (typeof content !== "string") refuse(`${at}: tool content`, at);
      continue;
    }
    if (open.size > 0) {
      refuse(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      );
    }
    open = new Set();
    if (!["system", "developer", "user", "assistant"].includes(String(role))) refuse(`${at}: role ${String(role)}`, at);
    const calls = message.tool_calls as { id: string; type: string; function: { name: string; arguments: string } }[];
    if (calls === undefined) {
      const isText = typeof content === "string" || (Array.isArray(content) && content.length > 0);
      if (!isText) refuse(`Invalid value for 'content': expected a string, got null.`, `${at}.content`);
      continue;
    }
    if (role !== "assistant" || calls.length === 0) refuse(`${at}: tool_calls`, at);
    for (const call of calls) {
      if (call.type !== "function" || !NAME.test(call.function.name)) refuse(`${at}: tool call's name`, at);
      if (call.id.length > 40) refuse(`Invalid '${at}.tool_calls[0].id': string too long (at most 40).`, at);
      if (open.has(call.id)) refuse(`${at}: Duplicate value for 'tool_call_id'`, at);
      if (!isJsonObject(call.function.arguments)) refuse(`${at}: arguments`, at);
      open.add(call.id);
    }
  }
  if (open.size > 0) refuse("An assistant message with 'tool_calls' must be followed by tool messages.");
}

function checkTools({ tools, tool_choice: choice }: Json, refuse: Refuse): void {
  if (tools === undefined) {
    if (choice !== undefined && choice !== "none") refuse("'tool_choice' is only allowed when 'tools' are specified.");
    return;
  }
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > 128) return refuse("'tools'", "tools");
  const names = new Set<string>();
  for (const [i, tool] of (tools as { type: string; function: Json }[]).entries()) {
    const at = `tools[${i}].function`;
    const { name, parameters, strict } = tool.function;
    if (tool.type !== "function" || !NAME.test(String(name))) refuse(`Invalid '${at}.name': ${String(name)}`, at);
    if (names.has(String(name))) refuse(`${at}: Tool names must be unique.`, at);
    names.add(String(name));
    if (parameters === undefined) continue;
    for (const fault of findFunctionFaults(parameters))
      refuse(`Invalid schema for function '${String(name)}': ${fault}`, at);
    if (strict === true) for (const fault of findStrictFaults(parameters)) refuse(`Invalid schema: ${fault}`, at);
  }
}

/** Lists the faults in the parameters of a function that is not strict. */
function findFunctionFaults(parameters: unknown): string[] {
  const schema = parameters as Json;
  const faults: string[] = [];
  if (schema.type !== "object")
    faults.push(`schema must be a JSON Schema of 'type: "object"', got ${String(schema.type)}`);
  for (const keyword of ["oneOf", "anyOf", "allOf", "enum", "not"]) {
    if (keyword in schema) faults.push(`schema must not have '${keyword}' at the top level`);
  }
  if (!("properties" in schema)) faults.push("object schema missing properties");
  const look = (at: unknown): void => {
    if (at === null || typeof at !== "object") return;
    if ((at as Json).type === "array" && !("items" in at)) faults.push("array schema missing items");
    for (const part of Object.values(at)) look(part);
  };
  look(schema.properties);
  return faults;
}

function checkFormat(body: Json, refuse: Refuse): void {
  const format = body.response_format as { type: string; json_schema?: Json } | undefined;
  if (format === undefined) return;
  if (format.type === "json_object") {
    if (!/json/i.test(JSON.stringify(body.messages))) {
      refuse("'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.");
    }
    return;
  }
  if (format.type === "text") return;
  if (format.type !== "json_schema") return refuse(`Invalid value: '${format.type}'`, "response_format.type");
  const { name, schema, strict } = format.json_schema ?? {};
  if (!NAME.test(String(name))) refuse("Invalid 'response_format.json_schema.name'", "response_format");
  if ((schema as Json | undefined)?.type !== "object") {
    refuse(`Invalid schema for response_format '${String(name)}': schema must be 'type: "object"'`, "response_format");
  }
  if (strict !== true) return;
  for (const fault of findStrictFaults(schema)) {
    refuse(`Invalid schema for response_format '${String(name)}': In context=(), ${fault}`, "response_format");
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value);
  } catch {
    return false;
  }
}
