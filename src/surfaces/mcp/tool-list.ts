import { slimDefinition } from "./slim-schema.ts";
import type { McpTool } from "./tool.ts";
import { isGranted, readToolsets, toolsetNames } from "./toolsets.ts";

/** Tools that a connection asks to see, from the query of its address. */
export interface ToolView {
  /** Names of toolsets with commas between them; `default` unless given. */
  toolsets?: string | undefined;
  /** `full` adds the output schemas, and leaves nothing out of the input schemas. */
  schemas?: "slim" | "full" | undefined;
}

/** The tools as a list shows them. Each one's text is made once; a list puts those together that its caller sees. */
export class ToolList {
  readonly #tools: readonly McpTool[];
  readonly #names: readonly string[];
  readonly #texts = { slim: new Map<McpTool, string>(), full: new Map<McpTool, string>() };

  constructor(tools: readonly McpTool[]) {
    this.#tools = tools;
    this.#names = toolsetNames(tools);
  }

  /** Throws BAD_REQUEST for a view with an unknown toolset. */
  check(view: ToolView): void {
    readToolsets(view.toolsets, this.#names);
  }

  /** Returns the JSON array of the tools that a caller with these permissions sees. */
  bytesFor(permissions: ReadonlySet<string>, { toolsets, schemas = "slim" }: ToolView): Buffer {
    const isAsked = readToolsets(toolsets, this.#names);
    const seen = this.#tools.filter((tool) => isAsked(tool) && isGranted(tool, permissions));
    return Buffer.from(`[${seen.map((tool) => this.#textOf(tool, schemas)).join(",")}]`);
  }

  #textOf(tool: McpTool, schemas: "slim" | "full"): string {
    const texts = this.#texts[schemas];
    const text =
      texts.get(tool) ?? JSON.stringify(schemas === "full" ? tool.definition : slimDefinition(tool.definition));
    texts.set(tool, text);
    return text;
  }
}
