import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiSchemas, type ApiDocument } from "../kit/pages/api-schemas.ts";
import { type Block, type BlockKind, findBlocks } from "../kit/pages/blocks.ts";
import { DocumentedServer } from "../kit/pages/documented-server.ts";
import { findOutputFaults } from "../kit/pages/outputs.ts";
import { runCommands } from "../kit/pages/page-commands.ts";
import { runProgram, SDK_PYTHON, withoutPython } from "../kit/python.ts";

/* Commands, programs, requests and answers of the documentation, with one server for all of them. */

const blocks = findBlocks();
const of = (...kinds: BlockKind[]) => blocks.filter(({ test: { kind } }) => kinds.includes(kind));
const pagesOf = (...kinds: BlockKind[]) => [...new Set(of(...kinds).map(({ page }) => page))];
const title = (block: Block) => [`${block.page}:${block.line} ${block.info}`, block] as const;

let server: DocumentedServer;
let schemas: ApiSchemas;
beforeAll(async () => {
  server = await DocumentedServer.start();
  schemas = new ApiSchemas((await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument);
});
afterAll(() => server[Symbol.asyncDispose]());

describe("commands", () => {
  test.each(pagesOf("COMMANDS"))("%s", async (page) => {
    const own = blocks.filter((block) => block.page === page);
    const { code, output, outputs } = await runCommands(own, await server.prepare(page, own));
    expect(code, output).toBe(0);
    let ran = 0;
    for (const { test: how, line, text } of own) {
      if (how.kind === "COMMANDS") ran += 1;
      if (how.kind !== "OUTPUT") continue;
      const real = outputs[ran - 1] ?? "";
      expect(findOutputFaults(text, real, how.what === "figures"), `${page}:${line} in\n${real}`).toEqual([]);
    }
  });
});

describe.skipIf(withoutPython !== "")(`programs in Python${withoutPython}`, () => {
  test.each(pagesOf("PROGRAM_PYTHON"))("%s", async (page) => {
    const own = of("PROGRAM_PYTHON").filter((block) => block.page === page);
    const { env, files } = await server.prepare(page, own);
    const program = own.map(({ text }) => text).join("\n");
    const { code, output } = await runProgram("python3", ["-c", program], {
      cwd: server.makeFolder(files),
      env: { ...env, PYTHONPATH: `${SDK_PYTHON}/src`, PYTHONDONTWRITEBYTECODE: "1" },
    });
    expect(code, output).toBe(0);
  });
});

describe("JSON", () => {
  test.each(of("REQUEST").map(title))("%s", async (_, { text, test: { what } }) => {
    const body: unknown = JSON.parse(text);
    expect(schemas.findRequestFaults(schemas.operation(what), body)).toEqual([]);
    if (text.includes("…")) return;
    const { status, reply } = await server.send(what, body);
    expect(status, reply).toBeLessThan(300);
  });

  test.each(of("REPLY", "EVENT", "SCHEMA").map(title))("%s", (_, { text, test: { kind, what } }) => {
    const value: unknown = JSON.parse(text);
    const compared = {
      EVENT: () => schemas.findEventFaults(what, value),
      SCHEMA: () => schemas.findSchemaFaults(what, value),
      REPLY: () => schemas.findReplyFaults(schemas.operation(what), value),
    };
    expect(compared[kind as keyof typeof compared]()).toEqual([]);
  });
});

describe("parts of other pages and programs", () => {
  test.each(of("PAGE_PART").map(title))("%s", async (_, { text }) => {
    const [, path = ""] = /<script src="https:\/\/parley\.example\.com(\/[\w.-]+)"/.exec(text) ?? [];
    const reply = await fetch(server.url + path);
    expect([reply.status, reply.headers.get("content-type")?.split(";")[0]]).toEqual([200, "text/javascript"]);
    const script = await reply.text();
    // As an attribute, or as the property that a page's script reads it by.
    const names = [...text.matchAll(/ ([a-z]+-[a-z]+)=|<([a-z]+-[a-z]+)/g)].map(([, name, tag]) => name ?? tag ?? "");
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      expect([script.includes(name), script.includes(name.replace("data-", "dataset."))]).toContain(true);
  });

  test.each(of("MCP_SETTINGS").map(title))("%s", async (_, { text }) => {
    const [, path = ""] = /^url = "https:\/\/your-host(\/\S+)"$/m.exec(text) ?? [];
    const [, header = ""] = /^http_headers = \{ ([\w-]+) = "YOUR_API_KEY" \}$/m.exec(text) ?? [];
    const { PARLEY_API_KEY = "" } = (await server.prepare("", [])).env;
    const reply = await fetch(server.url + path, {
      method: "POST",
      headers: {
        [header]: PARLEY_API_KEY,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain("place_call");
  });
});
