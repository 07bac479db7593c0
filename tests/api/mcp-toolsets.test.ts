import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, connectMcp } from "../kit/mcp-client.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await World.start();
  client = await connect(world.sample.apiKey);
});
afterAll(async () => {
  await client.close();
  await world[Symbol.asyncDispose]();
});

const connect = (apiKey: string, query = "") => connectMcp(world, apiKey, query);
const call = (name: string, args: Json = {}, by = client) => callTool(by, name, args);

async function makeKey(...permissions: string[]): Promise<string> {
  const made = await world.operator("key.create", { workspaceId: world.sample.workspaceId, permissions });
  return (made as { apiKey: string }).apiKey;
}

async function listed(by = client) {
  return (await by.listTools()).tools;
}

async function namesFor(apiKey: string, query = "") {
  const by = await connect(apiKey, query);
  const names = (await listed(by)).map(({ name }) => name);
  await by.close();
  return names;
}

describe("the default list", () => {
  test("has at most 25 tools and 40 kB, and says of each argument what it is", async () => {
    const tools = await listed();
    expect(tools.length).toBeLessThanOrEqual(25);
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(40_000);
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "place_call_and_wait",
        "list_flows",
        "create_flow",
        "get_call",
        "find_tools",
        "run_tool",
      ]),
    );
    const bare = tools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).flatMap(([argument, schema]) => {
        const { type, anyOf, description } = schema as Json;
        return type || anyOf || description ? [] : [`${name}.${argument}`];
      }),
    );
    expect(bare).toEqual([]);
    const place = tools.find(({ name }) => name === "place_call_and_wait");
    expect(place?.inputSchema).toMatchObject({
      required: ["customerNumber"],
      properties: {
        customerNumber: { type: "string", description: "E.164 number, such as +12025550100." },
        flow: { type: "object", description: expect.stringMatching(/masterPrompt.*find_tools/) as string },
      },
    });
    expect(place?.outputSchema).toBeUndefined();
  });

  test("lets an update clear a field with null, as its description says", async () => {
    const update = (await listed()).find(({ name }) => name === "update_flow");
    expect(update?.inputSchema.properties?.firstMessage).toMatchObject({ type: ["string", "null"] });
  });
});

describe("permissions", () => {
  test("a credential sees the tools that work for it, and no others", async () => {
    const reader = await namesFor(await makeKey("FLOWS_READ"), "?toolsets=all");
    expect(reader).toEqual(expect.arrayContaining(["list_flows", "get_flow", "find_tools"]));
    expect(reader.filter((name) => /^(create|update|delete|place|start|send)_/.test(name))).toEqual([]);
    // It places with one permission and reads the result with another.
    expect(await namesFor(await makeKey("OUTBOUND_CALLS_TRIGGER"))).not.toContain("place_call_and_wait");
    expect(await namesFor(await makeKey("OUTBOUND_CALLS_TRIGGER", "CALL_HISTORY_READ"))).toContain(
      "place_call_and_wait",
    );
  });

  test("find_tools refuses an argument that it does not have", async () => {
    const answer = await client.callTool({ name: "find_tools", arguments: { words: "opt out" } });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("query and names, not words") as string }],
    });
  });

  test("find_tools finds no others, and run_tool gets the API's refusal", async () => {
    const by = await connect(await makeKey("FLOWS_READ"));
    expect(Object.keys((await call("find_tools", {}, by)).data.toolsets as Json)).toEqual([
      "chats",
      "flows",
      "simulations",
    ]);
    expect((await call("find_tools", { names: ["create_tool"] }, by)).text).toMatch(/^create_tool is no tool/);
    const refused = await call("run_tool", { name: "create_tool", arguments: { name: "x" } }, by);
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^403 .*TOOLS_WRITE/) as string]);
    await by.close();
  });
});

describe("toolsets", () => {
  test("the address names those that are listed", async () => {
    const contacts = await namesFor(world.sample.apiKey, "?toolsets=contacts");
    expect(contacts).toEqual(expect.arrayContaining(["list_contacts", "add_do_not_call", "find_tools"]));
    expect(contacts).not.toContain("place_call");
    const both = await namesFor(world.sample.apiKey, "?toolsets=default,%20Contacts");
    expect(both).toEqual(expect.arrayContaining(["place_call", "list_contacts"]));
    const all = await namesFor(world.sample.apiKey, "?toolsets=all");
    expect(all.length).toBeGreaterThan(100);
    const { toolsets } = (await call("find_tools")).data as { toolsets: Record<string, string[]> };
    expect([...Object.values(toolsets).flat(), "find_tools", "run_tool"].toSorted()).toEqual(all.toSorted());
  });

  test("an unknown one is refused with the known names", async () => {
    const reply = await world.request("POST", "/api/mcp?toolsets=calls,nonsense", {
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    });
    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringMatching(/nonsense.*default, all,.*contacts/) as string,
    ]);
  });
});

describe("find_tools and run_tool", () => {
  test("a misspelt tool is refused with the nearest name", async () => {
    await expect(call("place_cal")).rejects.toThrow("Unknown tool: place_cal. Did you mean place_call?");
    const inner = await call("run_tool", { name: "get_flw" });
    expect(JSON.stringify(inner)).toContain("find_tools gives the names. Did you mean get_flow?");
  });

  test("words find what the list leaves out, which then runs", async () => {
    const { tools } = (await call("find_tools", { query: "forbid calls to a number: do not call" })).data as {
      tools: { name: string; outputSchema?: unknown }[];
    };
    expect(tools[0]?.name).toMatch(/do_not_call/);
    const { tools: named } = (await call("find_tools", { names: ["add_do_not_call"] })).data as {
      tools: { inputSchema: Json }[];
    };
    expect(named[0]).toMatchObject({ inputSchema: { required: ["numbers"] } });
    const number = "+12025550177";
    const added = await call("run_tool", { name: "add_do_not_call", arguments: { numbers: [number] } });
    expect(added.isError, added.text).toBeFalsy();
    const refused = await call("place_call_and_wait", { customerNumber: number });
    expect(refused.text).toMatch(/OPTED_OUT|DO_NOT_CALL|BLOCKED/);
  });

  test("exact numbers of contextData survive", async () => {
    const contextData = '{"b":1.0,"a":12345678901234567890}';
    const params = `{"name":"run_tool","arguments":{"name":"place_call","arguments":{"customerNumber":"+12025550100","contextData":${contextData}}}}`;
    const reply = await world.request("POST", "/api/mcp", {
      raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    });
    expect(JSON.stringify(reply.text)).toContain(JSON.stringify(JSON.stringify(contextData)).slice(3, -3));
  });

  test("a tool that waits reports progress through run_tool too", async () => {
    const reported: string[] = [];
    const result = await client.callTool(
      { name: "run_tool", arguments: { name: "place_call_and_wait", arguments: { customerNumber: "+12025550100" } } },
      { onprogress: ({ message }) => void reported.push(message ?? "") },
    );
    expect(result.structuredContent).toMatchObject({ finished: true, call: { outcome: "ANSWERED" } });
    expect(reported.at(-1)).toMatch(/^COMPLETED/);
  });

  test.each([
    ["no name", {}],
    ["an unknown name", { name: "no_such_tool" }],
    ["itself", { name: "run_tool", arguments: {} }],
    ["arguments that are a list", { name: "list_flows", arguments: [] }],
  ])("run_tool refuses %s in words", async (_case, args) => {
    const { isError, text } = await call("run_tool", args);
    expect([isError, text]).toEqual([true, expect.stringMatching(/must be/) as string]);
  });
});

describe("resources", () => {
  test("the documentation is listed and read", async () => {
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri: "parley://docs/mcp", title: "The MCP server" }));
    const { contents } = await client.readResource({ uri: "parley://docs/mcp" });
    expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining("# The MCP server") }]);
  });

  test("a call, its transcript, a job and a flow are read with the caller's own credential", async () => {
    const row = (await call("place_call_and_wait", { customerNumber: "+12025550100" })).data.call as Json;
    const read = async (uri: string, by = client) =>
      ((await by.readResource({ uri })).contents[0] as { text: string }).text;
    expect(JSON.parse(await read(`parley://calls/${String(row.id)}`))).toMatchObject({
      id: row.id,
      outcome: "ANSWERED",
    });
    const [first] = row.transcript as { role: string; content: string }[];
    expect(await read(`parley://calls/${String(row.id)}/transcript`)).toMatch(`${first?.role}: ${first?.content}`);
    expect(JSON.parse(await read(`parley://flows/${world.sample.flow.id}`))).toMatchObject({
      id: world.sample.flow.id,
    });
    const other = await connect((await world.createWorkspace()).apiKey);
    await expect(read(`parley://calls/${String(row.id)}`, other)).rejects.toThrow(/not found/i);
    const flowsOnly = await connect(await makeKey("FLOWS_READ"));
    await expect(read(`parley://calls/${String(row.id)}`, flowsOnly)).rejects.toThrow(/403.*CALL_HISTORY_READ/);
    const templates = (await flowsOnly.listResourceTemplates()).resourceTemplates.map(({ name }) => name);
    expect(templates).toEqual(["flow"]);
    await other.close();
    await flowsOnly.close();
  });

  test.each(["parley://docs/../package", "parley://calls/42", "file:///etc/passwd", "parley://flows/..%2Fagents"])(
    "%s is not there",
    async (uri) => expect(client.readResource({ uri })).rejects.toThrow(/not found/i),
  );

  test.each([
    ["parley://docs/flow", "parley://docs/flows"],
    ["parley://docs/cli.md", "parley://docs/cli"],
    ["parley://docs/Web-Hooks", "parley://docs/webhooks"],
  ])("%s names the page that was meant", async (uri, nearest) => {
    await expect(client.readResource({ uri })).rejects.toThrow(`Resource not found: ${uri}. Did you mean ${nearest}?`);
  });
});

describe("prompts", () => {
  test("name only tools and pages that there are", async () => {
    const { prompts } = await client.listPrompts();
    const tools = await namesFor(world.sample.apiKey, "?toolsets=all");
    const pages = (await client.listResources()).resources.map(({ uri }) => uri);
    const unknown: string[] = [];
    for (const { name, arguments: declared = [] } of prompts) {
      const args = Object.fromEntries(declared.map((argument) => [argument.name, `<${argument.name}>`]));
      const { messages } = await client.getPrompt({ name, arguments: args });
      const text = (messages[0]?.content as { text: string } | undefined)?.text ?? "";
      for (const argument of declared) expect(text, name).toContain(`<${argument.name}>`);
      const named = text.match(/\b(?:[a-z]+_)+[a-z]+\b/g) ?? [];
      unknown.push(...named.filter((word) => !tools.includes(word)));
      unknown.push(...(text.match(/parley:[\w/]+/g) ?? []).filter((uri) => !pages.includes(uri)));
    }
    expect([prompts.length > 2, unknown]).toEqual([true, []]);
  });

  test("a missing argument and an unknown prompt are refused", async () => {
    await expect(client.getPrompt({ name: "write_flow" })).rejects.toThrow(/purpose is required/);
    await expect(client.getPrompt({ name: "nonsense" })).rejects.toThrow(/Unknown prompt/);
  });
});
