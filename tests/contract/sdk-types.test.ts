import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";
import { World } from "../kit/world.ts";

/* The SDK is written by hand: its types must cover everything that the API takes and returns. */

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string;
  enum?: unknown[];
  const?: unknown;
}

const SDK = join(ROOT, "sdk/src");
const INTERFACE = /export interface (\w+)(?: extends ([^{]+))? \{\n([^]*?)\n\}/g;
const FIELD = /^ {2}(\w+)\??:/gm;

/** Types of the SDK that have another name in the document. */
const CALLED: Record<string, string> = {
  CreateCall: "PlaceCall",
  QueuedCall: "CallRef",
  PhoneNumber: "PhoneNumberResponse",
  CreateChat: "ExternalOutboundChatRequest",
};
/** Fields that the SDK expresses in another way, or that only the server sends. */
const LEFT_OUT: Record<string, string[]> = {
  // The list of numbers expresses it, too.
  CreateCallJob: ["fromPhoneNumber"],
  // Only in the reply; the SDK's type is the request.
  CompletionWebhook: ["signingSecret"],
};

let world: World;
let schemas: Record<string, Schema>;
beforeAll(async () => {
  world = await World.start();
  const { body } = await world.request("GET", "/openapi.json", { key: null });
  ({ schemas } = body.components as { schemas: Record<string, Schema> });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Returns the fields of each interface of the SDK, including inherited ones. */
function readInterfaces(): Map<string, Set<string>> {
  const files = readdirSync(SDK).filter((name) => name.endsWith("types.ts") || name === "calling-window.ts");
  const texts = files.map((name) => readFileSync(join(SDK, name), "utf8"));
  const found = texts.flatMap((text) => [...text.matchAll(INTERFACE)]);
  const own = new Map(found.map(([, name = "", , body = ""]) => [name, namesIn(body)]));
  const bases = new Map(found.map(([, name = "", bases = ""]) => [name, bases.match(/\w+/g) ?? []]));
  const all = (name: string): string[] => [...(own.get(name) ?? []), ...(bases.get(name) ?? []).flatMap(all)];
  return new Map([...own.keys()].map((name) => [name, new Set(all(name))]));
}

function namesIn(body: string): string[] {
  return [...body.matchAll(FIELD)].map(([, name = ""]) => name);
}

function fieldsOf(schema: Schema): string[] {
  const named = schema.$ref === undefined ? schema : (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  return [...Object.keys(named.properties ?? {}), ...(named.allOf ?? []).flatMap(fieldsOf)];
}

test("each type of the SDK has the fields that the document gives it", () => {
  const interfaces = readInterfaces();
  const missing: string[] = [];
  let compared = 0;
  for (const [name, fields] of interfaces) {
    const schema = schemas[CALLED[name] ?? name];
    if (!schema) continue;
    compared++;
    const expected = fieldsOf(schema).filter((field) => !LEFT_OUT[name]?.includes(field));
    missing.push(...expected.filter((field) => !fields.has(field)).map((field) => `${name}.${field}`));
  }
  expect(missing).toEqual([]);
  expect(compared).toBeGreaterThan(20);
});

test("a row of a job has the fields that the document gives it", () => {
  const row = schemas.CreateCallJob?.properties?.rows?.items ?? {};
  const fields = readInterfaces().get("CreateJobRow");
  expect(fieldsOf(row).filter((field) => !fields?.has(field))).toEqual([]);
  expect(fieldsOf(row).length).toBeGreaterThan(5);
});

/** Returns the values of each field that an interface declares as a union of texts, by its own body. */
function readUnions(): Map<string, Map<string, string[]>> {
  const files = readdirSync(SDK).filter((name) => name.endsWith("types.ts"));
  const texts = files.map((name) => readFileSync(join(SDK, name), "utf8"));
  const unions = (body: string) =>
    [...body.matchAll(/^ {2}(\w+)\??:((?:\s*\|?\s*(?:"[^"]+"|null))+);$/gm)]
      .map(
        ([, field = "", union = ""]) =>
          [field, [...union.matchAll(/"([^"]+)"/g)].map(([, value = ""]) => value)] as const,
      )
      .filter(([, values]) => values.length > 0);
  const found = texts.flatMap((text) => [...text.matchAll(INTERFACE)]);
  return new Map(found.map(([, name = "", , body = ""]) => [name, new Map(unions(body))]));
}

/** Returns the values that a schema allows; null where it allows any. */
function valuesOf(schema: Schema | undefined): string[] | null {
  if (schema?.$ref !== undefined) return valuesOf(schemas[schema.$ref.split("/").at(-1) ?? ""]);
  const own = schema?.enum ?? (schema?.const === undefined ? null : [schema.const]);
  const parts = [...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])].filter(({ type }) => type !== "null");
  if (own) return own.filter((value) => value !== null).map(String);
  if (parts.length === 0) return null;
  const all = parts.map(valuesOf);
  return all.includes(null) ? null : all.flatMap((values) => values ?? []);
}

test("each union of texts in the SDK has the values that the document gives it", () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const [name, unions] of readUnions()) {
    const properties = schemas[CALLED[name] ?? name]?.properties ?? {};
    for (const [field, values] of unions) {
      const expected = valuesOf(properties[field]);
      if (expected === null) continue;
      compared++;
      if (values.toSorted().join() !== expected.toSorted().join())
        wrong.push(`${name}.${field}: ${expected.join(", ")}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(20);
});
