import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";

const session = { id: "s 1", status: "ACTIVE", endReason: null, endedAt: null, structuredOutputs: null };
const ended = {
  ...session,
  status: "CLOSED",
  endReason: "AGENT_ENDED_CHAT",
  endedAt: "2026-01-01T00:00:00Z",
  structuredOutputs: {},
  extractedFields: { day: "Monday" },
};
const says = (role: string, content: string) => ({ id: content, role, content, toolCallId: null, createdAt: "" });

test("each line is written into the chat, the agent's answers are printed, and its end is shown", async () => {
  await using system = new FakeSystem();
  const replies = [
    { session, messages: [says("ASSISTANT", "Hello.")] },
    { session, messages: [says("USER", "Monday"), says("TOOL", "{}"), says("ASSISTANT", "Fine.")] },
    { session: ended, messages: [says("USER", "Bye"), says("ASSISTANT", "Goodbye.")] },
    ended,
  ];
  await system.start(
    () => ({ body: replies.shift() }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  system.lines = ["Monday", "Bye", "never sent"];
  expect(await system.run("chat", "--flow", "f", "--name", "Ada")).toBe(0);
  expect(system.out).toBe(
    "agent Hello.\ntool  {}\nagent Fine.\nagent Goodbye.\nCLOSED  AGENT_ENDED_CHAT\nday  Monday\n",
  );
  expect(system.api.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    "POST /api/external/v1/outbound/chats",
    "POST /api/external/v1/chat-sessions/s%201/messages",
    "POST /api/external/v1/chat-sessions/s%201/messages",
    "GET /api/external/v1/chat-sessions/s%201",
  ]);
  expect(JSON.parse(system.api[0]?.body ?? "")).toEqual({ channel: "CHAT", flowId: "f", contactName: "Ada" });
});

test("an empty line, or the end of what is piped in, closes the chat", async () => {
  await using system = new FakeSystem();
  const replies = [{ session, messages: [] }, ended, ended];
  await system.start(
    () => ({ body: replies.shift() }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  system.lines = [""];
  expect(await system.run("--json", "chat")).toBe(0);
  expect(system.api.at(1)?.url.pathname).toBe("/api/external/v1/chat-sessions/s%201/close");
  expect(JSON.parse(system.out)).toMatchObject({ status: "CLOSED" });
});
