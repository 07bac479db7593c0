import type { CallToolResult } from "@modelcontextprotocol/server";
import { readDigits } from "#src/platform/http/json.ts";
import type { ApiReply } from "./call-api.ts";
import type { Wrapping } from "./tool-schema.ts";

type Json = Record<string, unknown>;

/** Advice to a model about a refusal, where the message alone is not enough. */
const ADVICE: Record<number, string> = {
  400: "Correct the arguments and call again.",
  401: "The credential of this connection was revoked or has expired. Calling again does not help; ask the user for a new one.",
  403: "The credential of this connection may not do that. Calling again does not help; ask the user to have the permission granted.",
  404: "Look up the id with a list tool, such as list_flows.",
  409: "The state of the resource does not allow this. Read it first.",
  413: "Send less at once.",
  422: "Correct the arguments named above and call again.",
  429: "Wait, then call again.",
  503: "Try again in a moment.",
};

const CODES: Record<number, string> = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  429: "RATE_LIMITED",
};

/** True for a successful reply. */
export function isSuccess(reply: ApiReply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

/** Returns the body of a reply; empty for one that is not a JSON object. */
export function bodyOf(reply: ApiReply): Json {
  try {
    const value: unknown = JSON.parse(reply.text);
    return value !== null && typeof value === "object" ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Returns a REST reply as the result of a tool; the text holds the exact bytes of the reply. */
export function toResult(reply: ApiReply, wrapping: Wrapping): CallToolResult {
  if (!isSuccess(reply)) return toRefusal(reply);
  if (wrapping === "DONE") return fromText('{"done":true}');
  return fromText(wrapping === "ITEMS" ? `{"items":${reply.text}}` : reply.text);
}

/**
 * Returns a result from the JSON text of an object. In its structured form a number with more digits than JavaScript
 * holds is the text of its digits: clients read that form, and most of them would round the number.
 */
export function fromText(text: string): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: readDigits(text) as Json };
}

/** Describes a refusal of the REST API for a model. `also` adds what holds nevertheless. */
export function toRefusal(reply: ApiReply, also?: string): CallToolResult {
  const body = bodyOf(reply);
  const { error, message, details, requestId } = body as {
    error?: string;
    message?: string;
    details?: { path: string; code: string; message: string }[];
    requestId?: string;
  };
  const code = (body.code as string | undefined) ?? CODES[reply.status];
  const faults = (details ?? []).map((fault) => `- ${fault.path || "(arguments)"} (${fault.code}): ${fault.message}`);
  const lines = [
    `${reply.status} ${error ?? "Error"}${code ? ` (${code})` : ""}${message ? `: ${message}` : ""}`,
    ...faults,
    also,
    ADVICE[reply.status],
    requestId ? `requestId ${requestId}` : undefined,
  ];
  return refusal(lines.filter((line) => line !== undefined).join("\n"));
}

/** Returns an error result with a message. */
export function refusal(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Arguments that cannot become a request. */
export class ArgumentError extends Error {}
