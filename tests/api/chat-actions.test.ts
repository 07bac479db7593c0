import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatHarness } from "../kit/chat-harness.ts";
import { setUpOwner } from "../kit/console-harness.ts";
import { EventReader } from "../kit/event-reader.ts";
import { type TestReply, World } from "../kit/world.ts";

/* The actions that a chat's reply offers, compared with what the requests accept, in every state. */

let world: World;
let harness: ChatHarness;
beforeAll(async () => {
  world = await World.start();
  harness = new ChatHarness(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const pathOf = (id: string) => `/chat-sessions/${id}`;

const REQUESTS: Record<string, (id: string) => Promise<TestReply>> = {
  takeOver: (id) => world.request("POST", `${pathOf(id)}/take-over?assignee=Berta`),
  handBack: (id) => world.request("POST", `${pathOf(id)}/hand-back`),
  write: (id) => harness.post(id, "Berta here.", { role: "AGENT" }),
  close: (id) => world.request("POST", `${pathOf(id)}/close`),
};

const HANDED_OFF = "status = 'HANDED_OFF', mode = 'MANUAL', ai_mode = 'PAUSED'";
const over = (status: string) => `status = '${status}', ai_mode = 'OFF', ended_at = now(), finished_at = now()`;

const CHATS: Record<string, { change: string; offered: string[]; repeats: string[] }> = {
  ACTIVE: { change: "status = 'ACTIVE'", offered: ["takeOver", "write", "close"], repeats: ["handBack"] },
  WAITING: {
    change: `${HANDED_OFF}, human_requested_at = now()`,
    offered: ["takeOver", "handBack", "write", "close"],
    repeats: [],
  },
  TAKEN_OVER: {
    change: `${HANDED_OFF}, assignee = 'Berta'`,
    offered: ["handBack", "write", "close"],
    repeats: ["takeOver"],
  },
  "HANDED_OFF without a flow": {
    change: `${HANDED_OFF}, flow_id = null, is_inline = false`,
    offered: ["write", "close"],
    repeats: ["takeOver"],
  },
  CLOSED: { change: over("CLOSED"), offered: [], repeats: ["close"] },
  EXPIRED: { change: over("EXPIRED"), offered: [], repeats: ["close"] },
  FAILED: { change: over("FAILED"), offered: [], repeats: ["close"] },
};

test.each(Object.entries(CHATS))(
  "a chat that is %s takes the actions that it offers, and no other",
  async (_state, { change, offered, repeats }) => {
    for (const [action, send] of Object.entries(REQUESTS)) {
      const { session } = await harness.started({ channel: "CHAT" });
      await world.database.query(`update chat_sessions set ${change} where id = $1`, [session.id]);
      const before = await harness.read(session.id);
      expect(before.actions).toEqual(offered);
      const reply = await send(session.id);
      const isTaken = offered.includes(action) || repeats.includes(action);
      expect([action, reply.status], reply.text).toEqual([action, isTaken ? 200 : 409]);
      const after = await harness.read(session.id);
      // An action that is not offered changes nothing, repeat or not.
      expect((offered.includes(action) ? before : after).actions).toEqual(before.actions);
    }
  },
);

test("the list offers what each chat does", async () => {
  const { session } = await harness.started({ channel: "CHAT" });
  const { content } = (await world.request("GET", "/chat-sessions?size=200")).body as { content: TestReply["body"][] };
  const listed = content.find(({ id }) => id === session.id);
  expect(listed?.actions).toEqual((await harness.read(session.id)).actions);
});

test("a page hears that another took a chat over or handed it back, so that it reads the actions anew", async () => {
  const owner = await setUpOwner(world);
  const { session } = await harness.started({ channel: "CHAT" });
  const url = `${world.url}/api/console/workspaces/${world.sample.workspaceId}/events`;
  const stream = await EventReader.open(url, { cookie: owner.cookie ?? "" });
  await stream.until(({ type }) => type === "hello");
  for (const [action, type] of [
    ["takeOver", "chat.taken_over"],
    ["handBack", "chat.handed_back"],
  ] as const) {
    expect((await REQUESTS[action]?.(session.id))?.status).toBe(200);
    await stream.until(
      (frame) =>
        frame.type === "chats.changed" &&
        JSON.stringify(frame.data).includes(`"sessionId":"${session.id}","type":"${type}"`),
    );
  }
  stream.close();
});
