import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

/* A misspelt member must not pass in silence: somebody would be called with the defaults. */

interface Warning {
  path: string;
  member: string;
  nearest: string | null;
  message: string;
}

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const strict = { prefer: "handling=strict" };
const number = "+12025550101";
const jobBody = {
  startAt: "2036-06-01T00:00:00Z",
  retryconfig: { maxAttempts: 9 },
  maxConcurency: 1,
  rows: [{ customerNumber: number, rowdata: { a: 1 } }],
};

function warningsOf(body: Record<string, unknown>): Pick<Warning, "path" | "member" | "nearest">[] {
  const warnings = (body.warnings ?? []) as Warning[];
  return warnings.map(({ path, member, nearest }) => ({ path, member, nearest }));
}

describe("a body with members that are not known", () => {
  test("is taken, and the reply names each with the nearest known one", async () => {
    const { status, body } = await world.request("POST", "/call-jobs", { body: jobBody });
    expect(status).toBe(200);
    expect(warningsOf(body)).toEqual([
      { path: "/retryconfig", member: "retryconfig", nearest: "retryConfig" },
      { path: "/maxConcurency", member: "maxConcurency", nearest: "maxConcurrency" },
      { path: "/rows/0/rowdata", member: "rowdata", nearest: "rowData" },
    ]);
    expect(body.warningsTotal).toBe(3);
    for (const { message } of body.warnings as Warning[]) expect(message).toMatch(/Did you mean/);
  });

  test("is told where variables go when it is beside rowData and like no other", async () => {
    const { body } = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: number, appointment: "Tuesday", contactNam: "Ada" },
    });
    const [own, misspelt] = (body.warnings as Warning[]).map(({ message }) => message);
    expect(own).toMatch(/Variables of the conversation go into rowData\.$/);
    expect(misspelt).toMatch(/Did you mean contactName\?$/);
    const refused = await world.request("POST", "/outbound/calls", {
      body: { customerNumber: number, appointment: "Tuesday" },
      headers: strict,
    });
    expect(refused.body.message).toMatch(/known here\. Variables of the conversation go into rowData\.$/);
  });

  test("is refused as a whole when the caller prefers strict handling", async () => {
    const before = await world.request("GET", "/call-jobs");
    const { status, headers, body } = await world.request("POST", "/call-jobs", { body: jobBody, headers: strict });
    expect(status).toBe(422);
    expect(headers.get("preference-applied")).toBe("handling=strict");
    expect((body.details as { path: string }[]).map(({ path }) => path)).toEqual([
      "retryconfig",
      "maxConcurency",
      "rows.0.rowdata",
    ]);
    const after = await world.request("GET", "/call-jobs");
    expect(after.body.totalElements).toBe(before.body.totalElements);
  });

  test("is named beside what is missing, whoever found that it is", async () => {
    const call = await world.request("POST", "/outbound/calls", { body: { customerNumbr: number } });
    const tool = await world.request("POST", "/tools", {
      body: { nam: "look_up", description: "x", toolType: "CODE" },
    });
    const details = (body: Record<string, unknown>) =>
      (body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
    expect([call.status, details(call.body)]).toEqual([
      422,
      ["customerNumber REQUIRED", "customerNumbr UNKNOWN_FIELD"],
    ]);
    expect(call.body.message).toContain("Did you mean customerNumber?");
    expect(tool.status).toBe(422);
    expect(details(tool.body)).toEqual(expect.arrayContaining(["name REQUIRED", "nam UNKNOWN_FIELD"]));
  });

  test("is named at any depth, also in a flow that is sent along", async () => {
    const body = { customerNumber: number, flow: { name: "x", turnTaking: { bargeinMs: 300 }, promt: "Be short." } };
    const { body: reply } = await world.request("POST", "/outbound/calls", { body });
    expect(warningsOf(reply)).toEqual([
      { path: "/flow/turnTaking/bargeinMs", member: "bargeinMs", nearest: "bargeInMs" },
      { path: "/flow/promt", member: "promt", nearest: "masterPrompt" },
    ]);
  });

  test("is told of 20 of them, and how many there are", async () => {
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`zzzz${i}`, i]));
    const { body } = await world.request("POST", "/outbound/calls", { body: { customerNumber: number, ...many } });
    expect(body.warnings).toHaveLength(20);
    expect(body.warningsTotal).toBe(33);
    expect(warningsOf(body)[0]).toEqual({ path: "/zzzz0", member: "zzzz0", nearest: null });
  });

  test("is warned of again by the repeat of an Idempotency-Key", async () => {
    const headers = { "idempotency-key": "with-warnings" };
    const body = { customerNumber: number, contextdata: { a: 1 } };
    const first = await world.request("POST", "/outbound/calls", { body, headers });
    const second = await world.request("POST", "/outbound/calls", { body, headers });
    expect(warningsOf(first.body)).toEqual([{ path: "/contextdata", member: "contextdata", nearest: "contextData" }]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
    const job = { ...jobBody, name: "twice" };
    const made = await world.request("POST", "/call-jobs", { body: job, headers });
    const again = await world.request("POST", "/call-jobs", { body: job, headers });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.text).toBe(made.text);
  });

  test("is warned of in the payload of a form", async () => {
    const form = new FormData();
    form.append("file", new Blob(["customerNumber\n+12025550102\n"], { type: "text/csv" }), "a.csv");
    form.append("payload", JSON.stringify({ startAt: jobBody.startAt, maxConcurency: 1 }));
    const reply = await fetch(`${world.url}/api/external/v1/call-jobs`, {
      method: "POST",
      headers: { "x-api-key": world.sample.apiKey },
      body: form,
    });
    expect(reply.status).toBe(200);
    expect(warningsOf((await reply.json()) as Record<string, unknown>)).toEqual([
      { path: "/maxConcurency", member: "maxConcurency", nearest: "maxConcurrency" },
    ]);
  });

  test("is warned of when rows are appended or tried out", async () => {
    const made = await world.request("POST", "/call-jobs", { body: { startAt: jobBody.startAt, rows: jobBody.rows } });
    const rows = [{ customerNumber: "+12025550103", externalID: "7", phone: "x" }];
    const appended = await world.request("POST", `/call-jobs/${String(made.body.id)}/rows`, { body: { rows } });
    expect(warningsOf(appended.body)).toEqual([
      { path: "/rows/0/externalID", member: "externalID", nearest: "externalId" },
      { path: "/rows/0/phone", member: "phone", nearest: null },
    ]);
    const tried = await world.request("POST", "/call-jobs/preflight", { body: { rows, startat: "x" } });
    expect(warningsOf(tried.body).map(({ path }) => path)).toContain("/startat");
  });
});

describe("no warning is given", () => {
  test("for what the caller names by himself", async () => {
    const free = { anything: { goes: [{ here: 1 }] } };
    const body = { customerNumber: number, rowData: free, contextData: free };
    const call = await world.request("POST", "/outbound/calls", { body, headers: strict });
    expect(call.status).toBe(200);
    expect(call.body).not.toHaveProperty("warnings");
    const { id, storeKey, recordId } = world.sample.application;
    const record = { ...free, metadata: free };
    const path = `/applications/${id}/stores/${storeKey}/${recordId}`;
    const written = await world.request("PUT", path, { body: record, headers: strict });
    expect(written.status).toBe(200);
    const schema = { type: "object", properties: { paid: { type: "boolean" } }, "x-own": free };
    const output = { name: "Paid", description: "", schema };
    expect((await world.request("POST", "/structured-outputs", { body: output, headers: strict })).status).toBe(201);
  });

  test("for a whole resource that is sent back as it was read", async () => {
    const tool = {
      name: "look_up",
      description: "Looks up.",
      toolType: "API",
      apiMethod: "GET",
      apiUrl: "https://example.com/a",
      parameters: [{ name: "q", type: "string", description: "What." }],
    };
    const made = await world.request("POST", "/tools", { body: tool });
    expect(made.status).toBe(201);
    const output = { name: "Back", description: "", schema: { type: "object", properties: {} } };
    const outputId = String((await world.request("POST", "/structured-outputs", { body: output })).body.id);
    const outputs = await world.request("GET", "/structured-outputs");
    const stored = (outputs.body as unknown as { id: string }[]).find(({ id }) => id === outputId);
    const numbers = await world.request("GET", "/phone-numbers");
    // A number without a trunk reads null there, which a change does not take.
    const [{ sipTrunk: _, ...phone }] = numbers.body as unknown as [{ id: string; sipTrunk: unknown }];
    const { flow, agent, application } = world.sample;
    const item = `/agents/${agent.id}/knowledge-base/items/${agent.knowledgeBaseItemId}`;
    const read = async (path: string) => [path, (await world.request("GET", path)).body] as const;
    const resources = [
      await read(`/tools/${String(made.body.id)}`),
      await read(`/flows/${flow.id}`),
      await read(item),
      await read(`/applications/${application.id}/stores/${application.storeKey}/${application.recordId}`),
      [`/structured-outputs/${outputId}`, stored] as const,
      [`/phone-numbers/${phone.id}`, phone] as const,
    ];
    for (const [path, body] of resources) {
      const { status, text } = await world.request("PUT", path, { body, headers: strict });
      expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
    }
  });
});

describe("a query parameter that is not known", () => {
  test("is refused with the nearest one", async () => {
    for (const path of ["/call-jobs?satus=RUNNING", "/call-jobs?status=RUNNING&satus=PAUSED"]) {
      const { status, body } = await world.request("GET", path);
      expect([path, status]).toEqual([path, 400]);
      expect(body.details).toEqual([
        expect.objectContaining({ path: "satus", message: expect.stringMatching(/Did you mean status\?/) as string }),
      ]);
    }
    for (const path of ["/tools?name=x", `/flows/${world.sample.flow.id}?full=1`, "/balance?x"])
      expect([path, (await world.request("GET", path)).status]).toEqual([path, 400]);
  });

  test("is refused for a CSV before a line of it is read", async () => {
    const options = { raw: "customerNumber\n+12025550104\n", headers: { "content-type": "text/csv" } };
    const { status, text } = await world.request("POST", "/call-jobs?maxAttemps=5", options);
    expect(status).toBe(400);
    expect(text).toContain("Did you mean maxAttempts?");
  });

  test("is echoed by the echo endpoints, and let pass where others make the addresses", async () => {
    const echo = await world.request("GET", "/test/sync-echo?any=1&thing=2");
    expect(echo.body.query).toEqual({ any: "1", thing: "2" });
    const later = await world.request("POST", "/test/async-echo?any=1&delaySeconds=120", { body: {} });
    expect(later.status).toBe(202);
    for (const path of ["/health?probe=1", "/openapi.json?v=2", "/.well-known/oauth-authorization-server?x=1"])
      expect((await world.request("GET", path, { key: null })).status).toBe(200);
  });
});

test("the document tells of the warnings and of the header", async () => {
  const { body } = await world.request("GET", "/openapi.json", { key: null });
  const paths = body.paths as Record<string, Record<string, { parameters: { name: string }[]; responses: object }>>;
  const place = paths["/api/external/v1/outbound/calls"]?.post;
  expect(place?.parameters.map(({ name }) => name)).toContain("Prefer");
  expect(JSON.stringify(place?.responses)).toContain('"#/components/schemas/CallRef"');
  const { CallRef } = (body.components as { schemas: Record<string, { properties: object }> }).schemas;
  expect(Object.keys(CallRef?.properties ?? {}).slice(-2)).toEqual(["warnings", "warningsTotal"]);
});
