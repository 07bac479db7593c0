import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arbitraryOf, hostileText } from "./schema-arbitrary.ts";
import { World } from "./world.ts";

/** Requests in all; each run of the property sends a handful side by side. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const AT_ONCE = 20;
const HANG_MS = 30_000;
/** A run can be repeated with the seed that a failure prints. */
const SEED = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : undefined;

type Schema = Record<string, unknown>;
interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  schema: Schema;
}
interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | null;
  contentType: string;
  replies: Map<string, ValidateFunction>;
}
interface Shot {
  /** Place in `operations`: a counterexample is easier to read without its schemas. */
  operation: number;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

let world: World;
let operations: Operation[];
let components: Record<string, Schema>;
let ownIds: string[];

beforeAll(async () => {
  world = await World.start();
  const { body } = await world.request("GET", "/openapi.json", { key: null });
  components = (body.components as { schemas: Record<string, Schema> }).schemas;
  operations = readOperations(body);
  ownIds = [...JSON.stringify(world.sample).matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)].map(([id]) => id);
});
afterAll(() => world[Symbol.asyncDispose]());

function readOperations(document: Record<string, unknown>): Operation[] {
  const ajv = new Ajv2020.default({ strict: false, formats: { "date-time": true } });
  ajv.addSchema({ $id: "document", components: document.components });
  const compile = (schema: Schema) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as Schema);
  const paths = document.paths as Record<string, Record<string, Record<string, unknown>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => {
      const content = (one.requestBody as { content?: Record<string, { schema: Schema }> } | undefined)?.content ?? {};
      const [contentType = "", described] = Object.entries(content)[0] ?? [];
      const replies = new Map<string, ValidateFunction>();
      for (const [status, reply] of Object.entries(one.responses as Record<string, { content?: typeof content }>)) {
        const schema = reply.content?.["application/json"]?.schema;
        if (schema) replies.set(status, compile(schema));
      }
      return {
        method: method.toUpperCase(),
        path,
        parameters: (one.parameters ?? []) as Parameter[],
        body: described?.schema ?? null,
        contentType,
        replies,
      };
    }),
  );
}

const pathValue = () =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...ownIds, "customers", "appointment-reminder"), weight: 5 },
    { arbitrary: fc.uuid(), weight: 2 },
    { arbitrary: hostileText, weight: 1 },
  );

function shotOf(operation: Operation): fc.Arbitrary<Shot> {
  const inPath = operation.parameters.filter((one) => one.in === "path");
  const inQuery = operation.parameters.filter((one) => one.in === "query");
  const query = fc.record(Object.fromEntries(inQuery.map((one) => [one.name, arbitraryOf(one.schema, components)])), {
    requiredKeys: [],
  });
  const key = fc.oneof({ arbitrary: fc.constant(null), weight: 8 }, { arbitrary: hostileText, weight: 1 });
  const origin = fc.oneof({ arbitrary: fc.constant(null), weight: 8 }, { arbitrary: hostileText, weight: 1 });
  const body = operation.body === null ? fc.constant(undefined) : bodyOf(operation);
  const credential = fc.oneof(
    { arbitrary: fc.constant("own"), weight: 20 },
    { arbitrary: fc.constantFrom("none", "wrong"), weight: 1 },
  );
  return fc
    .tuple(fc.tuple(...inPath.map(pathValue)), query, key, origin, body, credential)
    .map(([values, params, idempotencyKey, aiOrigin, text, who]) => {
      let at = 0;
      const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(wellFormed(String(values[at++]))));
      const search = new URLSearchParams(
        Object.entries(params).map(([name, value]): [string, string] => [
          name,
          wellFormed(typeof value === "string" ? value : (JSON.stringify(value) ?? "")),
        ]),
      );
      return {
        operation: operations.indexOf(operation),
        url: `${path}?${search.toString()}`,
        headers: {
          ...(who === "none" ? {} : { "x-api-key": who === "own" ? world.sample.apiKey : "svc_live_wrong" }),
          ...(idempotencyKey === null ? {} : { "idempotency-key": asHeader(idempotencyKey) }),
          ...(aiOrigin === null ? {} : { "x-service-ai-origin": asHeader(aiOrigin) }),
          ...(text === undefined ? {} : { "content-type": operation.contentType.replace("*/*", "application/json") }),
        },
        body: ["GET", "HEAD"].includes(operation.method) ? undefined : text,
      };
    });
}

function bodyOf({ body, contentType }: Operation): fc.Arbitrary<string> {
  const value = arbitraryOf(body as Schema, components).map((one) => JSON.stringify(one) ?? "");
  const json = fc.oneof({ arbitrary: value, weight: 12 }, { arbitrary: hostileText, weight: 1 });
  if (contentType !== "multipart/form-data") return json;
  return fc.oneof(json, fc.constant("--x\r\n\r\n--x--"));
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** What a client's HTTP library will send at all. */
function asHeader(text: string): string {
  return text
    .replaceAll(/[^\t\x20-\x7e]/g, "?")
    .trim()
    .slice(0, 500);
}

async function fire({ operation: place, url, headers, body }: Shot): Promise<void> {
  const operation = operations[place] as Operation;
  const reply = await fetch(world.url + url, {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body }),
    redirect: "manual",
    signal: AbortSignal.timeout(HANG_MS),
  });
  const text = await reply.text();
  const told = `${operation.method} ${url} ${reply.status} ${text.slice(0, 600)}`;
  if (reply.status >= 500) throw new Error(`5xx: ${told}`);
  for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"]) {
    if (!reply.headers.has(name)) throw new Error(`no ${name}: ${told}`);
  }
  if (!(reply.headers.get("content-type") ?? "").startsWith("application/json")) {
    if (reply.status >= 400) throw new Error(`an error that is not JSON: ${told}`);
    return;
  }
  const validate = operation.replies.get(String(reply.status)) ?? operation.replies.get("default");
  if (validate && !validate(JSON.parse(text)))
    throw new Error(`not as documented: ${told} ${JSON.stringify(validate.errors)}`);
}

test(`${REQUESTS} requests made from the document: no 5xx, no hang, one error shape, rate-limit headers on every answer`, async () => {
  const shots = fc.array(fc.oneof(...operations.map(shotOf)), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(shots, async (round) => {
      await Promise.all(round.map(fire));
    }),
    {
      numRuns: Math.ceil(REQUESTS / AT_ONCE),
      interruptAfterTimeLimit: 420_000,
      ...(SEED === undefined ? {} : { seed: SEED }),
    },
  );
  const alive = await world.request("GET", "/flows");
  expect(alive.status).toBe(200);
}, 600_000);
