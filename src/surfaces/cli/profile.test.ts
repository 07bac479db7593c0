import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import { profilePath, readProfiles, saveProfile } from "./profile.ts";

const A = { url: "http://a", apiKey: "ka", workspaceId: "wa", mode: "SANDBOX" as const };
const B = { url: "http://b", apiKey: "kb" };

test("a profile is kept for its owner alone, one for each server, the latest first", async () => {
  await using system = new FakeSystem();
  const path = profilePath(system.env);
  expect(readProfiles(path)).toEqual([]);
  saveProfile(path, A);
  saveProfile(path, B);
  saveProfile(path, { ...A, url: "http://a/", apiKey: "new" });
  expect(readProfiles(path)).toEqual([{ ...A, url: "http://a/", apiKey: "new" }, B]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test("a single profile written by hand is read; a damaged file is named and left as it is", async () => {
  await using system = new FakeSystem();
  const path = profilePath(system.env);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(B));
  expect(readProfiles(path)).toEqual([B]);
  for (const text of ["{", "null", "[]", '{"profiles":[{"url":1}]}']) {
    writeFileSync(path, text);
    expect(() => saveProfile(path, A)).toThrow(path);
    expect(readFileSync(path, "utf8")).toBe(text);
  }
});

test("the path follows XDG_CONFIG_HOME, then HOME", () => {
  expect(profilePath({ XDG_CONFIG_HOME: "/x" })).toBe(join("/x", "parley", "profile.json"));
  expect(profilePath({ HOME: "/h" })).toBe(join("/h", ".config", "parley", "profile.json"));
});
