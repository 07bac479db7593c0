import { expect, it } from "vitest";
import { waitOf } from "./call-wait.ts";

const NOW_MS = Date.parse("2026-03-01T10:00:00.000Z");
const LATER = "2026-03-01T15:00:00.000Z";
const WAITING = { status: "QUEUED", nextAttemptAt: LATER, callBackOf: null, rowData: null } as const;

it.each([
  ["an agreed callback", { rowData: { callbackNote: "" } }, "CALLBACK"],
  ["a callback after an interruption", { callBackOf: "5e7a5e0e-0000-4000-8000-000000000001" }, "CALLBACK"],
  ["a later start", {}, "START"],
  ["a retry", { status: "WAITING_FOR_RETRY" }, "RETRY"],
  ["calling hours", { status: "WAITING_FOR_WINDOW" }, "WINDOW"],
] as const)("says that a call waits for %s, and until when", (_, change, kind) => {
  expect(waitOf({ ...WAITING, ...change }, NOW_MS)).toEqual({ kind, at: LATER });
});

it.each([
  ["is due", { nextAttemptAt: "2026-03-01T10:00:01.000Z" }],
  ["is held", { nextAttemptAt: null }],
  ["is under way", { status: "IN_PROGRESS" }],
] as const)("names no time for a call that %s", (_, change) => {
  expect(waitOf({ ...WAITING, ...change }, NOW_MS)).toBeNull();
});
