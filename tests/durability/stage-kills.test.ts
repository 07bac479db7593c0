import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { ServerProcess } from "../kit/server-process.ts";

/* The server is killed between the turns of a chat, which goes on in the stage where it was. */

type Json = Record<string, unknown>;

let database: TestDatabase;
let server: ServerProcess;
let key: string;
beforeAll(async () => {
  database = await createDatabase();
  server = await ServerProcess.create({ DATABASE_URL: database.url });
  await server.start();
  key = String(
    (await server.operator("workspace.create", { name: "Kills", sample: true, sandboxSpeed: "instant" })).apiKey,
  );
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function ask(method: string, path: string, body?: Json): Promise<Json> {
  const reply = await fetch(`${server.url}/api/external/v1${path}`, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${await reply.text()}`);
  return (await reply.json()) as Json;
}

const properties = Object.fromEntries(
  ["one", "two", "three"].map((name) => [name, { type: "boolean", description: `Is it ${name}?` }]),
);
const names = Object.keys(properties);
const stages = [
  ...names.map((name, i) => ({
    id: name,
    type: "TALK",
    fields: [name],
    edges: [{ id: "on", to: names[i + 1] ?? "bye", when: { type: "COLLECTED" } }],
  })),
  { id: "bye", type: "END", onEntry: [{ type: "SAY", text: "Goodbye." }] },
];

test("a chat goes on in its stage after each kill -9", async () => {
  const flow = {
    name: "Kills",
    firstMessage: "Hello.",
    structuredOutputs: [{ name: "all", schema: { type: "object", properties } }],
    stages,
  };
  const { session } = (await ask("POST", "/outbound/chats", { channel: "CHAT", flow })) as { session: { id: string } };
  const said: string[] = [];
  for (const content of ["Hello", "Yes", "No", "Yes"]) {
    const reply = await ask("POST", `/chat-sessions/${session.id}/messages`, { content });
    said.push((reply.messages as { content: string }[]).at(-1)?.content ?? "");
    server.kill();
    await server.start();
  }
  expect(said).toEqual(["Is it one?", "Is it two?", "Is it three?", "Goodbye."]);
  await expect
    .poll(() => ask("GET", `/chat-sessions/${session.id}`), { timeout: 30_000, interval: 100 })
    .toMatchObject({ extractedFields: { one: true, two: false, three: true } });
});
