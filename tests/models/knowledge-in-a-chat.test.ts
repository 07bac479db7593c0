import { afterAll, beforeAll, expect, test } from "vitest";
import { type Chat, ChatHarness } from "../kit/chat-harness.ts";
import { World } from "../kit/world.ts";

let world: World;
let harness: ChatHarness;
beforeAll(async () => {
  world = await World.start();
  harness = new ChatHarness(world);
  const { agent } = world.sample;
  const item = `/agents/${agent.id}/knowledge-base/items/${agent.knowledgeBaseItemId}`;
  await world.until(item, (body) => body.status === "READY");
});
afterAll(() => world[Symbol.asyncDispose]());

const replies = (chat: Chat): string[] =>
  chat.messages.filter(({ role }) => role === "ASSISTANT").map(({ content }) => content);

test("the sample agent answers from its knowledge base, cites it, and goes on with its questions", async () => {
  const chat = await harness.started({ channel: "CHAT", flowId: world.sample.flow.id, contactName: "Ada" });
  const { id } = chat.session;
  const asked = replies(await harness.write(id, "Hi, where can I park?")).at(-1);
  expect(asked).toMatch(/^Parking is free for two hours behind the building\. Will you be able to come/);
  const hours = replies(await harness.write(id, "Yes. Are you open on Saturday?")).at(-1);
  expect(hours).toMatch(/on Saturday from 9 a\.m\. to noon\..*How many people will come\?$/);
  const unknown = replies(await harness.write(id, "Two. Do you treat horses?")).at(-1);
  expect(unknown).toBe("I am sorry, I do not know that. Would you like a colleague to call you back about it?");
  expect(replies(await harness.write(id, "No, thanks.")).at(-1)).toContain("How should we remind you");
  await harness.write(id, "By e-mail, please.");
  const over = await world.until(
    `/chat-sessions/${id}`,
    (body) => body.endReason === "AGENT_ENDED_CHAT" && body.structuredOutputs !== null,
  );
  expect(over.extractedFields).toEqual({ confirmed: true, partySize: 2, contactChannel: "e-mail" });
});
