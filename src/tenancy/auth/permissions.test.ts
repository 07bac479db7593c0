import { expect, test } from "vitest";
import { expandPermissions, PERMISSIONS } from "./permissions.ts";

test("an area's bare name grants all of it, OUTBOUND both triggers", () => {
  expect(expandPermissions(["FLOWS"]).permissions).toEqual(["FLOWS_READ", "FLOWS_WRITE"]);
  expect(expandPermissions(["CALL_JOBS", "BALANCE"]).permissions).toEqual([
    "CALL_JOBS_READ",
    "CALL_JOBS_WRITE",
    "BALANCE_READ",
  ]);
  expect(expandPermissions(["outbound"]).permissions).toEqual(["OUTBOUND_CALLS_TRIGGER", "OUTBOUND_CHATS_TRIGGER"]);
  expect(expandPermissions(["CALL_HISTORY_READ"]).permissions).toEqual(["CALL_HISTORY_READ"]);
});

test("unknown names are given back, and grant nothing", () => {
  expect(expandPermissions(["CALL", "FLOWS_DELETE", "", ".*"])).toEqual({
    permissions: [],
    unknown: ["CALL", "FLOWS_DELETE", ".*"],
  });
  expect(expandPermissions([...PERMISSIONS]).permissions).toEqual([...PERMISSIONS]);
});
