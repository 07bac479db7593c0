import { expect, it } from "vitest";
import type { FlowFields } from "#web/domain/flow/flow.ts";
import { followStored } from "./draft-words.ts";

const version = (masterPrompt: string, updatedAt: string) =>
  ({ firstMessage: null, masterPrompt, updatedAt }) as FlowFields & { updatedAt: string };
const mine = { firstMessage: "", masterPrompt: "Mine" };
const base = version("Old", "10:00");

it("keeps changed words on the version they are a change of when somebody else changed the words", () => {
  const changed = { words: mine, base };
  expect(followStored(changed, version("Theirs", "10:05"))).toBe(changed);
});

it("follows a version with other words where none were changed here, and any with the same words", () => {
  const theirs = version("Theirs", "10:05");
  const same = version("Old", "10:05");
  expect(followStored({ words: { firstMessage: "", masterPrompt: "Old" }, base }, theirs)).toEqual({
    words: { firstMessage: "", masterPrompt: "Theirs" },
    base: theirs,
  });
  expect(followStored({ words: mine, base }, same)).toEqual({ words: mine, base: same });
  const saved = version("Mine", "10:05");
  expect(followStored({ words: mine, base }, saved)).toEqual({ words: mine, base: saved });
});
