import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeContactRecord } from "#src/authoring/applications/contact-records.ts";
import { type Database, openDatabase, sql } from "#src/platform/db/database.ts";
import { customFields, DataHarness } from "../kit/data-harness.ts";
import { type Sample, World } from "../kit/world.ts";

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

describe("Custom data store records: PUT …/stores/{storeKey}/{recordId}", () => {
  test("200, JSON object: the updated record, which is also what is read from then on", async () => {
    const path = await harness.makeRecord({ plan: "gold" });
    const reply = await harness.put(path, { plan: "silver", seats: 3 });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id: path.split("/").at(-1),
      plan: "silver",
      seats: 3,
      metadata: null,
      customerId: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
    });
    expect((await world.request("GET", path)).text).toBe(reply.text);
  });

  test("rule 2: PUT replaces the custom-field payload; what is not sent is gone", async () => {
    const path = await harness.makeRecord({ a: 1, b: { deep: true }, c: null });
    expect(customFields((await harness.put(path, { b: { other: [] } })).body)).toEqual({ b: { other: [] } });
    expect(customFields((await harness.put(path, {})).body)).toEqual({});
  });

  describe("conversations of one person that write at once", () => {
    let connections: Database;
    beforeAll(async () => {
      connections = openDatabase({ connectionString: world.database.url }, { max: 8 }, () => undefined);
      // Opens all of them, so that the first conversation is not over before the second begins.
      await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.1)`.execute(connections.db)));
    });
    afterAll(() => connections.close());
    const WISHES = Array.from({ length: 16 }, (_, i) => ({ [`wish${i}`]: i }));
    const writeAll = (phone: string, recordId: string | null) => {
      const { workspaceId, application } = world.sample;
      const write = (fields: Record<string, unknown>) =>
        connections.db
          .transaction()
          .execute((tx) =>
            writeContactRecord(tx, workspaceId, phone, { storeKey: application.storeKey, recordId, fields }),
          );
      return Promise.all(WISHES.map(write));
    };

    test("take no field of each other's away", async () => {
      const phone = "+12025550177";
      const customer = await harness.makeCustomer({ phone });
      const path = await harness.makeRecord({ customerId: customer.id });
      await writeAll(phone, path.split("/").at(-1) as string);
      const { body } = await world.request("GET", path);
      expect(customFields(body)).toEqual(Object.assign({}, ...WISHES));
    });

    // A second try of the test needs a person of its own.
    let people = 0;
    test("make one customer of somebody who is none yet", async () => {
      const texts = (await writeAll(`+1202555018${people++}`, null)).map(
        (text) => JSON.parse(text) as { customerId: string },
      );
      expect(new Set(texts.map(({ customerId }) => customerId)).size).toBe(1);
    });
  });

  test("custom fields and metadata come back exactly: digits of numbers, order and white space within", async () => {
    const path = await harness.makeRecord();
    const fields = '"price":1.10,"big":12345678901234567890,"10":1E2,"2":[1.0, {"x" : -0.00}],"é":"\\u00e9"';
    const raw = `{ ${fields} , "metadata" : {"n":0.10, "n2":1e-7} }`;
    const reply = await world.request("PUT", path, { raw });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.text).toContain(`,${fields},"metadata":{"n":0.10, "n2":1e-7},"customerId":null,`);
    expect((await world.request("GET", path)).text).toBe(reply.text);
    const list = await world.request("GET", `${path.slice(0, path.lastIndexOf("/"))}?size=200`);
    expect(list.text).toContain(reply.text);
  });

  test("of a name written twice the last value counts, as JSON parsers take it", async () => {
    const path = await harness.makeRecord();
    const reply = await world.request("PUT", path, { raw: '{"a":1,"b":2,"\\u0061":3}' });
    expect(customFields(reply.body)).toEqual({ a: 3, b: 2 });
    expect(reply.text.match(/"a":/g)).toHaveLength(1);
  });

  test("rule 3: metadata that is present replaces the record's, absent stays, null clears", async () => {
    const path = await harness.makeRecord({ metadata: { a: 1, b: 2 } });
    expect((await harness.put(path, { x: 1 })).body.metadata).toEqual({ a: 1, b: 2 });
    expect((await harness.put(path, { x: 1, metadata: { c: 3 } })).body.metadata).toEqual({ c: 3 });
    expect((await harness.put(path, { x: 1, metadata: null })).body.metadata).toBeNull();
    expect((await harness.put(path, { x: 1, metadata: {} })).body.metadata).toEqual({});
  });

  test("rule 4: customerId that is present relinks the record, absent keeps the link, null unlinks", async () => {
    const [one, two] = [await harness.makeCustomer(), await harness.makeCustomer()];
    const path = await harness.makeRecord({ customerId: one.id });
    expect((await harness.put(path, { x: 1 })).body.customerId).toBe(one.id);
    expect((await harness.put(path, { customerId: two.id })).body.customerId).toBe(two.id);
    expect((await harness.put(path, { customerId: String(one.id).toUpperCase() })).body.customerId).toBe(one.id);
    expect((await harness.put(path, { customerId: null })).body.customerId).toBeNull();
  });

  test("rule 4: a customer that is not of this application is a 404 with a message, whosever it is", async () => {
    const path = await harness.makeRecord({ kept: true });
    const neighbour = await harness.make("/applications", { name: "Neighbour" });
    const near = await harness.make(`/applications/${String(neighbour.id)}/customers`, { name: "Near" });
    const answers = new Set<string>();
    for (const customerId of [RANDOM, other.application.customerId, String(near.id)]) {
      for (const reply of [
        await harness.put(path, { customerId }),
        await world.request("POST", path.slice(0, path.lastIndexOf("/")), { body: { customerId } }),
      ]) {
        answers.add(`${reply.status} ${reply.text.replace(customerId, "ID")}`);
      }
    }
    expect([...answers]).toEqual([
      '404 {"error":"Not found","message":"Customer ID does not exist in this application."}',
    ]);
    expect(customFields((await world.request("GET", path)).body)).toEqual({ kept: true });
  });

  test("a record that was read may be sent back: id, createdAt and updatedAt in a body are ignored", async () => {
    const path = await harness.makeRecord({
      a: 1,
      metadata: { m: 1 },
      customerId: world.sample.application.customerId,
    });
    const before = (await world.request("GET", path)).body;
    expect((await harness.put(path, before)).body).toEqual({ ...before, updatedAt: expect.any(String) });
    const lies = { a: 1, id: RANDOM, createdAt: 5, updatedAt: { no: "time" } };
    expect((await harness.put(path, lies)).body).toEqual({ ...before, updatedAt: expect.any(String) });
  });

  test("400 for wrong types and for what is no object, 422 for a customerId that is no UUID; nothing changes", async () => {
    const path = await harness.makeRecord({ kept: true });
    const before = (await world.request("GET", path)).text;
    const faults: [string, number, string][] = [
      ['{"metadata":"text"}', 400, "metadata"],
      ['{"metadata":[]}', 400, "metadata"],
      ['{"metadata":1}', 400, "metadata"],
      ['{"customerId":5}', 400, "customerId"],
      ['{"customerId":{}}', 400, "customerId"],
      ['{"customerId":"ada"}', 422, "customerId"],
    ];
    for (const [raw, status, where] of faults) {
      const reply = await world.request("PUT", path, { raw });
      expect([raw, reply.status], reply.text).toEqual([raw, status]);
      expect((reply.body.details as Fault[])[0]?.path).toBe(where);
    }
    for (const raw of ["[]", "null", '"text"', "1", "", "{", '{"a":1}}']) {
      expect([raw, (await world.request("PUT", path, { raw })).status]).toEqual([raw, 400]);
    }
    expect((await world.request("GET", path)).text).toBe(before);
  });

  test("a record of 256 KiB is taken, one byte more is a 422; its metadata counts", async () => {
    const path = await harness.makeRecord();
    const room = 256 * 1024 - '{"t":""}{"m":""}'.length;
    const body = (length: number) => ({ t: "x".repeat(1_000), metadata: { m: "é".repeat((length - 1_000) / 2) } });
    expect((await harness.put(path, body(room))).status).toBe(200);
    const reply = await harness.put(path, { ...body(room), t: "x".repeat(1_001) });
    expect([reply.status, (reply.body.details as Fault[])[0]?.code]).toEqual([422, "TOO_LARGE"]);
  });

  test("many fields are taken: 15,000 in one record", async () => {
    const path = await harness.makeRecord();
    const fields = Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`f${i}`, i]));
    const { body } = await harness.put(path, fields);
    expect(Object.keys(customFields(body))).toHaveLength(15_000);
  });

  test("unknown application, store and record: 404 each; PUT makes no record", async () => {
    const { id, storeKey, recordId } = world.sample.application;
    const paths = [
      `/applications/${RANDOM}/stores/${storeKey}/${recordId}`,
      `/applications/${id}/stores/nothing/${recordId}`,
      `/applications/${id}/stores/${storeKey}/${RANDOM}`,
      `/applications/${id}/stores/%00/${recordId}`,
      `/applications/${id}/stores/${"x".repeat(90)}/${recordId}`,
      `/applications/${id}/stores/${storeKey.toUpperCase()}/${recordId}`,
    ];
    for (const path of paths) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const reply = await world.request(method, path, method === "PUT" ? { body: { a: 1 } } : {});
        expect([method, path, `${reply.status} ${reply.text}`]).toEqual([method, path, NOT_FOUND]);
      }
    }
    for (const path of [`/applications/x/stores/${storeKey}/${recordId}`, `${harness.stores}/${storeKey}/x`]) {
      expect((await harness.put(path, {})).status).toBe(400);
    }
  });
});

describe("Custom data store records: Idempotency-Key", () => {
  test("a repeat gets the first answer, byte for byte, and writes nothing; another body is a 422", async () => {
    const path = await harness.makeRecord();
    const headers = { "idempotency-key": "record-1" };
    const first = await world.request("PUT", path, { raw: '{"n":1.10}', headers });
    await harness.put(path, { n: 2 });
    const again = await world.request("PUT", path, { raw: '{"n":1.10}', headers });
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
    expect(customFields((await world.request("GET", path)).body)).toEqual({ n: 2 });
    expect((await harness.put(path, { n: 3 }, { headers })).status).toBe(422);
  });

  test("of PUTs at the same time with the same key one writes; the others get its answer or 409", async () => {
    const path = await harness.makeRecord();
    await world.database.query("create table writes (at timestamptz)");
    await world.database.query(
      "create function count_write() returns trigger language plpgsql as $$ begin insert into writes values (now()); return new; end $$",
    );
    await world.database.query(
      "create trigger count_write after update on data_records for each row execute function count_write()",
    );
    const headers = { "idempotency-key": "at-once" };
    const replies = await Promise.all(Array.from({ length: 10 }, () => harness.put(path, { n: 1 }, { headers })));
    await world.database.query("drop trigger count_write on data_records");
    expect(await world.database.query("select 1 from writes")).toHaveLength(1);
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const texts = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
    expect([...texts]).toEqual([(await world.request("GET", path)).text]);
  });

  test("creating takes one too: one record for ten posts", async () => {
    const store = await harness.makeStore();
    const options = { body: { n: 1 }, headers: { "idempotency-key": "create-1" } };
    await Promise.all(Array.from({ length: 10 }, () => world.request("POST", store, options)));
    expect((await world.request("GET", store)).body.totalElements).toBe(1);
  });
});

describe("Custom data store records: built-in stores (rule 1)", () => {
  test("are read-only through these endpoints: 403 with a message, whatever the record", async () => {
    const { builtInStoreKey, customerId } = world.sample.application;
    const path = `${harness.stores}/${builtInStoreKey}`;
    const before = (await world.request("GET", `${path}/${customerId}`)).text;
    for (const [method, at] of [
      ["PUT", `${path}/${customerId}`],
      ["DELETE", `${path}/${customerId}`],
      ["PUT", `${path}/${RANDOM}`],
      ["POST", path],
      ["PUT", path],
      ["DELETE", path],
    ] as const) {
      const reply = await world.request(method, at, method === "DELETE" ? {} : { body: { name: "Eve" } });
      expect([method, reply.status, reply.body.error]).toEqual([method, 403, "Forbidden"]);
      expect(reply.body.message).toContain("read-only");
    }
    expect((await world.request("GET", `${path}/${customerId}`)).text).toBe(before);
  });

  test("show the customers as records, linked to themselves, with local times", async () => {
    const made = await world.request("POST", `${harness.app}/customers`, {
      raw: '{"name":"Lin","phone":"+12025550111","fields":{"score":1.50}}',
    });
    const path = `${harness.stores}/${world.sample.application.builtInStoreKey}`;
    const record = await world.request("GET", `${path}/${String(made.body.id)}`);
    expect(record.text).toContain('"fields":{"score":1.50}');
    expect(record.body).toMatchObject({
      id: made.body.id,
      name: "Lin",
      email: null,
      phone: "+12025550111",
      externalId: null,
      metadata: null,
      customerId: made.body.id,
      createdAt: String(made.body.createdAt).slice(0, -1),
    });
    const list = await world.request("GET", `${path}?customerId=${String(made.body.id)}`);
    expect([list.body.totalElements, list.body.content]).toEqual([1, [record.body]]);
    expect((await world.request("GET", `${path}/${RANDOM}`)).status).toBe(404);
  });
});

describe("Custom data store records: DELETE …/stores/{storeKey}/{recordId}", () => {
  test("204 without a body; the record is gone and the others stay", async () => {
    const store = await harness.makeStore();
    const [path, kept] = [await harness.makeRecord({ a: 1 }, store), await harness.makeRecord({ a: 2 }, store)];
    const reply = await world.request("DELETE", path);
    expect([reply.status, reply.text]).toEqual([204, ""]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const again = await world.request(method, path, method === "PUT" ? { body: {} } : {});
      expect(`${again.status} ${again.text}`).toBe(NOT_FOUND);
    }
    expect((await world.request("GET", kept)).status).toBe(200);
  });
});

describe("Custom data-store record: createdAt and updatedAt are local date-times without zone offset", () => {
  // Berlin: summer time ends 2026-10-25T01:00Z, begins 2026-03-29T01:00Z (tz database).
  test("in the workspace's time zone, summer time and all; UTC unless set", async () => {
    const sample = await world.createWorkspace();
    const { id, storeKey, recordId } = sample.application;
    const path = `/applications/${id}/stores/${storeKey}/${recordId}`;
    const change = "update data_records set created_at = $1, updated_at = $2 where id = $3";
    await world.database.query(change, ["2026-03-29T00:59:59.999Z", "2026-10-25T00:30:00.250Z", recordId]);
    const times = async (at = path) => {
      const { createdAt, updatedAt } = (await world.request("GET", at, { key: sample.apiKey })).body;
      return [createdAt, updatedAt];
    };
    expect(await times()).toEqual(["2026-03-29T00:59:59.999", "2026-10-25T00:30:00.250"]);
    await world.operator("workspace.update", { id: sample.workspaceId, timeZone: "Europe/Berlin" });
    expect(await times()).toEqual(["2026-03-29T01:59:59.999", "2026-10-25T02:30:00.250"]);
    await world.database.query(change, ["2026-03-29T01:00:00.000Z", "2026-10-25T01:30:00.000Z", recordId]);
    expect(await times()).toEqual(["2026-03-29T03:00:00.000", "2026-10-25T02:30:00.000"]);
  });

  test("a change moves updatedAt and leaves createdAt", async () => {
    const path = await harness.makeRecord();
    const id = path.split("/").at(-1);
    await world.database.query("update data_records set created_at = $1, updated_at = $1 where id = $2", [
      "2020-01-01T00:00:00Z",
      id,
    ]);
    const { createdAt, updatedAt } = (await harness.put(path, { a: 1 })).body;
    expect(createdAt).toBe("2020-01-01T00:00:00.000");
    expect(String(updatedAt) > "2026").toBe(true);
  });
});
