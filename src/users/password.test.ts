import { expect, it, vi } from "vitest";
import { checkPassword, hashPassword } from "./password.ts";

const digests = vi.hoisted(() => ({ made: 0 }));
vi.mock("node:crypto", async (original) => ({
  ...(await original<object>()),
  scrypt(_password: string, _salt: Buffer, bytes: number, _options: object, done: (error: null, key: Buffer) => void) {
    digests.made++;
    setImmediate(() => done(null, Buffer.alloc(bytes, 7)));
  },
}));

it("makes as many digests for an unknown address as for a known one, the first time and after a rush", async () => {
  const rush = Array.from({ length: 60 }, () => hashPassword("correct horse battery").catch(() => null));
  await expect(checkPassword("x", null)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const [stored = ""] = (await Promise.all(rush)).filter((hash) => hash !== null);
  digests.made = 0;
  expect([await checkPassword("x", stored), digests.made]).toEqual([true, 1]);
  expect([await checkPassword("x", null), digests.made]).toEqual([false, 2]);
});
