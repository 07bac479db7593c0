import type pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createGatekeeper } from "./gatekeeper.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A database whose buckets have this many tokens, one more every second; counts the statements. */
function limitedDatabase(tokens: number) {
  const counted = { statements: 0 };
  const query = ({ values }: { values: unknown[][] }) => {
    counted.statements++;
    const asked = Number(values[2]?.[0]);
    const granted = Math.min(asked, tokens);
    tokens -= granted;
    const who = { place: 1, refusal: null, workspace_id: "w", id: "c", kind: "OAUTH_CLIENT", permissions: [] };
    return Promise.resolve({ rows: [{ ...who, granted, tokens, capacity: 60, per_second: 1 }] });
  };
  return { counted, pool: { query } as unknown as pg.Pool };
}

test("a client that asks on and on with an empty bucket costs one statement in a quarter of a second", async () => {
  const { counted, pool } = limitedDatabase(1);
  const gatekeeper = createGatekeeper(pool, () => undefined);
  const presented = { apiKey: undefined, bearer: "token" };
  const ask = () => gatekeeper.admit(presented, "203.0.113.7", true);
  expect(await ask()).toMatchObject({ allowed: true });
  const first = await ask();
  expect(first).toMatchObject({ allowed: false, nextTokenSeconds: 1 });
  for (let i = 0; i < 100; i++) expect(await ask()).toEqual(first);
  expect(counted.statements).toBe(2);
  vi.advanceTimersByTime(200);
  const later = await ask();
  expect(later.allowed).toBe(false);
  expect(later.nextTokenSeconds).toBeCloseTo(0.8);
  expect(later.resetSeconds).toBeCloseTo(first.resetSeconds - 0.2);
  vi.advanceTimersByTime(50);
  await ask();
  expect(counted.statements).toBe(3);
});

test("an empty bucket refuses only those who draw from it, and by their own address", async () => {
  const { counted, pool } = limitedDatabase(0);
  const gatekeeper = createGatekeeper(pool, () => undefined);
  const presented = { apiKey: undefined, bearer: "token" };
  expect(await gatekeeper.admit(presented, "203.0.113.7", true)).toMatchObject({ allowed: false });
  expect(await gatekeeper.admit(presented, "203.0.113.7", false)).toMatchObject({ allowed: true });
  expect(await gatekeeper.admit(presented, "203.0.113.8", true)).toMatchObject({ allowed: false });
  expect(counted.statements).toBe(3);
});
