import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool, connectMcp } from "../kit/mcp-client.ts";
import { type TestReply, World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await World.start();
  client = await connectMcp(world, world.sample.apiKey);
});
afterAll(async () => {
  await client.close();
  await world[Symbol.asyncDispose]();
});

const call = (name: string, args: Json) => callTool(client, name, args);

test("what a write warns of is in a tool's result", async () => {
  const made = await call("create_flow", { name: "Warned", firstMesage: "Hello." });
  const warning = { member: "firstMesage", nearest: "firstMessage" };
  expect(made.data, made.text).toMatchObject({ name: "Warned", warnings: [warning], warningsTotal: 1 });
  const placed = await call("place_call_and_wait", { customerNumber: "+12025550100", contactNam: "Ada" });
  expect(placed.data, placed.text).toMatchObject({ finished: true, warnings: [{ nearest: "contactName" }] });
});

test("contextData of a tool is taken and given back as over HTTP, whatever JSON it is; other arguments are not", async () => {
  const contextData = '{"nul":"a\\u0000b","half":"\\ud800","n":1.10,"__proto__":1e400}';
  const ask = (name: string, args: string) =>
    world.request("POST", "/api/mcp", {
      raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`,
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
    });
  // The answer of this era is an event.
  const textOf = ({ text }: TestReply) => {
    const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}") as {
      result?: { content: { text: string }[] };
    };
    return result?.content[0]?.text;
  };
  const placed = await ask("place_call", `{"customerNumber":"+12025550100","contextData":${contextData}}`);
  expect(placed.status, placed.text).toBe(200);
  expect(textOf(placed)).toContain(contextData);
  const direct = await world.request("POST", "/outbound/calls", {
    raw: `{"customerNumber":"+12025550100","contextData":${contextData}}`,
  });
  expect([direct.status, direct.text.includes(contextData)]).toEqual([200, true]);
  const job = await ask("create_call_job", `{"rows":[{"customerNumber":"+12025550100","contextData":${contextData}}]}`);
  expect(textOf(job), job.text).toContain('"acceptedRows":1');
  const name = await ask("place_call", `{"customerNumber":"+12025550100","contactName":"a\\u0000b"}`);
  expect([name.status, name.text]).toEqual([400, expect.stringContaining("NUL") as string]);
});
