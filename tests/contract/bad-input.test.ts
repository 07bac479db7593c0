import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
});
afterAll(() => world[Symbol.asyncDispose]());

async function countCreated(): Promise<number> {
  const [row] = await world.database.query<{ n: number }>(
    "select ((select count(*) from call_rows) + (select count(*) from call_jobs))::int as n",
  );
  return row?.n ?? -1;
}

const call = (fields: object) => JSON.stringify({ customerNumber: "+12025550100", ...fields });

describe("POST /outbound/calls refuses, names the field and creates nothing", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const cases: [string, string, number, string][] = [
    ["broken JSON", '{"customerNumber":', 400, ""],
    ["an array", "[]", 400, ""],
    ["no body", "", 400, ""],
    ["no number", "{}", 422, "customerNumber"],
    ["a number of the wrong type", '{"customerNumber":12025550100}', 400, "customerNumber"],
    ["a null number", '{"customerNumber":null}', 400, "customerNumber"],
    ["a number that is not E.164", '{"customerNumber":"0202 555"}', 422, "customerNumber"],
    ["an extension", '{"customerNumber":"+12025550100;ext=5"}', 422, "customerNumber"],
    ["full-width digits", '{"customerNumber":"+１２０２５５５０１００"}', 422, "customerNumber"],
    ["an unknown flow", call({ flowId: "0198c0de-0000-7000-8000-000000000000" }), 404, ""],
    ["an unknown flow by apiId", call({ flowApiId: "nothing" }), 404, ""],
    ["both selectors", call({ flowApiId: "appointment-reminder", flow: { name: "x" } }), 400, "flow"],
    ["an unknown calling number", call({ fromPhoneNumber: "+12025550155" }), 404, ""],
    ["a suspended calling number", call({ fromPhoneNumber: "+12025550192" }), 409, ""],
    ["an e-mail address that is none", call({ contactEmail: "not an email" }), 422, "contactEmail"],
    ["two e-mail addresses", call({ contactEmail: "a@example.com, b@example.com" }), 422, "contactEmail"],
    ["a text of 100 kB", call({ contactName: "x".repeat(100_000) }), 422, "contactName"],
    ["rowData of 100 kB", call({ rowData: { text: "x".repeat(100_000) } }), 422, "rowData"],
    ["contextData of 100 kB", call({ contextData: { text: "x".repeat(100_000) } }), 422, "contextData"],
    ["rowData that is a list", call({ rowData: [] }), 400, "rowData"],
    ["10,000 nested arrays", `{"customerNumber":"+12025550100","rowData":{"a":${nested(10_000)}}}`, 400, ""],
    ["a __proto__ key", '{"customerNumber":"+12025550100","rowData":{"__proto__":{"x":1}}}', 400, "rowData.__proto__"],
    ["a NUL character", call({ contactName: "a\u0000b" }), 400, "contactName"],
    ["a NUL in rowData", call({ rowData: { a: "\u0000" } }), 400, "rowData.a"],
    ["half a surrogate pair", '{"customerNumber":"+12025550100","contactName":"\\ud800"}', 400, "contactName"],
    ["a number too large", '{"customerNumber":"+12025550100","rowData":{"n":1e400}}', 400, "rowData.n"],
    [
      "an unusable inline schema",
      call({ flow: { structuredOutputs: [{ name: "a", schema: { type: "string" } }] } }),
      422,
      "flow.structuredOutputs.0.schema.type",
    ],
    [
      "a hostile pattern",
      call({
        flow: {
          structuredOutputs: [{ name: "a", schema: { type: "object", properties: { x: { pattern: "(?=a)" } } } }],
        },
      }),
      422,
      "flow.structuredOutputs.0.schema.properties.x.pattern",
    ],
  ];
  test.each(cases)("%s", async (_name, raw, status, path) => {
    const before = await countCreated();
    const reply = await world.request("POST", "/outbound/calls", { raw });
    expect(reply.status, reply.text).toBe(status);
    // Without a path the fault lies in the body as a whole; an empty text is part of every text.
    const paths = ((reply.body.details ?? []) as { path: string }[]).map((detail) => detail.path);
    expect(["", ...paths]).toContain(path);
    expect(await countCreated()).toBe(before);
  });

  test("an e-mail address in any script is taken, an empty one is none, and chats ask for one, too", async () => {
    for (const contactEmail of ["ada@example.com", "\u00fc@b\u00fccher.example", "o'neil+x@a.b.example", "", null]) {
      const reply = await world.request("POST", "/outbound/calls", { raw: call({ contactEmail }) });
      expect(reply.status, reply.text).toBe(200);
    }
    const body = { channel: "CHAT", contactIdentifier: "ada", contactEmail: "@" };
    const chat = await world.request("POST", "/outbound/chats", { body });
    expect([chat.status, (chat.body.details as { path: string }[])[0]?.path]).toEqual([422, "contactEmail"]);
  });

  test("bytes that are not UTF-8", async () => {
    const raw = Buffer.concat([
      Buffer.from('{"customerNumber":"+12025550100","contactName":"'),
      Buffer.of(0xff),
      Buffer.from('"}'),
    ]);
    expect((await world.request("POST", "/outbound/calls", { raw })).status).toBe(400);
  });

  test("64 levels are taken, 65 are not", async () => {
    const body = (levels: number) => `{"customerNumber":"+12025550100","rowData":{"a":${nested(levels)}}}`;
    expect((await world.request("POST", "/outbound/calls", { raw: body(62) })).status).toBe(200);
    expect((await world.request("POST", "/outbound/calls", { raw: body(63) })).status).toBe(400);
  });
});

describe("POST /call-jobs as CSV refuses, names the field and creates nothing", () => {
  const wide = Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(",");
  const cases: [string, string | Uint8Array, number, string][] = [
    ["an empty file", "", 422, "file"],
    ["a header without rows", "customerNumber\n", 422, "rows"],
    ["a file without the number's column", "name\nAnna\n", 422, "customerNumber"],
    ["10,000 columns", `customerNumber,${wide}\n+12025550100\n`, 422, "file"],
    ["a column named twice", "customerNumber,a,a\n+12025550100,1,2\n", 422, "file"],
    ["two columns for the number", "customerNumber,phone\n+12025550100,+12025550100\n", 422, "file"],
    ["a __proto__ column", "customerNumber,__proto__\n+12025550100,1\n", 422, "file"],
    ["a NUL character", "customerNumber\n+12025550100\u0000\n", 422, "file"],
    ["UTF-16 that is none", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41]), 422, "file"],
    ["UTF-16 without its mark", Buffer.from("customerNumber\n+12025550100\n", "utf16le"), 422, "file"],
    ["only broken rows", "customerNumber\nabc\n", 422, "rows.2.customerNumber"],
    ["an e-mail address that is none", "phone,email\n+12025550100,at home\n", 422, "rows.2.contactEmail"],
  ];
  test.each(cases)("%s", async (_name, raw, status, path) => {
    const before = await countCreated();
    const reply = await world.request("POST", "/call-jobs", { raw, headers: { "content-type": "text/csv" } });
    expect(reply.status, reply.text).toBe(status);
    expect((reply.body.details as { path: string }[]).map((detail) => detail.path)).toContain(path);
    expect(await countCreated()).toBe(before);
  });
});

describe("POST /call-jobs as JSON or multipart refuses bad settings", () => {
  const rows = [{ customerNumber: "+12025550100" }];
  const cases: [string, object, number, string][] = [
    ["no rows", { rows: [] }, 422, "rows"],
    ["rows that are no list", { rows: {} }, 400, "rows"],
    [
      "a webhook without a scheme",
      { rows, completionWebhook: { url: "example.com/hook" } },
      422,
      "completionWebhook.url",
    ],
    ["a webhook to a file", { rows, completionWebhook: { url: "file:///etc/passwd" } }, 422, "completionWebhook.url"],
    [
      "BEARER without a secret",
      { rows, completionWebhook: { url: "https://example.com/h", authMode: "BEARER" } },
      422,
      "completionWebhook.secret",
    ],
    [
      "a header that breaks the line",
      {
        rows,
        completionWebhook: {
          url: "https://example.com/h",
          authMode: "CUSTOM_HEADER",
          headerName: "X-A",
          headerValue: "a\r\nb: c",
        },
      },
      422,
      "completionWebhook.headerName",
    ],
    [
      "a header that is ours",
      {
        rows,
        completionWebhook: {
          url: "https://example.com/h",
          authMode: "CUSTOM_HEADER",
          headerName: "X-Service-Event-Id",
          headerValue: "a",
        },
      },
      422,
      "completionWebhook.headerName",
    ],
    [
      "an outcome that cannot be retried",
      { rows, retryConfig: { retryOn: ["ANSWERED"] } },
      422,
      "retryConfig.retryOn.0",
    ],
    ["a calling window that never opens", { rows, callingWindow: { windows: [] } }, 422, "callingWindow.windows"],
    [
      "a calling window that ends before it starts",
      { rows, callingWindow: { windows: [{ days: ["MON"], start: "18:00", end: "09:00" }] } },
      422,
      "callingWindow.windows.0.end",
    ],
    [
      "a calling window in a zone that does not exist",
      {
        rows,
        callingWindow: {
          timeZoneMode: "FIXED",
          timeZone: "Mars/Olympus",
          windows: [{ days: ["MON"], start: "09:00", end: "18:00" }],
        },
      },
      422,
      "callingWindow.timeZone",
    ],
    [
      "a calling window without a date that exists",
      {
        rows,
        callingWindow: { windows: [{ days: ["MON"], start: "09:00", end: "18:00" }], excludeDates: ["2026-02-30"] },
      },
      422,
      "callingWindow.excludeDates.0",
    ],
    ["a start that does not exist", { rows, startAt: "2026-13-45T00:00:00Z" }, 422, "startAt"],
  ];
  test.each(cases)("%s", async (_name, body, status, path) => {
    const before = await countCreated();
    const reply = await world.request("POST", "/call-jobs", { body });
    expect(reply.status, reply.text).toBe(status);
    expect((reply.body.details as { path: string }[]).map((detail) => detail.path)).toContain(path);
    expect(await countCreated()).toBe(before);
  });

  test("a multipart body without a boundary, without a file, and cut short", async () => {
    const form = (text: string, boundary = "b") => ({
      raw: text,
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    });
    expect(
      (await world.request("POST", "/call-jobs", { raw: "x", headers: { "content-type": "multipart/form-data" } }))
        .status,
    ).toBe(400);
    const part = '--b\r\ncontent-disposition: form-data; name="payload"\r\n\r\n{}\r\n';
    expect((await world.request("POST", "/call-jobs", form(`${part}--b--\r\n`))).status).toBe(422);
    const file =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="../../x"\r\n\r\ncustomerNumber\n+12025550100\n';
    expect((await world.request("POST", "/call-jobs", form(file))).status).toBe(400);
    expect(await countCreated()).toBeGreaterThan(0);
  });

  test("a file that is no UTF-8 text is refused as soon as it is seen", async () => {
    for (const bytes of [Buffer.from("customerNumber\n+1\0\n"), Buffer.from([0x63, 0xff, 0xfe, 0x0a])]) {
      const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
      const raw = Buffer.concat([Buffer.from(head), bytes, Buffer.alloc(300_000, 10), Buffer.from("\r\n--x--\r\n")]);
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      const reply = await world.request("POST", "/call-jobs", { raw, headers });
      expect([reply.status, (reply.body.details as { path: string }[])[0]?.path]).toEqual([422, "file"]);
    }
  });
});

/** Text parameters of a documented operation, in its path or its query. */
type Operation = { parameters?: { name: string; in: string; schema: { type?: string; format?: string } }[] };

test("a NUL in any text of a path or a query is the caller's fault, never an error of ours", async () => {
  const { body } = await world.request("GET", "/openapi.json", { key: null });
  const base = "/api/external/v1";
  let tried = 0;
  for (const [path, item] of Object.entries(body.paths as Record<string, Record<string, Operation>>)) {
    // The echoes take any text.
    if (!path.startsWith(base) || path.startsWith(`${base}/test/`)) continue;
    for (const [method, { parameters = [] }] of Object.entries(item)) {
      const known = parameters.filter(({ schema }) => schema.type === "string");
      for (const chosen of known) {
        const filled = path.slice(base.length).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          if (name === chosen.name) return "a%00b";
          const isId = parameters.find((one) => one.name === name)?.schema.format === "uuid";
          return isId ? "01a206d5-8a39-70bd-bb66-2f64d7cded3a" : "a";
        });
        const query = chosen.in === "query" ? `?${chosen.name}=a%00b` : "";
        const reply = await world.request(method.toUpperCase(), filled + query);
        tried++;
        expect([400, 404, 405, 415, 422], `${method} ${filled}${query}: ${reply.text}`).toContain(reply.status);
      }
    }
  }
  expect(tried).toBeGreaterThan(50);
});

test("what a creation needs is in its document: among the required members, or in its description", async () => {
  interface Operation {
    description?: string;
    requestBody?: { content: Record<string, { schema: { $ref?: string; required?: string[] }; example?: object }> };
  }
  const { body: document } = await world.request("GET", "/openapi.json", { key: null });
  const { schemas } = document.components as { schemas: Record<string, { required?: string[] }> };
  const ids: Record<string, string> = { agentId: world.sample.agent.id, appId: world.sample.application.id };
  const base = "/api/external/v1";
  const told = /Required: ([^.]*)\./;
  let asked = 0;
  for (const [path, { post }] of Object.entries(document.paths as Record<string, { post?: Operation }>)) {
    const { schema, example = {} } = post?.requestBody?.content["application/json"] ?? {};
    const url = path.slice(base.length).replaceAll(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);
    if (!schema || !path.startsWith(base) || url.includes("{")) continue;
    const required = [
      ...((schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1) ?? ""])?.required ?? []),
      ...(told.exec(post?.description ?? "")?.[1]?.split(/\W+/) ?? []),
    ];
    const sent: Record<string, unknown> = {};
    for (let tries = 0; tries < 5; tries++) {
      const reply = await world.request("POST", url, { body: sent });
      const faults = (reply.body.details ?? []) as { path: string; code: string }[];
      const missing = faults.flatMap(({ path: name, code }) => (code === "REQUIRED" ? [name] : []));
      expect(required, `${url}: ${reply.text}`).toEqual(expect.arrayContaining(missing));
      if (missing.length === 0 || missing.some((name) => name in sent)) break;
      for (const name of missing) sent[name] = (example as Record<string, unknown>)[name];
      asked++;
    }
  }
  expect(asked).toBeGreaterThan(15);
});
