import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase, sql } from "#src/platform/db/database.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase("template0");
  await database.query("create table notes (id int primary key)");
});
afterAll(() => database.drop());

/** Passes connections on, and keeps back what the server answers to a `begin` until the statement `next` was sent. */
async function holdAnswersToBegin(next: string): Promise<{ proxy: Server; url: string }> {
  const { host, port } = new pg.Client({ connectionString: database.url });
  const proxy = createServer((client) => {
    const upstream = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    client.on("data", (bytes) => {
      if (bytes.includes("begin;")) upstream.pause();
      if (bytes.includes(next)) upstream.resume();
      upstream.write(bytes);
    });
    upstream.pipe(client);
    for (const socket of [client, upstream]) socket.on("error", () => void (client.destroy(), upstream.destroy()));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(database.url);
  url.searchParams.set("host", "127.0.0.1");
  url.searchParams.set("port", String((proxy.address() as AddressInfo).port));
  return { proxy, url: url.href };
}

function open(url: string): Database & AsyncDisposable {
  const opened = openDatabase({ connectionString: url }, { max: 1 }, () => undefined);
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
}

const notes = () => database.query("select id from notes order by id");

test("a transaction begins in the round trip of its first statement", async () => {
  const { proxy, url } = await holdAnswersToBegin("insert into notes");
  try {
    await using connections = open(url);
    await connections.db.transaction().execute((tx) => sql`insert into notes values (${1})`.execute(tx));
    expect(await notes()).toEqual([{ id: 1 }]);
  } finally {
    proxy.close();
  }
});

test("a transaction that fails leaves nothing, and its connection serves the next one", async () => {
  await using connections = open(database.url);
  const failing = connections.db.transaction().execute(async (tx) => {
    await sql`insert into notes values (${2})`.execute(tx);
    await sql`insert into notes values (${1})`.execute(tx);
  });
  await expect(failing).rejects.toMatchObject({ code: "23505" });
  await connections.db.transaction().execute((tx) => sql`insert into notes values (${3})`.execute(tx));
  expect(await notes()).toEqual([{ id: 1 }, { id: 3 }]);
});

test("a transaction whose connection has ended stores nothing, also not its later statements", async () => {
  await using connections = open(database.url);
  const cut = connections.db.transaction().execute(async (tx) => {
    await sql`insert into notes values (${4})`.execute(tx);
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx).catch(() => undefined);
    await sql`insert into notes values (${5})`.execute(tx);
  });
  await expect(cut).rejects.toThrow();
  expect(await notes()).toEqual([{ id: 1 }, { id: 3 }]);
});
