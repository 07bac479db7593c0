import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCustomerByPhone } from "#src/authoring/applications/customers.ts";
import { openDatabase } from "#src/platform/db/database.ts";
import { customFields, DataHarness } from "../kit/data-harness.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

type Body = TestReply["body"];
type Fault = { path: string; code: string };

const RANDOM = "00000000-0000-4000-8000-000000000000";
const NOT_FOUND = '404 {"error":"Not found"}';

let world: World;
let other: Sample;
let harness: DataHarness;
beforeAll(async () => {
  world = await World.start();
  other = await world.createWorkspace();
  harness = new DataHarness(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe("Data stores with a schema (extension)", () => {
  const SCHEMA = {
    type: "object",
    properties: {
      status: { type: "string", enum: ["OPEN", "DONE"] },
      lines: { type: "array", items: { type: "object", properties: { count: { type: "integer" } } } },
    },
    required: ["status"],
    additionalProperties: false,
  };

  test("refuse records that do not fit: 422 with the path of each fault; reserved names are not judged", async () => {
    const store = await harness.makeStore(SCHEMA);
    const path = await harness.makeRecord({ status: "OPEN", metadata: { free: 1 } }, store);
    const sent = { status: "LOST", lines: [{ count: 1 }, { count: "two" }], extra: 1 };
    for (const reply of [await harness.put(path, sent), await world.request("POST", store, { body: sent })]) {
      expect([reply.status, reply.body.code]).toEqual([422, "VALIDATION_FAILED"]);
      const paths = (reply.body.details as Fault[]).map((fault) => fault.path).toSorted();
      expect(paths).toEqual(["extra", "lines.1.count", "status"]);
    }
    expect(((await harness.put(path, {})).body.details as Fault[])[0]?.path).toBe("status");
    const before = (await world.request("GET", path)).body;
    expect(customFields(before)).toEqual({ status: "OPEN" });
    expect((await harness.put(path, { ...before, status: "DONE" })).status).toBe(200);
  });

  test("the schema itself is checked, and asks for no reserved name", async () => {
    const schemas: [object, string][] = [
      [{ type: "array" }, "schema.type"],
      [{ type: "object", properties: { a: { type: "nothing" } } }, "schema.properties.a.type"],
      [{ type: "object", properties: { a: { pattern: "(?=a)" } } }, "schema.properties.a.pattern"],
      [{ type: "object", properties: { id: {} } }, "schema.properties.id"],
      [{ type: "object", required: ["customerId"] }, "schema.required"],
    ];
    for (const [schema, path] of schemas) {
      const reply = await world.request("POST", harness.stores, { body: { key: "never", schema } });
      expect([reply.status, (reply.body.details as Fault[])[0]?.path], reply.text).toEqual([422, path]);
    }
  });

  test("a changed schema holds for what is written from then on; null takes it away", async () => {
    const store = await harness.makeStore();
    const path = await harness.makeRecord({ anything: 1 }, store);
    const changed = await harness.put(store, { schema: SCHEMA, name: "Tasks" });
    expect([changed.status, changed.body.name, changed.body.schema]).toEqual([200, "Tasks", SCHEMA]);
    expect(customFields((await world.request("GET", path)).body)).toEqual({ anything: 1 });
    expect((await harness.put(path, { anything: 2 })).status).toBe(422);
    expect((await harness.put(store, { schema: null })).body.schema).toBeNull();
    expect((await harness.put(path, { anything: 2 })).status).toBe(200);
  });
});

describe("Applications and data stores (extensions)", () => {
  test("applications are created, listed, read, merged and deleted", async () => {
    const made = await harness.make("/applications", { key: "shop", name: "Shop", description: "Sells." });
    expect(made).toMatchObject({ key: "shop", name: "Shop", description: "Sells." });
    const path = `/applications/${String(made.id)}`;
    expect((await world.request("GET", path)).body).toEqual(made);
    const changed = await harness.put(path, { ...made, description: null, id: "x" });
    expect(changed.body).toEqual({ ...made, description: null, updatedAt: changed.body.updatedAt });
    expect((await world.request("GET", "/applications?size=200")).body.content).toContainEqual(changed.body);
    expect((await harness.put(path, { key: "other" })).status).toBe(422);
    const taken = await world.request("POST", "/applications", { body: { key: "shop", name: "Again" } });
    expect([taken.status, taken.body.error]).toEqual([409, "Conflict"]);
    expect((await world.request("DELETE", path)).status).toBe(204);
    expect((await world.request("GET", path)).status).toBe(404);
  });

  test("a key is made of the name where none is sent; faults name the field", async () => {
    for (const name of ["Röntgen & Co", "123", "日本", "x".repeat(200)]) {
      const { key } = await harness.make("/applications", { name });
      expect(key).toMatch(/^[a-z][a-z0-9_-]{0,62}$/);
    }
    for (const [body, status, path] of [
      [{}, 422, "name"],
      [{ name: "" }, 422, "name"],
      [{ name: 5 }, 400, "name"],
      [{ name: "A", key: "Upper" }, 422, "key"],
    ] as const) {
      const reply = await world.request("POST", "/applications", { body });
      expect([reply.status, (reply.body.details as Fault[])[0]?.path]).toEqual([status, path]);
    }
  });

  test("stores are listed with their kind, and a key is taken once, the built-in one's too", async () => {
    const own = await harness.make("/applications", { name: "Stores" });
    const path = `/applications/${String(own.id)}/stores`;
    const made = await harness.make(path, { key: "orders" });
    expect(made).toMatchObject({ key: "orders", name: "orders", kind: "CUSTOM", schema: null });
    const { body } = await world.request("GET", path);
    const listed = (body.content as Body[]).map(({ key, kind }) => [key, kind]);
    expect([body.totalElements, listed]).toEqual([
      2,
      [
        ["customers", "BUILT_IN"],
        ["orders", "CUSTOM"],
      ],
    ]);
    const all = (await world.request("GET", "/data-stores?size=200")).body.content as Body[];
    const owned = all.filter(({ application }) => (application as Body).id === own.id);
    expect(owned.map(({ key, application }) => [key, (application as Body).name])).toEqual([
      ["customers", "Stores"],
      ["orders", "Stores"],
    ]);
    for (const key of ["orders", "customers"]) {
      expect((await world.request("POST", path, { body: { key } })).status).toBe(409);
    }
    expect((await world.request("POST", path, { body: {} })).status).toBe(422);
    expect((await harness.put(`${path}/orders`, { key: "other" })).status).toBe(422);
  });

  test("deleting a store deletes its records; an application that still has records is a 409", async () => {
    const own = await harness.make("/applications", { name: "Short-lived" });
    const path = `/applications/${String(own.id)}`;
    for (const key of ["one", "two"]) {
      await harness.make(`${path}/stores`, { key });
      await harness.make(`${path}/stores/${key}`, { a: 1 });
    }
    await harness.make(`${path}/customers`, { name: "C" });
    const count = async (table: string) =>
      (await world.database.query(`select 1 from ${table} where application_id = $1`, [own.id])).length;
    expect((await world.request("DELETE", `${path}/stores/one`)).status).toBe(204);
    expect([await count("data_stores"), await count("data_records")]).toEqual([2, 1]);
    const refused = await world.request("DELETE", path);
    expect([refused.status, refused.body.error, refused.body.code]).toEqual([409, "Conflict", "CONFLICT"]);
    expect([await count("data_stores"), await count("application_customers")]).toEqual([2, 1]);
    expect((await world.request("DELETE", `${path}/stores/two`)).status).toBe(204);
    expect((await world.request("DELETE", path)).status).toBe(204);
    for (const table of ["data_stores", "data_records", "application_customers"]) expect(await count(table)).toBe(0);
  });

  test("records are listed oldest first, page by page, and by customer", async () => {
    const store = await harness.makeStore();
    const customer = await harness.makeCustomer();
    for (const n of [1, 2, 3]) await harness.make(store, { n, customerId: n === 2 ? customer.id : null });
    const page = async (query: string) => (await world.request("GET", `${store}?${query}`)).body;
    const first = await page("size=2");
    expect((first.content as Body[]).map(({ n }) => n)).toEqual([1, 2]);
    expect([first.totalElements, first.last]).toEqual([3, false]);
    expect(((await page(`size=2&cursor=${String(first.nextCursor)}`)).content as Body[]).map(({ n }) => n)).toEqual([
      3,
    ]);
    expect(((await page("size=2&page=1")).content as Body[]).map(({ n }) => n)).toEqual([3]);
    expect(((await page(`customerId=${String(customer.id)}`)).content as Body[]).map(({ n }) => n)).toEqual([2]);
    expect((await page(`customerId=${RANDOM}`)).totalElements).toBe(0);
    expect((await world.request("GET", `${store}?customerId=x`)).status).toBe(400);
  });
});

describe("Customers of an application (extension)", () => {
  test("are created, read, merged and deleted; fields come back as sent, null clears", async () => {
    const made = await world.request("POST", `${harness.app}/customers`, {
      raw: '{"name":"Ada","email":"ada@example.com","phone":"+12025550120","externalId":"c-1","fields":{"v":1.0}}',
    });
    expect(made.text).toContain('"fields":{"v":1.0}');
    const path = `${harness.app}/customers/${String(made.body.id)}`;
    expect((await world.request("GET", path)).text).toBe(made.text);
    const changed = await harness.put(path, { email: null, id: "x", applicationId: 7 });
    expect(changed.body).toEqual({ ...made.body, email: null, updatedAt: changed.body.updatedAt });
    expect(changed.text).toContain('"fields":{"v":1.0}');
    expect((await harness.put(path, { fields: null })).body.fields).toEqual({});
    const record = await harness.makeRecord({ a: 1, customerId: made.body.id });
    expect((await world.request("DELETE", path)).status).toBe(204);
    expect((await world.request("GET", path)).status).toBe(404);
    expect((await world.request("GET", record)).body).toMatchObject({ a: 1, customerId: null });
  });

  test("are found by phone and by externalId, which is unique in an application", async () => {
    await harness.makeCustomer({ phone: "+12025550121", externalId: "unique-1" });
    const later = await harness.makeCustomer({ phone: "+12025550121" });
    const list = async (query: string) => (await world.request("GET", `${harness.app}/customers?${query}`)).body;
    expect((await list("phone=%2B12025550121")).totalElements).toBe(2);
    expect((await list("externalId=unique-1")).totalElements).toBe(1);
    expect((await list("externalId=%00")).code).toBe("INVALID_QUERY");
    for (const reply of [
      await world.request("POST", `${harness.app}/customers`, { body: { externalId: "unique-1" } }),
      await harness.put(`${harness.app}/customers/${String(later.id)}`, { externalId: "unique-1" }),
    ]) {
      expect([reply.status, reply.body.error]).toEqual([409, "Conflict"]);
    }
    const database = openDatabase({ connectionString: world.database.url }, { max: 1 }, () => undefined);
    const { workspaceId, application } = world.sample;
    const found = await findCustomerByPhone(database.db, workspaceId, application.id, "+12025550121");
    expect(found?.id).toBe(later.id);
    expect(await findCustomerByPhone(database.db, other.workspaceId, application.id, "+12025550121")).toBeUndefined();
    await database.close();
  });

  test("faults name the field: 400 for a wrong type, 422 for a broken rule", async () => {
    const faults: [object, number, string][] = [
      [{}, 422, "name"],
      [{ name: null }, 422, "name"],
      [{ name: 5 }, 400, "name"],
      [{ phone: "0202 555" }, 422, "phone"],
      [{ email: "nobody" }, 422, "email"],
      [{ name: "A", fields: [] }, 400, "fields"],
      [{ name: "A", fields: { t: "x".repeat(70_000) } }, 422, "fields"],
    ];
    for (const [body, status, path] of faults) {
      const reply = await world.request("POST", `${harness.app}/customers`, { body });
      expect([JSON.stringify(body).slice(0, 60), reply.status, (reply.body.details as Fault[])[0]?.path]).toEqual([
        JSON.stringify(body).slice(0, 60),
        status,
        path,
      ]);
    }
    const { id } = await harness.makeCustomer({ name: "Only a name" });
    expect((await harness.put(`${harness.app}/customers/${String(id)}`, { name: null })).status).toBe(422);
  });
});

describe("who may address what", () => {
  test("another workspace's application, store, record and customer read exactly as ids that never existed", async () => {
    const { id, storeKey, recordId, customerId } = other.application;
    const before = await world.request("GET", `/applications/${id}/stores/${storeKey}/${recordId}`, {
      key: other.apiKey,
    });
    const answers = new Set<string>();
    for (const [application, record, customer] of [
      [id, recordId, customerId],
      [RANDOM, RANDOM, RANDOM],
    ] as const) {
      const requests: [string, string, unknown?][] = [
        ["GET", `/applications/${application}`],
        ["PUT", `/applications/${application}`, { name: "Mine" }],
        ["DELETE", `/applications/${application}`],
        ["GET", `/applications/${application}/stores`],
        ["POST", `/applications/${application}/stores`, { key: "mine" }],
        ["PUT", `/applications/${application}/stores/${storeKey}`, { name: "Mine" }],
        ["DELETE", `/applications/${application}/stores/${storeKey}`],
        ["DELETE", `/applications/${application}/stores/customers`],
        ["GET", `/applications/${application}/stores/${storeKey}`],
        ["POST", `/applications/${application}/stores/${storeKey}`, { a: 1 }],
        ["GET", `/applications/${application}/stores/${storeKey}/${record}`],
        ["PUT", `/applications/${application}/stores/${storeKey}/${record}`, { a: 1 }],
        ["DELETE", `/applications/${application}/stores/${storeKey}/${record}`],
        ["PUT", `/applications/${application}/stores/customers/${customer}`, { a: 1 }],
        ["GET", `/applications/${application}/customers`],
        ["POST", `/applications/${application}/customers`, { name: "Mine" }],
        ["GET", `/applications/${application}/customers/${customer}`],
        ["PUT", `/applications/${application}/customers/${customer}`, { name: "Mine" }],
        ["DELETE", `/applications/${application}/customers/${customer}`],
        ["PUT", `${harness.stores}/${storeKey}/${record}`, { a: 1 }],
        ["DELETE", `${harness.stores}/${storeKey}/${record}`],
        ["GET", `${harness.app}/customers/${customer}`],
      ];
      for (const [method, path, body] of requests) {
        const reply = await world.request(method, path, body === undefined ? {} : { body });
        answers.add(`${reply.status} ${reply.text}`);
      }
    }
    expect([...answers]).toEqual([NOT_FOUND]);
    const after = await world.request("GET", `/applications/${id}/stores/${storeKey}/${recordId}`, {
      key: other.apiKey,
    });
    expect(after.text).toBe(before.text);
  });

  test("a record of another store of the same application is a 404", async () => {
    const [one, two] = [await harness.makeStore(), await harness.makeStore()];
    const path = await harness.makeRecord({ a: 1 }, one);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const reply = await world.request(method, path.replace(one, two), method === "PUT" ? { body: {} } : {});
      expect(`${reply.status} ${reply.text}`).toBe(NOT_FOUND);
    }
    expect((await world.request("GET", path)).status).toBe(200);
  });

  test("DATA_STORES_READ reads, DATA_STORES_WRITE writes, others are refused with 403", async () => {
    const path = await harness.makeRecord({ a: 1 });
    const statuses = [];
    for (const permissions of [["DATA_STORES_READ"], ["DATA_STORES_WRITE"], ["FLOWS"]]) {
      const made = await world.operator("key.create", { workspaceId: world.sample.workspaceId, permissions });
      const key = String(made.apiKey);
      statuses.push([
        (await world.request("GET", path, { key })).status,
        (await harness.put(path, {}, { key })).status,
      ]);
    }
    expect(statuses).toEqual([
      [200, 403],
      [403, 200],
      [403, 403],
    ]);
  });
});

test("writes, relinks and deletions at the same time: no 5xx, and no link to a customer that is gone", async () => {
  const own = await harness.make("/applications", { name: "Busy" });
  const path = `/applications/${String(own.id)}`;
  await harness.make(`${path}/stores`, { key: "s" });
  const customers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => harness.make(`${path}/customers`, { name: `${i}` })),
  );
  const records = await Promise.all(Array.from({ length: 12 }, (_, n) => harness.make(`${path}/stores/s`, { n })));
  const statuses = new Set<number>();
  const send = async (method: string, at: string, body?: unknown) =>
    statuses.add((await world.request(method, at, body === undefined ? {} : { body })).status);
  await Promise.all([
    ...records.flatMap(({ id }) =>
      customers.map((customer) => send("PUT", `${path}/stores/s/${String(id)}`, { customerId: customer.id })),
    ),
    ...customers.slice(0, 3).map(({ id }) => send("DELETE", `${path}/customers/${String(id)}`)),
    ...records.slice(0, 4).map(({ id }) => send("DELETE", `${path}/stores/s/${String(id)}`)),
  ]);
  expect([...statuses].filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
  const lost = `select 1 from data_records r where application_id = $1 and customer_id is not null
    and not exists (select 1 from application_customers c where c.id = r.customer_id)`;
  expect(await world.database.query(lost, [own.id])).toEqual([]);
  statuses.clear();
  await Promise.all([
    ...records.map(({ id }) => send("PUT", `${path}/stores/s/${String(id)}`, { customerId: customers[5]?.id })),
    ...customers.slice(3).map(({ id }) => send("DELETE", `${path}/customers/${String(id)}`)),
    send("DELETE", `${path}/stores/s`),
    send("DELETE", path),
  ]);
  // The application may be asked for before its store, with the records, is gone.
  expect([...statuses].filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
});

test("a customer is deleted while linked records are written: neither waits for the other for ever", async () => {
  const own = await harness.make("/applications", { name: "Busy" });
  const path = `/applications/${String(own.id)}`;
  await harness.make(`${path}/stores`, { key: "s" });
  const customer = await harness.make(`${path}/customers`, { name: "Ada" });
  const record = await harness.make(`${path}/stores/s`, { customerId: customer.id });
  const deleter = new pg.Client(world.database.url);
  await deleter.connect();
  // The deletion has locked the customer, and comes to the record later.
  await deleter.query("begin");
  await deleter.query("select 1 from application_customers where id = $1 for update", [customer.id]);
  const written = world.request("PUT", `${path}/stores/s/${String(record.id)}`, { body: { customerId: customer.id } });
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => world.database.query(waiting)).toHaveLength(1);
  await deleter.query("delete from application_customers where id = $1", [customer.id]);
  await deleter.query("commit");
  await deleter.end();
  expect((await written).status).toBe(404);
});

test("records added while their application is deleted: either they stay with it, or both are gone", async () => {
  for (let round = 0; round < 10; round++) {
    const own = await harness.make("/applications", { name: "Race" });
    const path = `/applications/${String(own.id)}`;
    await harness.make(`${path}/stores`, { key: "s" });
    const [deleted, ...added] = await Promise.all([
      world.request("DELETE", path),
      ...Array.from({ length: 4 }, (_, n) => world.request("POST", `${path}/stores/s`, { body: { n } })),
    ]);
    const taken = added.filter(({ status }) => status === 200).length;
    expect([204, 409]).toContain(deleted?.status);
    expect(added.every(({ status }) => status === (deleted?.status === 204 ? 404 : 200))).toBe(true);
    const kept = await world.database.query("select 1 from data_records where application_id = $1", [own.id]);
    expect(kept).toHaveLength(taken);
  }
});
