import { expect, test } from "vitest";
import { sayCounts } from "./contact.ts";

test("calls and chats are counted up to a thousand, where their count ends", () => {
  expect(sayCounts({ callCount: 1, chatCount: 999 })).toBe("1 call, 999 chats");
  expect(sayCounts({ callCount: 1_000, chatCount: 1_000 })).toBe("1,000 calls or more, 1,000 chats or more");
});
