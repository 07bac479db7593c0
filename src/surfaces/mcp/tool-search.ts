import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { askNearest } from "#src/platform/http/nearest-name.ts";
import { slimDefinition } from "./slim-schema.ts";
import { ArgumentError, fromText } from "./tool-result.ts";
import { type McpTool, textsOf, type ToolCall } from "./tool.ts";
import { isGranted, toolsetNames } from "./toolsets.ts";

const MAX_FOUND = 8;
const MAX_NAMED = 10;

/** Name of the tool that runs any other. */
export const RUN_TOOL = "run_tool";

/**
 * Returns `find_tools` and `run_tool`, by which an assistant uses the tools that its list leaves out, so that the list
 * stays short.
 */
export function searchTools(tools: readonly McpTool[]): McpTool[] {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  return [findTools(tools, byName), runTool(byName)];
}

function findTools(tools: readonly McpTool[], byName: ReadonlyMap<string, McpTool>): McpTool {
  const title = "Find tools";
  return {
    toolset: undefined,
    needs: [],
    definition: {
      name: "find_tools",
      title,
      description:
        "Find tools that are not in your list, such as for contacts, agents, knowledge, webhooks, data stores and transcriptions; run them with run_tool. Without arguments: all names by toolset. With names: their full schemas.",
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "Words of what you want to do." },
          names: { type: "array", items: { type: "string" }, description: "Tools whose full schemas you need." },
        },
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: {
          toolsets: { type: "object", description: "Names of the tools by their set; only without arguments." },
          tools: { type: "array", items: { type: "object" }, description: "What was found." },
        },
        required: ["tools"],
      },
      annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    run: async ({ args, permissions }) => {
      const unknown = Object.keys(args).find((name) => name !== "query" && name !== "names");
      if (unknown !== undefined)
        throw new ArgumentError(`find_tools takes query and names, not ${unknown.slice(0, 100)}.`);
      const query = readQuery(args.query);
      const names = readNames(args.names);
      const granted = tools.filter((tool) => isGranted(tool, permissions));
      if (query.length === 0 && names.length === 0) return asResult({ toolsets: namesBySet(granted), tools: [] });
      const named = names.map((name) => {
        const tool = byName.get(name);
        if (tool && isGranted(tool, permissions)) return withoutOutput(tool.definition);
        throw new ArgumentError(`${name.slice(0, 100)} is no tool that this credential may use.`);
      });
      const found =
        query.length === 0 ? [] : search(granted, query).map(({ definition }) => slimDefinition(definition));
      return asResult({ tools: [...named, ...found] });
    },
  };
}

function runTool(byName: ReadonlyMap<string, McpTool>): McpTool {
  const title = "Run a tool";
  return {
    toolset: undefined,
    needs: [],
    definition: {
      name: RUN_TOOL,
      title,
      description:
        "Run a tool that is not in your list, by the name that find_tools gave. What the tool does to people or data holds here too.",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: "Name of the tool." },
          arguments: { type: "object", description: "Its arguments." },
        },
        required: ["name"],
        additionalProperties: false,
      },
      outputSchema: { type: "object" },
      annotations: { title, readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    run: async (call) => {
      const { name, arguments: args = {} } = call.args;
      const tool = byName.get(typeof name === "string" ? name : "");
      if (!tool) {
        const hint = typeof name === "string" ? askNearest(name, [...byName.keys()]) : "";
        throw new ArgumentError(`name must be that of a tool; find_tools gives the names.${hint}`);
      }
      if (args === null || typeof args !== "object" || Array.isArray(args)) {
        throw new ArgumentError("arguments must be an object.");
      }
      return tool.run(innerCall(call, args as Record<string, unknown>));
    },
  };
}

function innerCall(call: ToolCall, args: Record<string, unknown>): ToolCall {
  const readText = () => (call.args.arguments === undefined ? "{}" : call.textOf("arguments"));
  return { ...call, args, textOf: textsOf(args, readText) };
}

function readQuery(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "string") throw new ArgumentError("query must be a text.");
  return toWords(value);
}

function readNames(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.length <= MAX_NAMED && value.every((name) => typeof name === "string"))
    return value;
  throw new ArgumentError(`names must be a list of at most ${MAX_NAMED} names.`);
}

function toWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(/[a-z0-9]{2,}/g)
      ?.map(withoutPlural) ?? []
  );
}

function withoutPlural(word: string): string {
  return word.length > 3 ? word.replace(/s$/, "") : word;
}

/** Returns the tools that have the most words; a word in the name counts three times. */
function search(tools: readonly McpTool[], words: string[]): McpTool[] {
  const scored = tools.map((tool) => {
    const { name, title, description } = tool.definition;
    const inName = new Set(toWords(`${name} ${tool.toolset ?? ""}`));
    const inText = new Set(toWords(`${title ?? ""} ${description ?? ""}`));
    const score = words.reduce((sum, word) => sum + (inName.has(word) ? 3 : 0) + (inText.has(word) ? 1 : 0), 0);
    return { tool, score };
  });
  const found = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return found.slice(0, MAX_FOUND).map(({ tool }) => tool);
}

function namesBySet(tools: readonly McpTool[]): Record<string, string[]> {
  const names = (set: string) => tools.filter((tool) => tool.toolset === set).map(({ definition }) => definition.name);
  return Object.fromEntries(toolsetNames(tools).map((set) => [set, names(set)]));
}

function withoutOutput({ outputSchema: _output, ...definition }: Tool): Tool {
  return definition;
}

function asResult(value: object): CallToolResult {
  return fromText(JSON.stringify(value));
}
