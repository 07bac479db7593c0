import type { Tool } from "@modelcontextprotocol/server";
import { EXTERNAL_API, type Route, successStatus } from "#src/platform/http/route.ts";
import type { TSchema } from "#src/platform/http/schemas.ts";
import type { ApiRequest } from "./call-api.ts";
import { textOf, type ToolText } from "./tool-names.ts";
import { ArgumentError, toResult } from "./tool-result.ts";
import { describeOutput, type Input, mergeInput, type ObjectSchema, type Wrapping } from "./tool-schema.ts";
import type { McpTool, ToolCall } from "./tool.ts";
import { toolsetOf } from "./toolsets.ts";

/** Paths whose writes affect people or services outside. */
const OPEN_WORLD = /\/(outbound|call-jobs|chat-sessions|phone-numbers|transcriptions|automations)(\/|$)/;

/** A route that is useful as a tool. */
export interface Operation {
  declared: Route;
  input: Input;
  output: { schema: ObjectSchema; wrapping: Wrapping };
  definition: Tool;
}

/** Returns the operations among the routes, in the order of the routes. New routes appear automatically. */
export function findOperations(routes: Route[]): Operation[] {
  const operations = routes.map(toOperation).filter((operation) => operation !== undefined);
  const names = new Set<string>();
  for (const { definition } of operations) {
    if (names.has(definition.name)) throw new Error(`Two tools are named ${definition.name}.`);
    names.add(definition.name);
  }
  return operations;
}

/** Returns the operation as a tool, which makes one request to the REST API. */
export function operationTool(operation: Operation): McpTool {
  const { declared, definition, output } = operation;
  return {
    definition,
    toolset: toolsetOf(declared.path.slice(EXTERNAL_API.length)),
    needs: needsOf(operation),
    run: async (call) => toResult(await call.api(toRequest(operation, call)), output.wrapping),
  };
}

/** Returns the permissions that a tool needs which makes requests to all of these operations: one of each group. */
export function needsOf(...operations: Operation[]): readonly (readonly string[])[] {
  return operations.flatMap(({ declared: { access } }) => (typeof access === "string" ? [] : [access]));
}

function toOperation(declared: Route): Operation | undefined {
  if (!isCallable(declared)) return undefined;
  const output = describeOutput(declared.replies[successStatus(declared)] as TSchema | null);
  if (!output) return undefined;
  const text = textOf(declared.method, declared.path.slice(EXTERNAL_API.length));
  if (!text) return undefined;
  const input = mergeInput(declared, text.wholeBody);
  return { declared, input, output, definition: describe(declared, text, input.schema, output.schema) };
}

/** True for a route without files and streams, which do not fit into arguments. */
function isCallable({ audience, path, bodyKind = "JSON", consumes = [], produces }: Route): boolean {
  if (produces === "text/event-stream") return false;
  if (audience !== "external" || !path.startsWith(`${EXTERNAL_API}/`)) return false;
  if (bodyKind === "STREAM") return consumes.includes("application/json");
  return bodyKind === "JSON" || bodyKind === "NONE";
}

function describe(declared: Route, text: ToolText, input: ObjectSchema, output: ObjectSchema): Tool {
  const { method, path } = declared;
  const readOnly = method === "GET" || text.readOnly === true;
  const title = declared.summary.replace(/ *\(extension\)/, "");
  const replaces = method === "DELETE" || method === "PUT" || method === "PATCH" || /\/(cancel|close)$/.test(path);
  return {
    name: text.name,
    title,
    description: text.description ?? `${[title, declared.description].filter(Boolean).join(". ").replace(/\.*$/, "")}.`,
    inputSchema: input,
    outputSchema: output,
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: !readOnly && replaces,
      idempotentHint: readOnly || method === "DELETE" || method === "PUT",
      openWorldHint: !readOnly && OPEN_WORLD.test(path),
    },
  };
}

/** Returns the REST request for a call. */
export function toRequest({ declared, input }: Operation, call: ToolCall): ApiRequest {
  const { args } = call;
  refuseUnknown(input, args);
  const path = declared.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => readSegment(name, args[name]));
  const query = new URLSearchParams();
  for (const name of input.query) for (const text of readTexts(name, args[name])) query.append(name, text);
  const body = readBody(input, call);
  const key = input.takesKey ? args.idempotencyKey : undefined;
  if (key !== undefined && key !== null && typeof key !== "string") {
    throw new ArgumentError("idempotencyKey must be a text.");
  }
  return {
    method: declared.method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    ...(body === undefined ? {} : { body }),
    ...(key ? { headers: { "idempotency-key": key } } : {}),
  };
}

/**
 * Refuses unknown arguments, because a misspelt name would otherwise be ignored silently. Bodies have their own checks.
 */
function refuseUnknown({ schema, body }: Input, args: Record<string, unknown>): void {
  if (body === "MEMBERS") return;
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(schema.properties, name));
  if (unknown === undefined) return;
  const known = Object.keys(schema.properties).join(", ") || "none";
  throw new ArgumentError(`${unknown.slice(0, 100)} is not an argument of this tool. Its arguments: ${known}.`);
}

function readSegment(name: string, value: unknown): string {
  if (value === undefined || value === null || value === "") throw new ArgumentError(`${name} is required.`);
  const text = readText(name, value);
  // URL parsing would resolve them, and the request would go to another path.
  if (text === "." || text === "..") throw new ArgumentError(`${name} is not valid.`);
  return encodeURIComponent(text);
}

function readTexts(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return [value].flat().map((item) => readText(name, item));
}

function readText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new ArgumentError(`${name} must be a text, a number or true or false.`);
}

function readBody({ body, path, query, takesKey }: Input, call: ToolCall): string | undefined {
  if (body === "NONE") return undefined;
  if (body !== "MEMBERS") return call.args[body.argument] === undefined ? "{}" : call.textOf(body.argument);
  const elsewhere = new Set([...path, ...query, ...(takesKey ? ["idempotencyKey"] : [])]);
  const names = Object.keys(call.args).filter((name) => !elsewhere.has(name));
  return `{${names.map((name) => `${JSON.stringify(name)}:${call.textOf(name)}`).join(",")}}`;
}
