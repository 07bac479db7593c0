import { readFileSync } from "node:fs";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { findContracts } from "../repository.ts";

type Json = Record<string, unknown>;

/** The document that OpenAI publishes. It is not part of this repository. */
const published = findContracts("openai.json");

/** True when OpenAI's document is on this machine; without it no request is held against it. */
export const hasOpenAiContract = published.areThere;

/** Says in a test's title why it is skipped; empty when it is not. */
export const whySkipped = published.why;

/** Requests of OpenAI's that the product sends, by the name of their schema in the document. */
const REQUESTS = [
  "CreateChatCompletionRequest",
  "CreateEmbeddingRequest",
  "CreateTranscriptionRequest",
  "CreateSpeechRequest",
] as const;
type OpenAiRequest = (typeof REQUESTS)[number];

/**
 * Schemas that the document leaves open, and the server does not: it answers 400 with "Additional properties are not
 * allowed ('id' was unexpected) - 'messages.0'" (https://github.com/transitive-bullshit/agentic/issues/531), and with
 * "Unrecognized request argument supplied" for a member of the request itself.
 */
const CLOSED = [
  "ChatCompletionRequestDeveloperMessage",
  "ChatCompletionRequestSystemMessage",
  "ChatCompletionRequestUserMessage",
  "ChatCompletionRequestAssistantMessage",
  "ChatCompletionRequestToolMessage",
  "ChatCompletionRequestMessageContentPartText",
  "ChatCompletionMessageToolCall",
  "ChatCompletionTool",
  "FunctionObject",
  "ResponseFormatText",
  "ResponseFormatJsonObject",
  "ResponseFormatJsonSchema",
];

let ajv: Ajv2020.default | undefined;
const compiled = new Map<OpenAiRequest, ValidateFunction>();

/** Gives what of a request does not fit OpenAI's published document; empty without the document. */
export function findContractFaults(name: OpenAiRequest, body: unknown): string[] {
  if (!hasOpenAiContract) return [];
  const validate = compiled.get(name) ?? compile(name);
  compiled.set(name, validate);
  if (validate(body)) return [];
  const errors = (validate.errors ?? []).slice(0, 4);
  return errors.map(({ instancePath, message }) => `${name}${instancePath} ${message ?? ""}`);
}

/**
 * Gives what of a form does not fit: fields are texts, and the document says what they stand for. A name that ends with
 * [] is a list, as the document's examples write it.
 */
export function findFormFaults(name: OpenAiRequest, fields: Iterable<[string, string]>): string[] {
  if (!hasOpenAiContract) return [];
  const { properties } = readSchemas()[name] as { properties: Record<string, { type?: string }> };
  const body: Json = {};
  for (const [field, text] of fields) {
    const isList = field.endsWith("[]");
    const bare = isList ? field.slice(0, -2) : field;
    const { type } = properties[bare] ?? {};
    const value = type === "number" || type === "integer" ? Number(text) : type === "boolean" ? text === "true" : text;
    body[bare] = isList ? [...((body[bare] ?? []) as unknown[]), value] : value;
  }
  return findContractFaults(name, body);
}

function compile(name: OpenAiRequest): ValidateFunction {
  if (!ajv) {
    ajv = new Ajv2020.default({ strict: false, validateFormats: false });
    const schemas = readSchemas();
    for (const one of CLOSED) Object.assign(schemas[one] as Json, { additionalProperties: false });
    const text = JSON.stringify(withoutOthers(schemas)).replaceAll('"#/components', '"document#/components');
    // A leftover of OpenAPI 3.0 without a meaning in 3.1, which the document is written in.
    const readable = JSON.parse(text, (key, value: unknown) => (key === "nullable" ? undefined : value)) as Json;
    ajv.addSchema({ $id: "document", components: { schemas: readable } });
  }
  return ajv.compile({ $ref: `document#/components/schemas/${name}`, unevaluatedProperties: false });
}

/** The schemas that the requests lead to: of the whole document they are a small part. */
function withoutOthers(schemas: Record<string, unknown>): Record<string, unknown> {
  const kept = new Map<string, unknown>();
  const wanted: string[] = [...REQUESTS];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (kept.has(name)) continue;
    kept.set(name, schemas[name]);
    for (const [, found = ""] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"/]+)/g))
      wanted.push(found);
  }
  return Object.fromEntries(kept);
}

let read: Record<string, unknown> | undefined;

function readSchemas(): Record<string, unknown> {
  read ??= (
    JSON.parse(readFileSync(published.path("openai.json"), "utf8")) as {
      components: { schemas: Record<string, unknown> };
    }
  ).components.schemas;
  return read;
}
