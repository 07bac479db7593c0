import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiDocument, ApiSchemas, type DocumentedOperation } from "../kit/pages/api-schemas.ts";
import { World } from "../kit/world.ts";

interface Operation {
  operationId: string;
  tags: string[];
  description?: string;
  parameters?: { name: string; $ref?: string; description?: string; schema?: { description?: string } }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>;
}

let world: World;
let text: string;
let paths: Record<string, Record<string, Operation>>;
let tags: { name: string; description: string }[];
beforeAll(async () => {
  world = await World.start();
  const reply = await world.request("GET", "/openapi.json", { key: null });
  text = reply.text;
  paths = reply.body.paths as typeof paths;
  tags = reply.body.tags as typeof tags;
});
afterAll(() => world[Symbol.asyncDispose]());

test("lints clean by the recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  const problems = found.map((one) => `${one.ruleId} at ${one.location[0]?.pointer ?? ""}: ${one.message}`);
  // The authorize endpoint always refuses: it is there because MCP clients want its name.
  expect(
    problems.filter((one) => !one.startsWith("operation-2xx-response at #/paths/~1api~1oauth~1authorize")),
  ).toEqual([]);
});

/** Operations whose example names something outside, such as a carrier's trunk, or an object that a test has not made. */
const NOT_SENT = /^(postPhoneNumbers|postTranscriptions|postSimulations(Replays|Sentences)|postWebhooks|postModels)/;

test("each JSON body has an example, which is of its schema, and which its operation takes", async () => {
  const schemas = new ApiSchemas(JSON.parse(text) as ApiDocument);
  const place = schemas.operation("POST /outbound/calls");
  expect(schemas.findRequestFaults(place, { customerNumber: 7, customernumber: "+12025550100" })).toHaveLength(2);
  let sent = 0;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const body = operation.requestBody?.content["application/json"];
      if (!body) continue;
      expect(
        schemas.findRequestFaults(operation as unknown as DocumentedOperation, body.example),
        operation.operationId,
      ).toEqual([]);
      if (method !== "post" || path.includes("{") || NOT_SENT.test(operation.operationId)) continue;
      const strict = { prefer: "handling=strict" };
      const { status, text: reply } = await world.request("POST", path, { body: body.example, headers: strict });
      expect(status, `${path}: ${reply.slice(0, 500)}`).toBeLessThan(300);
      sent += 1;
    }
  }
  expect(sent).toBeGreaterThanOrEqual(18);
});

test("no operation changes its id, on which generated clients and tools of assistants depend", async () => {
  const ids = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  );
  // A new line is a new operation. A line that goes or changes is a break, to be named in CHANGELOG.md.
  await expect(`${ids.toSorted().join("\n")}\n`).toMatchFileSnapshot("operation-ids.txt");
});

test("every tag that an operation has is described, and none besides", () => {
  const used = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap((one) => one.tags));
  const described = tags.map(({ name }) => name);
  expect(described.toSorted()).toEqual([...new Set([...used, "Webhooks"])].toSorted());
  for (const { name, description } of tags) expect(description.length, name).toBeGreaterThan(20);
});

test("every operation and every parameter is described", () => {
  const bare: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { description, parameters = [] }] of Object.entries(methods)) {
      if (!description) bare.push(`${method} ${path}`);
      const silent = parameters.filter((one) => !one.$ref && !one.description && !one.schema?.description);
      bare.push(...silent.map(({ name }) => `${method} ${path} ${name}`));
    }
  }
  expect(bare).toEqual([]);
});

test("every operation of the spec is in it", () => {
  const listed = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`),
    ),
  );
  expect(SPEC_OPERATIONS.filter((operation) => !listed.has(operation))).toEqual([]);
});

test("every answer documents the rate-limit headers (Errors rule 2), and operation ids are unique", () => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map((one) => one.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      expect(Object.keys(response.headers ?? {}), `${operationId} ${status}`).toEqual(
        expect.arrayContaining([
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
          // Authentication, rule 2; RFC 6585, section 4.
          ...(status === "401" ? ["WWW-Authenticate"] : []),
          ...(status === "429" ? ["Retry-After"] : []),
        ]),
      );
    }
  }
});

test("a file has the content type that the document names", async () => {
  const row = await world.call("+12025550100");
  const files = {
    "/do-not-call/export": "/do-not-call/export",
    "/call-rows/{rowId}/recording": `/call-rows/${String(row.id)}/recording`,
    "/artifacts/{id}/content": `/artifacts/${world.sample.automation.artifactId}/content`,
  };
  for (const [path, address] of Object.entries(files)) {
    const { status, headers } = await world.request("GET", address);
    expect(status, path).toBe(200);
    const named = Object.keys(paths[`${V1}${path}`]?.get?.responses["200"]?.content ?? {});
    expect(named, path).not.toContain("application/json");
    const sent = headers.get("content-type")?.split(";")[0];
    expect(sent, path).toMatch(/^\w+\/[\w.+-]+$/);
    expect([sent, "*/*"], path).toContain(named[0]);
  }
});

/** The tables of the spec's section "Endpoints", and the endpoints it refers to elsewhere. */
const V1 = "/api/external/v1";
const SPEC_OPERATIONS = [
  ...["GET", "POST", "PUT", "PATCH", "DELETE"].flatMap((method) => [
    `${method} ${V1}/test/sync-echo`,
    `${method} ${V1}/test/async-echo`,
  ]),
  `GET ${V1}/tools`,
  `POST ${V1}/tools`,
  `GET ${V1}/tools/{}`,
  `PUT ${V1}/tools/{}`,
  `DELETE ${V1}/tools/{}`,
  `GET ${V1}/structured-outputs`,
  `POST ${V1}/structured-outputs`,
  `PUT ${V1}/structured-outputs/{}`,
  `DELETE ${V1}/structured-outputs/{}`,
  `GET ${V1}/phone-numbers`,
  `POST ${V1}/phone-numbers`,
  `PUT ${V1}/phone-numbers/{}`,
  `DELETE ${V1}/phone-numbers/{}`,
  `GET ${V1}/flows/{}`,
  `PUT ${V1}/flows/{}`,
  `DELETE ${V1}/flows/{}`,
  `PUT ${V1}/applications/{}/stores/{}/{}`,
  `DELETE ${V1}/applications/{}/stores/{}/{}`,
  `PUT ${V1}/agents/{}/knowledge-base/items/{}`,
  `DELETE ${V1}/agents/{}/knowledge-base/items/{}`,
  `POST ${V1}/outbound/calls`,
  `POST ${V1}/outbound/chats`,
  `POST ${V1}/transcriptions/jobs/{}/recordings`,
  `POST ${V1}/transcriptions/jobs/{}/recordings/upload`,
  `GET ${V1}/artifacts/{}`,
  `GET ${V1}/automations/{}/artifacts`,
  `GET ${V1}/call-history`,
  `GET ${V1}/call-rows/{}`,
  `GET ${V1}/call-jobs/{}`,
  `GET ${V1}/call-jobs/{}/rows`,
  `GET ${V1}/balance`,
  `GET ${V1}/metadata/fields`,
  "GET /metadata/fields",
  `POST ${V1}/call-jobs`,
  "POST /api/oauth/token",
  "GET /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-authorization-server",
  "GET /.well-known/oauth-protected-resource/api/mcp",
  "GET /.well-known/oauth-protected-resource/api/external/v1",
];
