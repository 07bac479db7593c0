import { expect, test } from "vitest";
import { saysAway } from "./database.ts";

const away = saysAway({ connectionString: "postgres://u:p@db.example:6432/parley" });

test.each([
  "connect ECONNREFUSED 10.0.0.5:6432",
  "connect ECONNREFUSED ::1:6432; connect ECONNREFUSED 127.0.0.1:6432",
  "connect EHOSTUNREACH 10.0.0.5:6432 - Local (10.0.0.9:0)",
  "getaddrinfo EAI_AGAIN db.example",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "terminating connection due to administrator command",
  "the database system is starting up",
])("%s: the database is away", (message) => {
  expect(away(message)).toBe(true);
});

test.each([
  "connect ECONNREFUSED 10.0.0.5:64321",
  "connect ECONNREFUSED 10.0.0.5:443",
  "getaddrinfo EAI_AGAIN hooks.example",
  "read ECONNRESET",
  "timeout exceeded when trying to connect",
  'relation "calls" does not exist',
  "",
])("%s: may be anything", (message) => {
  expect(away(message)).toBe(false);
});

test("an embedded database is away by its socket", () => {
  const socket = saysAway({ host: "/data/pg", port: 5433 });
  expect(socket("connect ENOENT /data/pg/.s.PGSQL.5433")).toBe(true);
  expect(socket("connect ENOENT /data/other.sock")).toBe(false);
  const other = saysAway({ connectionString: "postgres:///parley?host=/run/postgresql" });
  expect(other("connect ECONNREFUSED /run/postgresql/.s.PGSQL.5432")).toBe(true);
});
