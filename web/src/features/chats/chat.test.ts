import type { ChatSession } from "@parley/sdk";
import { expect, test } from "vitest";
import { personOf, toChatQuery } from "./chat.ts";

test("the inbox shows open chats unless it is asked for others, and asks for no half number", () => {
  expect(toChatQuery({}).status).toEqual(["ACTIVE", "HANDED_OFF"]);
  expect(toChatQuery({ show: ["HANDED_OFF"] }).status).toEqual(["HANDED_OFF"]);
  expect(toChatQuery({ show: ["waiting"] })).toMatchObject({ status: ["ACTIVE", "HANDED_OFF"], handoff: "WAITING" });
  expect(toChatQuery({}).handoff).toBeUndefined();
  expect(toChatQuery({ show: ["ended"] }).status).toEqual(["CLOSED", "EXPIRED", "FAILED"]);
  expect(toChatQuery({ show: ["all"] }).status).toBeUndefined();
  expect(toChatQuery({ contactPhone: ["+1 (202) 555-0100"] }).contactPhone).toBe("+12025550100");
  expect(toChatQuery({ contactPhone: ["202"] }).contactPhone).toBeUndefined();
});

test("a person is called by name, else by what is known", () => {
  const nobody = { contactName: null, contactPhone: null, contactEmail: null, contactIdentifier: null } as ChatSession;
  expect(personOf({ ...nobody, contactName: "Ada", contactPhone: "+1" })).toBe("Ada");
  expect(personOf({ ...nobody, contactPhone: "+12025550100", contactIdentifier: "x" })).toBe("+12025550100");
  expect(personOf({ ...nobody, contactIdentifier: "chat_abcdefghij0123456789" })).toBe("Visitor 456789");
  expect(personOf({ ...nobody, contactIdentifier: "customer-7" })).toBe("customer-7");
  expect(personOf(nobody)).toBe("Nobody");
});
