import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const SCHEMA = { type: "object", properties: { colour: { type: "string", enum: ["red", "blue"] } } };
const FIELDS = ["id", "name", "description", "schema", "condition", "fillDuring", "version", "createdAt", "updatedAt"];

function create(body: Record<string, unknown>) {
  return world.request("POST", "/structured-outputs", { body });
}

describe("Structured outputs", () => {
  test("GET answers 200 with a bare array of StructuredOutput", async () => {
    const made = await create({ name: "listed", schema: SCHEMA });
    const { status, body } = await world.request("GET", "/structured-outputs");
    expect([status, Array.isArray(body)]).toEqual([200, true]);
    const found = (body as unknown as { id: string }[]).find((one) => one.id === made.body.id);
    expect(found).toEqual(made.body);
  });

  test("POST answers 201 with every field, null when unset", async () => {
    const { status, body } = await create({ name: "made", schema: SCHEMA });
    expect([status, Object.keys(body).toSorted()]).toEqual([201, FIELDS.toSorted()]);
    expect(body).toMatchObject({ name: "made", description: null, schema: SCHEMA, version: 1 });
  });

  test("PUT answers 200; incoming fields are merged: sent ones replace, absent ones stay, null clears", async () => {
    const made = await create({ name: "before", description: "kept", schema: SCHEMA });
    const path = `/structured-outputs/${String(made.body.id)}`;
    const renamed = await world.request("PUT", path, { body: { name: "after" } });
    expect([renamed.status, renamed.body.name, renamed.body.description, renamed.body.version]).toEqual([
      200,
      "after",
      "kept",
      2,
    ]);
    const other = { type: "object", properties: { size: { type: "integer" } } };
    const replaced = await world.request("PUT", path, { body: { schema: other, description: null } });
    expect([replaced.body.schema, replaced.body.description]).toEqual([other, null]);
    expect((await world.request("PUT", path, { body: { name: null } })).status).toBe(400);
  });

  test("PUT ignores what the server owns, so that a whole output may be sent back", async () => {
    const made = await create({ name: "whole", schema: SCHEMA });
    const path = `/structured-outputs/${String(made.body.id)}`;
    const sent = { ...made.body, id: "x", version: 99, createdAt: 5, updatedAt: null };
    const reply = await world.request("PUT", path, { body: sent });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body).toMatchObject({ id: made.body.id, createdAt: made.body.createdAt, version: 2 });
  });

  test("condition and fillDuring are merged like the other fields; a condition that cannot be parsed is refused", async () => {
    const condition = "{% if answered %}1{% endif %}";
    const made = await create({ name: "conditional", schema: SCHEMA, condition, fillDuring: true });
    expect(made.body).toMatchObject({ condition, fillDuring: true });
    const path = `/structured-outputs/${String(made.body.id)}`;
    const renamed = await world.request("PUT", path, { body: { name: "renamed" } });
    expect(renamed.body).toMatchObject({ condition, fillDuring: true });
    const cleared = await world.request("PUT", path, { body: { condition: null, fillDuring: null } });
    expect(cleared.body).toMatchObject({ condition: null, fillDuring: null, name: "renamed" });
    for (const reply of [
      await create({ name: "broken", schema: SCHEMA, condition: "{% if %" }),
      await world.request("PUT", path, { body: { condition: "{{ a" } }),
    ]) {
      expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([422, "condition"]);
    }
  });

  test("DELETE answers 204 and is permanent: a flow that used it fills what is left", async () => {
    const kept = await create({ name: "kept", schema: { type: "object", properties: { ok: { type: "boolean" } } } });
    const gone = await create({ name: "gone", schema: SCHEMA });
    const ids = [String(kept.body.id), String(gone.body.id)];
    const flow = await world.request("POST", "/flows", {
      body: { name: "Both", firstMessage: "Hello.", structuredOutputIds: ids },
    });
    const reply = await world.request("DELETE", `/structured-outputs/${ids[1]}`);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect((await world.request("PUT", `/structured-outputs/${ids[1]}`, { body: {} })).status).toBe(404);
    const row = await world.call("+12025550100", { flowId: flow.body.id });
    expect(Object.keys(row.structuredOutputs as object)).toEqual(["kept"]);
  });

  test("agents fill the schema during a session", async () => {
    const made = await create({
      name: "visit",
      schema: {
        type: "object",
        properties: { coming: { type: "boolean", description: "Will you come?" } },
        required: ["coming"],
      },
    });
    const flow = { name: "x", firstMessage: "Hello.", structuredOutputIds: [made.body.id] };
    const row = await world.call("+12025550100", { flow });
    expect(row.structuredOutputs).toMatchObject({ visit: { value: { coming: true }, valid: true, errors: [] } });
    expect(row.extractedFields).toEqual({ coming: true });
  });
});

describe("a schema is checked as JSON Schema 2020-12, with the path of each fault", () => {
  const cases: [string, unknown, string][] = [
    ["no object at the top", { type: "array" }, "schema.type"],
    ["an unknown type", { type: "object", properties: { a: { type: "text" } } }, "schema.properties.a.type"],
    ["required that is no list", { type: "object", required: "a" }, "schema.required"],
    ["a pattern that does not compile", withPattern("("), "schema.properties.a.pattern"],
    [
      "a pattern with a back-reference, which no linear engine runs",
      withPattern("(a)\\1"),
      "schema.properties.a.pattern",
    ],
    ["a reference to another document", { type: "object", $ref: "https://example.com/schema" }, "schema.$ref"],
    [
      "a reference to nowhere",
      { type: "object", properties: { a: { $ref: "#/$defs/none" } } },
      "schema.properties.a.$ref",
    ],
  ];
  test.each(cases)("422 for %s", async (_name, schema, path) => {
    const { status, body } = await create({ name: "bad", schema });
    expect([status, (body.details as { path: string }[] | undefined)?.[0]?.path]).toEqual([422, path]);
  });

  test("a pattern that would run for ages elsewhere is answered at once", async () => {
    const made = await create({ name: "slow", schema: withPattern("^(a+)+$") });
    expect(made.status, made.text).toBe(201);
    const flow = { name: "x", firstMessage: "Hi.", structuredOutputIds: [made.body.id] };
    const row = await world.call("+12025550100", { flow });
    expect(row.status).toBe("COMPLETED");
  });
});

function withPattern(pattern: string): unknown {
  return { type: "object", properties: { a: { type: "string", pattern } } };
}
