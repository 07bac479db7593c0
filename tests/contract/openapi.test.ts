import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

interface Operation {
  operationId: string;
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

let world: World;
let text: string;
let paths: Record<string, Record<string, Operation>>;
beforeAll(async () => {
  world = await World.start();
  const reply = await world.request("GET", "/openapi.json", { key: null });
  text = reply.text;
  paths = reply.body.paths as typeof paths;
});
afterAll(() => world[Symbol.asyncDispose]());

test("lints clean by the recommended rules", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    // The service is not licensed to others.
    rules: { "info-license": "off" },
  });
  const found = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  const problems = found.map((one) => `${one.ruleId} at ${one.location[0]?.pointer ?? ""}: ${one.message}`);
  // The authorize endpoint always refuses: it is there because MCP clients want its name.
  expect(
    problems.filter((one) => !one.startsWith("operation-2xx-response at #/paths/~1api~1oauth~1authorize")),
  ).toEqual([]);
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
        expect.arrayContaining(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]),
      );
    }
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
