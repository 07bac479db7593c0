import { expect, test } from "vitest";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import type { AppError } from "#src/platform/kernel/errors.ts";
import { carriesCredential, maskHeaders, restoreHeaders } from "./api-headers.ts";
import { findParameterFaults } from "./parameters.ts";
import { SYSTEM_TOOLS } from "./system-tools.ts";
import type { ToolFields } from "./tool-fields.ts";
import { assertTool } from "./tool-rules.ts";

const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [] });
const api: ToolFields = {
  name: "look_up",
  description: "d",
  toolType: "API",
  apiMethod: "GET",
  apiUrl: "https://api.example.com/orders/{{ orderId }}",
};

/** Returns the paths of the faults of a tool, none when it can be stored. */
function pathsOf(change: ToolFields): string[] {
  try {
    assertTool(guard, { ...api, ...change });
    return [];
  } catch (error) {
    return [...new Set((error as AppError).details.map((fault) => fault.path))];
  }
}

test("the system tools are these ten, and their parameters are valid", () => {
  const wanted =
    "end_call, transfer_call, send_dtmf, send_message, schedule_callback, search_knowledge, read_record, write_record, add_to_do_not_call, leave_voicemail";
  expect(SYSTEM_TOOLS.map(({ name }) => name).toSorted()).toEqual(wanted.split(", ").toSorted());
  for (const { parameters } of SYSTEM_TOOLS) expect(findParameterFaults(parameters)).toEqual([]);
});

test.each<[string, ToolFields, string[]]>([
  ["a template in the path", {}, []],
  ["a template in the query", { apiUrl: "https://api.example.com/?q={{ q | upcase }}" }, []],
  ["another scheme", { apiUrl: "ftp://example.com" }, ["apiUrl"]],
  ["a scheme that is a template", { apiUrl: "{{ base }}/orders" }, ["apiUrl"]],
  ["an open template", { apiUrl: "https://example.com/{{ id" }, ["apiUrl"]],
  ["a tag", { apiUrl: "https://example.com/{% if a %}x{% endif %}" }, ["apiUrl"]],
  ["a loopback address", { apiUrl: "http://127.0.0.1/" }, ["apiUrl"]],
  ["a name inside the network", { apiUrl: "http://db.internal/" }, ["apiUrl"]],
  ["a password in the URL", { apiUrl: "https://user:pass@example.com/" }, ["apiUrl"]],
  ["a template in the host", { apiUrl: "https://{{ region }}.example.com/" }, ["apiUrl"]],
  [
    "a template in the host with named hosts",
    { apiUrl: "https://{{ region }}.example.com/", networkAllowList: ["*.example.com"] },
    [],
  ],
  ["a user name before a host template", { apiUrl: "https://x@{{ h }}/", networkAllowList: ["h"] }, ["apiUrl"]],
  ["no url", { apiUrl: null }, ["apiUrl"]],
  ["no method", { apiMethod: null }, ["apiMethod"]],
  ["a name of a system tool", { name: "end_call" }, ["name"]],
  ["the type of a system tool", { toolType: "SYSTEM" }, ["toolType"]],
  ["a plan that is missing", { toolType: "CODE" }, ["executionPlan"]],
  ["a plan without steps", { toolType: "CODE", executionPlan: [] }, ["executionPlan.0"]],
  ["nowhere to forward to", { toolType: "FORWARD_CALL" }, ["forwardCallConfig"]],
  ["no destination", { toolType: "FORWARD_CALL", forwardCallConfig: {} }, ["forwardCallConfig.destination"]],
  ["a destination that is no number", { forwardCallConfig: { destination: "911" } }, ["forwardCallConfig.destination"]],
  ["a SIP destination", { forwardCallConfig: { destinationType: "SIP", destination: "sip:desk@example.com" } }, []],
  [
    "an injected SIP header",
    { forwardCallConfig: { sipHeaders: { "X-A": "b\r\nVia: c" } } },
    ["forwardCallConfig.sipHeaders.X-A"],
  ],
  ["an injected HTTP header", { apiHeaders: { "X-A": "b\r\nHost: c" } }, ["apiHeaders.X-A"]],
  ["a header of the connection", { apiHeaders: { Host: "b" } }, ["apiHeaders.Host"]],
  ["a header twice", { apiHeaders: { "X-A": "b", "x-a": "c" } }, ["apiHeaders.x-a"]],
  ["a mask of nothing", { apiHeaders: { Authorization: "********" } }, ["apiHeaders.Authorization"]],
  ["stars in a header that is shown", { apiHeaders: { Accept: "********" } }, []],
  ["an API timeout above the tool's", { apiTimeoutSeconds: 31, toolCallTimeoutSeconds: 30 }, ["apiTimeoutSeconds"]],
  [
    "hosts",
    { networkAllowList: ["example.com", "*.example.com:8443", "203.0.113.7", "[2001:db8::1]:443", "2001:db8::1"] },
    [],
  ],
  [
    "no hosts",
    { networkAllowList: ["https://example.com", "exa mple.com", "example.com/x", "a:0", "a:65536", "999.1.1.1", "*"] },
    [0, 1, 2, 3, 4, 5, 6].map((i) => `networkAllowList.${i}`),
  ],
  ["two integrations of one key", { integrations: [{ key: "crm" }, { key: "crm" }] }, ["integrations.1.key"]],
  [
    "a link to nothing",
    { integrationCredentialLinks: [{ integrationKey: "x" }] },
    ["integrationCredentialLinks.0.integrationKey"],
  ],
  ["a limit without a number", { toolConcurrencyConfig: { enabled: true } }, ["toolConcurrencyConfig.maxConcurrent"]],
  [
    "a fallback without words",
    { toolConcurrencyConfig: { enabled: true, maxConcurrent: 1, onLimit: "FALLBACK" } },
    ["concurrencyLimitFallbackMessage"],
  ],
  [
    "a cache key that is no parameter",
    { toolResultCacheConfig: { keyParameters: ["id"] } },
    ["toolResultCacheConfig.keyParameters.0"],
  ],
  ["a step twice", { executionPlan: [{ id: "a" }, { id: "a" }] }, ["executionPlan.1.id"]],
  ["a code step without code", { executionPlan: [{ type: "CODE" }] }, ["executionPlan.0.code"]],
  ["a tool step without a tool", { executionPlan: [{ type: "TOOL" }] }, ["executionPlan.0.toolId"]],
  ["a schema of a text", { returnValue: { schema: { type: "string" } } }, []],
  [
    "a broken schema",
    { returnValue: { schema: { type: "object", properties: { a: { type: "colour" } } } } },
    ["returnValue.schema.properties.a.type"],
  ],
])("%s", (_what, change, paths) => expect(pathsOf(change)).toEqual(paths));

test.each<[string, ToolFields, boolean]>([
  ["fits", { parameters: [{ name: "n", type: "integer", enumValues: [1, 2], defaultValue: 2 }] }, true],
  ["a default that is a template", { parameters: [{ name: "n", type: "integer", defaultValue: "{{ n }}" }] }, true],
  ["a pattern that backtracks elsewhere", { parameters: [{ name: "n", type: "string", pattern: "^(a+)+$" }] }, true],
  [
    "a name twice",
    {
      parameters: [
        { name: "n", type: "string" },
        { name: "n", type: "string" },
      ],
    },
    false,
  ],
  ["a name that objects have", { parameters: [{ name: "constructor", type: "string" }] }, false],
  ["a pattern that does not compile", { parameters: [{ name: "n", type: "string", pattern: "(" }] }, false],
  ["a pattern that needs backtracking", { parameters: [{ name: "n", type: "string", pattern: "(?=a)" }] }, false],
  ["a value of another type", { parameters: [{ name: "n", type: "integer", enumValues: ["one"] }] }, false],
  [
    "a default outside the values",
    { parameters: [{ name: "n", type: "integer", enumValues: [1], defaultValue: 2 }] },
    false,
  ],
  ["a constant without a value", { parameters: [{ name: "n", type: "string", source: "CONSTANT" }] }, false],
  [
    "more than a model can be told",
    { parameters: [{ name: "n", type: "string", items: { a: "x".repeat(66_000) } }] },
    false,
  ],
  [
    "a reference to a place that the whole does not have",
    { parameters: [{ name: "n", type: "object", properties: { a: { $ref: "#/properties/value" } } }] },
    false,
  ],
  [
    "a reference that never ends",
    {
      parameters: [{ name: "value", type: "object", properties: { a: { $ref: "#/properties/value/properties/a" } } }],
    },
    false,
  ],
  [
    "references to itself and to another, with a default",
    {
      parameters: [
        { name: "code", type: "string", pattern: "^[A-Z]{3}$" },
        {
          name: "tree",
          type: "object",
          properties: { code: { $ref: "#/properties/code" }, inner: { $ref: "#/properties/tree" } },
          defaultValue: { code: "ABC", inner: { code: "DEF" } },
        },
      ],
    },
    true,
  ],
  [
    "a default that a reference refuses",
    {
      parameters: [
        { name: "code", type: "string", pattern: "^[A-Z]{3}$" },
        {
          name: "tree",
          type: "object",
          properties: { code: { $ref: "#/properties/code" } },
          defaultValue: { code: "no" },
        },
      ],
    },
    false,
  ],
  ["no value allowed", { parameters: [{ name: "n", type: "string", enumValues: [] }] }, false],
  ["items that are no schema", { parameters: [{ name: "n", type: "array", items: { type: "colour" } }] }, false],
])("parameters: %s", (_what, change, isGood) => {
  const paths = pathsOf(change);
  expect(paths.length === 0).toBe(isGood);
  for (const path of paths) expect(path).toMatch(/^parameters(\.[01]\b|$)/);
});

test("values that open something are masked by the name of their header; a mask sent back restores them", () => {
  const opening = [
    "Authorization",
    "X-API-Key",
    "Cookie",
    "x-auth",
    "X-Access-Token",
    "My-Secret",
    "Proxy-Authorization",
  ];
  expect(opening.filter((name) => !carriesCredential(name))).toEqual([]);
  expect(["Accept", "X-Author", "Content-Type", "X-Region"].filter(carriesCredential)).toEqual([]);
  const stored = { Authorization: "Bearer a", Accept: "text/plain" };
  const shown = maskHeaders(stored);
  expect(shown).toEqual({ Authorization: "********", Accept: "text/plain" });
  expect(restoreHeaders(shown, stored)).toEqual(stored);
  expect(restoreHeaders({ authorization: "********" }, stored)).toEqual({ authorization: "Bearer a" });
  expect(restoreHeaders({ Authorization: "Bearer b" }, stored)).toEqual({ Authorization: "Bearer b" });
});
