import { type McpServerFactory, Server } from "@modelcontextprotocol/server";
import { expect, test, vi } from "vitest";
import { Subscriptions } from "./subscriptions.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const BODY = {
  jsonrpc: "2.0",
  id: 7,
  method: "subscriptions/listen",
  params: { _meta: META, notifications: { toolsListChanged: true } },
};

const factory: McpServerFactory = () =>
  new Server({ name: "test", version: "1" }, { capabilities: { tools: { listChanged: true } } });

type Read = () => Promise<ReadonlySet<string> | undefined>;

/** Opens a stream of a credential that begins with the permission A. */
async function open(readPermissions: Read, signal = new AbortController().signal) {
  const request = new Request("http://127.0.0.1/api/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
    body: JSON.stringify(BODY),
    signal,
  });
  const subscriptions = new Subscriptions(factory, 0, 5);
  const asked = { request, permissions: new Set(["A"]), readPermissions };
  const response = await subscriptions.open(asked, { parsedBody: BODY });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  return response.body?.pipeThrough(new TextDecoderStream()).getReader() as ReadableStreamDefaultReader<string>;
}

async function readAll(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
}

const CHANGED = /notifications\/tools\/list_changed/g;

test("each change of the permissions is told once, and the stream ends with the credential", async () => {
  const readings = [["A"], ["A", "B"], ["B", "A"], new Error("away"), ["B"], undefined];
  const read: Read = async () => {
    const next = readings.shift();
    if (next instanceof Error) throw next;
    return next && new Set(next);
  };
  const text = await readAll(await open(read));
  expect(text).toContain("notifications/subscriptions/acknowledged");
  expect(text.match(CHANGED)).toHaveLength(2);
});

test("nothing is read any more after the client has gone", async () => {
  const leaving = new AbortController();
  let reads = 0;
  const reader = await open(async () => {
    if (++reads === 2) leaving.abort();
    return new Set(["A"]);
  }, leaving.signal);
  await readAll(reader).catch(() => undefined);
  await vi.waitFor(() => expect(reads).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reads).toBe(2);
});
