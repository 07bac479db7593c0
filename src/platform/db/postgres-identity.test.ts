import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { assertRuns, chooseIdentity } from "./postgres-identity.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-identity-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MISSING = join(folder, "no-postgres");
const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const fault = expect.objectContaining({ name: "PostgresFault" });

test("the owner of a database's files decides, and nothing is tried", async () => {
  const identity = await chooseIdentity(MISSING, folder, self);
  expect(identity.kind).toBe(self.uid === 0 ? "NAMESPACE" : "SELF");
  await expect(assertRuns(identity, MISSING, folder)).rejects.toEqual(fault);
});

test("before there are files, an identity has to run the program", async () => {
  await expect(chooseIdentity(MISSING, folder, undefined)).rejects.toEqual(fault);
});
