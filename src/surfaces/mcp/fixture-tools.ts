import {
  type CallToolResult,
  type ContentBlock,
  MissingRequiredClientCapabilityError,
  type Tool,
} from "@modelcontextprotocol/server";
import { sleep } from "#src/platform/kernel/async.ts";
import type { McpTool, ToolCall } from "./tool.ts";

/** One red pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A WAV header and four silent samples. */
const WAV = "UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA";

const IMAGE = { type: "image", data: PNG, mimeType: "image/png" } as const;
const AUDIO = { type: "audio", data: WAV, mimeType: "audio/wav" } as const;

/** Schema with every keyword of JSON Schema 2020-12 that must reach clients unchanged. */
const RICH_SCHEMA: Tool["inputSchema"] = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/**
 * Returns tools that only return a kind of result; the protocol's conformance suite calls them by these names. Only a
 * test run has them.
 */
export function fixtureTools(): McpTool[] {
  return [
    fixture("test_simple_text", async () => text("This is a simple text response for testing.")),
    fixture("test_error_handling", async () => ({
      ...text("This tool intentionally returns an error for testing"),
      isError: true,
    })),
    fixture("test_image_content", async () => ({ content: [IMAGE] })),
    fixture("test_audio_content", async () => ({ content: [AUDIO] })),
    fixture("test_embedded_resource", async () => ({
      content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    })),
    fixture("test_multiple_content_types", async () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        IMAGE,
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    })),
    fixture("test_tool_with_progress", showProgress),
    fixture("test_streaming_elicitation", showProgress),
    fixture("test_logging_tool", async () => text("This server logs nothing to its clients.")),
    fixture("test_missing_capability", refuseClient),
    fixture("json_schema_2020_12_tool", async () => text("ok"), RICH_SCHEMA),
  ];
}

async function showProgress(call: ToolCall): Promise<CallToolResult> {
  for (const progress of [0, 50, 100]) {
    call.report(progress, `Step ${progress}`, 100);
    await sleep(20, call.signal);
  }
  return text("Done.");
}

async function refuseClient(): Promise<CallToolResult> {
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
}

function text(shown: string): CallToolResult {
  return { content: [{ type: "text", text: shown }] };
}

function resource(uri: string, mimeType: string, shown: string): ContentBlock {
  return { type: "resource", resource: { uri, mimeType, text: shown } };
}

function fixture(name: string, run: McpTool["run"], inputSchema: Tool["inputSchema"] = EMPTY): McpTool {
  return {
    toolset: undefined,
    needs: [],
    viaLibrary: true,
    definition: { name, description: "For conformance tests.", inputSchema },
    run,
  };
}

const EMPTY: Tool["inputSchema"] = { type: "object", properties: {} };
