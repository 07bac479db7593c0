import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, expect, it, vi } from "vitest";
import { checkPassword, hashPassword } from "./password.ts";

const digests = { made: 0 };
type Scrypt = (password: string, salt: Buffer, bytes: number, options: object, done: Done) => void;
type Done = (error: null, key: Buffer) => void;
const instead: Scrypt = (_password, _salt, bytes, _options, done) => {
  digests.made++;
  setImmediate(() => done(null, Buffer.alloc(bytes, 7)));
};
const scrypt = vi.spyOn(crypto, "scrypt").mockImplementation(instead as typeof crypto.scrypt);
// Named imports of a builtin module follow the mock only after this call.
syncBuiltinESMExports();
afterAll(() => {
  scrypt.mockRestore();
  syncBuiltinESMExports();
});

it("makes as many digests for an unknown address as for a known one, the first time and after a rush", async () => {
  const rush = Array.from({ length: 60 }, () => hashPassword("correct horse battery").catch(() => null));
  await expect(checkPassword("x", null)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const [stored = ""] = (await Promise.all(rush)).filter((hash) => hash !== null);
  digests.made = 0;
  expect([await checkPassword("x", stored), digests.made]).toEqual([true, 1]);
  expect([await checkPassword("x", null), digests.made]).toEqual([false, 2]);
});
