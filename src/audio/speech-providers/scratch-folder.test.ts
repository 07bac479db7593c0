import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sweepScratchFolders, withScratchFolder } from "./scratch-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-scratch-test-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it("deletes the folder after the run, also after one that fails", async () => {
  const path = await withScratchFolder(async (own) => {
    writeFileSync(join(own, "text"), "words");
    return own;
  });
  expect(existsSync(path)).toBe(false);
  await expect(withScratchFolder(() => Promise.reject(new Error("as told")))).rejects.toThrow("as told");
});

it("sweeps what killed processes left, and nothing that is in use or somebody else's", async () => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  const make = (name: string, isOld: boolean) => {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, "said.raw"), "sound");
    if (isOld) utimesSync(path, hourAgo, hourAgo);
    return path;
  };
  const [left, used, others] = [
    make("parley-speech-left", true),
    make("parley-speech-used", false),
    make("other-left", true),
  ];
  symlinkSync(others, join(folder, "parley-speech-link"));
  await sweepScratchFolders();
  expect([left, used, others, join(others, "said.raw")].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});
