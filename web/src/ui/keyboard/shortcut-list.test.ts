import { expect, it } from "vitest";
import { NAVIGATION } from "#web/shell/navigation.ts";
import { groupShortcuts, keyNames } from "./shortcut-list.ts";

const shortcut = (keys: string, group: string, label = keys) => ({ keys, group, label, run: () => undefined });

it("lists each key once, under what it does on the screen", () => {
  const all = [shortcut("?", "Everywhere"), shortcut("j", "Tables", "rows"), shortcut("j", "Chats", "chats")];
  expect(groupShortcuts(all).map(({ group, items }) => [group, items.map(({ label }) => label)])).toEqual([
    ["Everywhere", ["?"]],
    ["Chats", ["chats"]],
  ]);
});

it("names keys as they are written on a keyboard", () => {
  expect([" ", "g c", "ArrowLeft", "Ctrl s"].map(keyNames)).toEqual([["Space"], ["g", "c"], ["←"], ["Ctrl", "s"]]);
});

it("has a key of its own for every entry of the side bar", () => {
  const keys = NAVIGATION.flatMap(({ items }) => items.map(({ key }) => key));
  expect(keys.filter((key) => /^[a-z]$/.test(key))).toEqual([...new Set(keys)]);
});
