import Ajv2020 from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

/* What receivers get is what the document's section `webhooks` says. */

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}
interface Document {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
  components: { schemas: Record<string, Schema> };
}

let world: World;
let document: Document;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  const { body } = await world.request("GET", "/openapi.json", { key: null });
  document = body as unknown as Document;
});
afterAll(() => world[Symbol.asyncDispose]());

/** Returns the members of a value that its schema does not name. */
function unnamed(value: unknown, schema: Schema | undefined, path = ""): string[] {
  if (schema?.$ref) return unnamed(value, document.components.schemas[schema.$ref.split("/").at(-1) ?? ""], path);
  if (!schema?.properties || value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) =>
    schema.properties?.[name] ? unnamed(member, schema.properties[name], `${path}/${name}`) : [`${path}/${name}`],
  );
}

test("each event has the members that the document gives it", async () => {
  await using receiver = await Receiver.start();
  const { id: flowId } = world.sample.flow;
  await world.request("POST", "/session-webhooks", { body: { url: receiver.url } });
  await world.call("+12025550100", { flowId, contextData: { order: 7 } });
  const job = { rows: [{ customerNumber: "+12025550101" }], completionWebhook: { url: receiver.url } };
  await world.request("POST", "/call-jobs", { body: { ...job, flowId } });
  const chat = await world.request("POST", "/outbound/chats", { body: { channel: "CHAT", flowId } });
  const { id } = chat.body.session as { id: string };
  await world.request("POST", `/chat-sessions/${id}/messages`, { body: { content: "May I speak to a human?" } });
  await world.request("POST", `/chat-sessions/${id}/close`, { body: {} });
  const seen = () => receiver.received.map(({ body }) => JSON.parse(body) as { eventType: string; row: unknown });
  const named = () => [...new Set(seen().map(({ eventType }) => eventType))].toSorted();
  await expect
    .poll(named)
    .toEqual(expect.arrayContaining(["call_job.completed", "message.created", "session.ended", "session.started"]));
  expect(Object.keys(document.webhooks)).toEqual(expect.arrayContaining(named()));
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false, schemas: [{ $id: "doc", ...document }] });
  for (const event of seen()) {
    const { schema } = document.webhooks[event.eventType]?.post.requestBody.content["application/json"] ?? {};
    const isRight = ajv.validate({ $ref: `doc${schema?.$ref}` }, event);
    expect(isRight, `${event.eventType}: ${ajv.errorsText()}`).toBe(true);
    // A chat's session has members of its own.
    expect(unnamed(event, schema).filter((path) => event.row !== null || !path.startsWith("/session/"))).toEqual([]);
  }
});
