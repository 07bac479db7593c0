import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Parley } from "../../sdk/src/client.ts";
import { ROOT } from "../kit/repository.ts";
import { METHODS } from "../kit/sdk-generator/names.ts";
import { type ApiDocument, type Operation, readOperations } from "../kit/sdk-generator/operations.ts";
import { writeResources } from "../kit/sdk-generator/resources.ts";
import { writeShapes } from "../kit/sdk-generator/shapes.ts";
import { World } from "../kit/world.ts";

/* `npm test -- --only tests tests/sdk/generated.test.ts -u` writes sdk/src/generated anew. */

const FOLDER = join(ROOT, "sdk/src/generated");

let document: ApiDocument;
let operations: Operation[];
beforeAll(async () => {
  // Closed at once: the generator keeps this process from its heartbeat.
  await using world = await World.start();
  const { body } = await world.request("GET", "/openapi.json", { key: null });
  document = body as unknown as ApiDocument;
  operations = readOperations(document);
});

test("the generated sources are those of the document", async () => {
  const files = writeResources(operations, document.components.schemas);
  files.set("shapes.ts", await writeShapes(document, operations));
  for (const [name, text] of files) await expect(text).toMatchFileSnapshot(join(FOLDER, name));
  expect(readdirSync(FOLDER).toSorted()).toEqual([...files.keys()].toSorted());
});

test("a client has a method for every operation that names.ts names, and every resource", () => {
  const client = new Parley({ apiKey: "none" }) as unknown as Record<string, Record<string, unknown>>;
  const missing = operations.filter(({ resource, method }) => typeof client[resource]?.[method] !== "function");
  expect(missing.map(({ resource, method }) => `${resource}.${method}`)).toEqual([]);
  expect(Object.keys(METHODS).length).toBeGreaterThan(20);
});

test("an operation that has no name fails the generator, and so does a name without an operation", () => {
  const { "/api/external/v1/balance": balance, ...paths } = document.paths;
  expect(() => readOperations({ ...document, paths })).toThrow("GET /api/external/v1/balance");
  const more = { ...document.paths, "/api/external/v1/new-thing": balance ?? {} };
  expect(() => readOperations({ ...document, paths: more })).toThrow("GET /api/external/v1/new-thing");
});
