import { afterAll, beforeAll, expect, test } from "vitest";
import type { Collection } from "#src/surfaces/cli/postman.ts";
import { FakeSystem } from "../kit/fake-system.ts";
import { freePort } from "../kit/free-port.ts";
import { World } from "../kit/world.ts";

type Item = Collection["item"][number]["item"][number];

let world: World;
let collection: Collection;
let items: Item[];
beforeAll(async () => {
  world = await World.start();
  await using system = new FakeSystem();
  system.env.PARLEY_URL = world.url;
  if ((await system.run("collection")) !== 0) throw new Error(system.err);
  collection = JSON.parse(system.out) as Collection;
  items = collection.item.flatMap(({ item }) => item);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Sends a request as Postman does: variables replaced, what is switched off left out. */
async function send({ request: { method, url, header, body } }: Item): Promise<number> {
  const enabled = header.filter(({ disabled }) => !disabled).map(({ key, value }): [string, string] => [key, value]);
  const reply = await fetch(url.raw.replace("{{baseUrl}}", collection.variable[0]?.value ?? ""), {
    method,
    headers: { "X-API-Key": world.sample.apiKey, ...Object.fromEntries(enabled) },
    ...(body ? { body: (body as { raw: string }).raw } : {}),
  });
  await reply.text();
  return reply.status;
}

test("it has each operation of the document once, in the folder of its tag, and no key", async () => {
  const { body } = await world.request("GET", "/openapi.json", { key: null });
  const paths = body.paths as Record<string, Record<string, { tags: string[] }>>;
  const expected = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags }]) => `${tags[0]} ${method.toUpperCase()} {{baseUrl}}${path}`),
  );
  const found = collection.item.flatMap(({ name, item }) =>
    item.map(({ request: { method, url } }) => `${name} ${method} ${url.raw.replaceAll(/:(\w+)/g, "{$1}")}`),
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(collection.variable.find(({ key }) => key === "apiKey")?.value).toBe("");
  for (const { request } of items) {
    const inPath = request.url.path.filter((part) => part.startsWith(":")).map((part) => part.slice(1));
    expect(request.url.variable.map(({ key }) => key)).toEqual(inPath);
  }
});

test("its lists can be sent as they are, and so can the call", async () => {
  const lists = items.filter(
    ({ name, request }) => request.method === "GET" && request.url.variable.length === 0 && name.startsWith("List "),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const item of lists) expect(await send(item), item.name).toBe(200);
  const call = items.find(({ name }) => name === "Queue one outbound call") as Item;
  expect(await send(call)).toBe(200);
});

test("a server that is not there, or is no Parley, is named", async () => {
  await using system = new FakeSystem();
  system.env.PARLEY_URL = `http://127.0.0.1:${await freePort()}`;
  expect(await system.run("collection")).toBe(7);
  expect(system.err).toContain(system.env.PARLEY_URL);
  await using other = new FakeSystem();
  await other.start(
    () => ({ body: {} }),
    () => ({ body: {} }),
  );
  other.env.PARLEY_URL = other.url;
  expect(await other.run("collection")).toBe(7);
  expect(other.out).toBe("");
});
