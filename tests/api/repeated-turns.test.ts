import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentHarness } from "../kit/agent-harness.ts";
import { ChatHarness } from "../kit/chat-harness.ts";
import { lastToolAnswer, type ModelServer } from "../kit/model-server.ts";
import type { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let harness: AgentHarness;
let world: World;
let model: ModelServer;

beforeAll(async () => {
  harness = await AgentHarness.open();
  ({ world, model } = harness);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

describe("a turn of a chat that is taken again because it could not be stored", () => {
  const PHONE = "+12025550171";
  /** Refuses the agent's reply, as a database does that goes away in the middle of a turn. */
  const refuseReplies = () =>
    world.database.query(
      "alter table chat_messages add constraint refused check (role <> 'ASSISTANT' or content <> 'Done.') not valid",
    );
  const allowReplies = () => world.database.query("alter table chat_messages drop constraint if exists refused");
  afterEach(allowReplies);

  /** Has the agent call a tool in answer to each message; its first reply of all is lost. */
  async function writeTwice(name: string, input: Json, body: Json = {}): Promise<{ id: string; answers: string[] }> {
    const chats = new ChatHarness(world);
    const flow = harness.flow({ toolIds: [harness.systemTool(name)], ...body });
    const { session } = await chats.started({ channel: "CHAT", contactPhone: PHONE, flow });
    const answers: string[] = [];
    await refuseReplies();
    model.think = (question) => {
      const answer = lastToolAnswer(question);
      if (answer === null) return { calls: [{ name, input }] };
      answers.push(answer);
      // The first reply is refused, the repeated turn's is stored.
      if (answers.length === 2) void allowReplies();
      return { text: "Done." };
    };
    await chats.post(session.id, "Please do it.");
    await world.until(`/chat-sessions/${session.id}/messages`, (page) => JSON.stringify(page).includes("Done."));
    return { id: session.id, answers };
  }

  test("sends its text message once, and the next turn sends another", async () => {
    const { id, answers } = await writeTwice("send_message", { text: "Your code is 8." });
    expect(answers.length).toBeGreaterThan(1);
    expect(new Set(answers)).toEqual(new Set(["ok: the SMS message is on its way"]));
    const sent = async () =>
      (await world.request("GET", `/chat-sessions?channel=SMS&contactPhone=${encodeURIComponent(PHONE)}`)).body.content;
    expect(await sent()).toHaveLength(1);
    await new ChatHarness(world).write(id, "Once more, please.");
    expect(await sent()).toHaveLength(2);
  });

  test("books its callback once, and tells the time of that one", async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const { answers } = await writeTwice("schedule_callback", { at, note: "" });
    expect(new Set(answers)).toEqual(new Set([`ok: they will be called at ${at.slice(0, 16)} (UTC)`]));
    const { body } = await world.request(
      "GET",
      `/call-history?customerNumber=${encodeURIComponent(PHONE)}&status=QUEUED`,
    );
    expect(body.content).toHaveLength(1);
  });

  test("writes its new record once", async () => {
    const { storeKey } = world.sample.application;
    await writeTwice("write_record", { storeKey, fields: { wish: "a balcony" } }, { storeKeys: [storeKey] });
    const rows = await world.database.query("select 1 from data_records where fields like '%a balcony%'");
    expect(rows).toHaveLength(1);
  });
});

test("a chat sends five text messages at most, whatever its turns", async () => {
  const chats = new ChatHarness(world);
  const flow = harness.flow({ toolIds: [harness.systemTool("send_message")] });
  const { session } = await chats.started({ channel: "CHAT", contactPhone: "+12025550178", flow });
  const answers: string[] = [];
  model.think = (question) => {
    const answer = lastToolAnswer(question);
    if (answer === null) return { calls: [{ name: "send_message", input: { text: "Hello." } }] };
    answers.push(answer);
    return { text: "Done." };
  };
  for (let turn = 0; turn < 6; turn++) await chats.write(session.id, "Write to me.");
  const sent = "ok: the SMS message is on its way";
  expect(answers).toEqual([sent, sent, sent, sent, sent, "failed: no more messages may be sent"]);
});
