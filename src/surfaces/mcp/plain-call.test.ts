import { expect, test } from "vitest";
import { readPlainCall } from "./plain-call.ts";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ACCEPT = { accept: "application/json, text/event-stream" };
const MODERN = {
  ...ACCEPT,
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "get_flow",
};
const LEGACY = { ...ACCEPT, "mcp-protocol-version": "2025-11-25" };
const params = { name: "get_flow", arguments: { flowId: "f" } };
const modern = { ...params, _meta: ENVELOPE };
const message = (content: object, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: content,
  ...more,
});

test.each([
  ["modern", MODERN, message(modern, { id: "a" }), { era: "modern", id: "a", name: "get_flow", args: { flowId: "f" } }],
  ["legacy", LEGACY, message(params), { era: "legacy", id: 1, name: "get_flow", args: { flowId: "f" } }],
  ["no revision", ACCEPT, message({ name: "list_flows" }), { era: "legacy", id: 1, name: "list_flows", args: {} }],
])("a call of the %s era is plain", (_name, headers, body, call) => {
  expect(readPlainCall(headers, body)).toEqual(call);
});

test.each<[string, Record<string, string>, unknown]>([
  ["another method", MODERN, message(modern, { method: "tools/list" })],
  ["no id", LEGACY, { jsonrpc: "2.0", method: "tools/call", params }],
  ["an id that is null", LEGACY, message(params, { id: null })],
  ["another JSON-RPC", LEGACY, message(params, { jsonrpc: "1.0" })],
  ["members beside those of a request", LEGACY, message(params, { result: {} })],
  ["no parameters", LEGACY, { jsonrpc: "2.0", id: 1, method: "tools/call" }],
  ["no text as name", LEGACY, message({ name: 1 })],
  ["arguments that are a list", LEGACY, message({ ...params, arguments: [] })],
  ["arguments that are null", LEGACY, message({ ...params, arguments: null })],
  ["a task", LEGACY, message({ ...params, task: { ttl: 1 } })],
  ["answers to the server's questions", MODERN, message({ ...modern, inputResponses: {} })],
  ["metadata of the older era", LEGACY, message({ ...params, _meta: { progressToken: 1 } })],
  ["a wish for progress", MODERN, message({ ...params, _meta: { ...ENVELOPE, progressToken: 1 } })],
  [
    "an envelope that is not valid",
    MODERN,
    message({
      ...params,
      _meta: {
        ...ENVELOPE,
        "io.modelcontextprotocol/clientCapabilities": 1,
      },
    }),
  ],
  ["no envelope", MODERN, message(params)],
  ["an unknown older revision", { ...ACCEPT, "mcp-protocol-version": "2025-01-01" }, message(params)],
  ["an unknown newer revision", { ...MODERN, "mcp-protocol-version": "2027-01-01" }, message(modern)],
  ["no revision in the headers", { ...MODERN, "mcp-protocol-version": "" }, message(modern)],
  ["another method in the headers", { ...MODERN, "mcp-method": "tools/list" }, message(modern)],
  ["no method in the headers", { ...MODERN, "mcp-method": "" }, message(modern)],
  ["another tool in the headers", { ...MODERN, "mcp-name": "list_flows" }, message(modern)],
  ["a tool twice in the headers", { ...MODERN, "mcp-name": "get_flow, get_flow" }, message(modern)],
  ["JSON alone accepted", { ...LEGACY, accept: "application/json" }, message(params)],
  ["streams alone accepted", { ...MODERN, accept: "text/event-stream" }, message(modern)],
  ["a batch", LEGACY, [message(params)]],
  ["no object", LEGACY, null],
  ["no body", LEGACY, undefined],
])("a message with %s is left to the library", (_name, headers, body) => {
  expect(readPlainCall(headers, body)).toBeUndefined();
});
