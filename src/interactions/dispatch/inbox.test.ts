import type pg from "pg";
import { expect, test } from "vitest";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { Inbox } from "./inbox.ts";

test("an event that the database refuses fails alone: those that came with it are stored and handed over", async () => {
  const query = async ({ values }: { values: [string] }) => {
    const rows = JSON.parse(values[0]) as { provider: string; event_key: string }[];
    if (rows.some((row) => row.event_key === "bad")) throw new Error("invalid input syntax");
    return { rows };
  };
  const inbox = new Inbox({ query } as unknown as pg.Pool);
  const mailbox = inbox.open("a1", "w");
  const at = "2026-01-01T00:00:00.000Z";
  const ring = (eventKey: string): CarrierEvent => ({
    type: "RINGING",
    eventKey,
    attemptId: "a1",
    providerCallId: "c1",
    at,
  });
  const results = await Promise.allSettled(["one", "bad", "two"].map((key) => inbox.receive("OWN", ring(key))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const signal = new AbortController().signal;
  expect([(await mailbox.take(0, signal))?.eventKey, (await mailbox.take(0, signal))?.eventKey]).toEqual([
    "one",
    "two",
  ]);
});

test("an event that another node has stored and handed on is handed over once", async () => {
  const inbox = new Inbox({ query: async () => ({ rows: [] }) } as unknown as pg.Pool);
  const mailbox = inbox.open("a1", "w");
  const at = "2026-01-01T00:00:00.000Z";
  const event: CarrierEvent = { type: "RINGING", eventKey: "one", attemptId: "a1", providerCallId: "c1", at };
  await inbox.receive("OWN", event);
  const signal = new AbortController().signal;
  expect(await mailbox.take(0, signal)).toBeNull();
  await inbox.receive("OWN", event, true);
  await inbox.receive("OWN", event, true);
  expect(await mailbox.take(0, signal)).toEqual(event);
  expect(await mailbox.take(0, signal)).toBeNull();
});
