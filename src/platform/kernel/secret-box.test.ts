import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idOfKey, KeyRing } from "./key-ring.ts";
import { createSecretBox, keyIdOf, opensKeyCheck, SecretBoxError, sealKeyCheck } from "./secret-box.ts";

const KEY = Buffer.alloc(32, 7);
const PLACE = "workspace-1|carriers|token|42";

function faultOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof SecretBoxError ? error.fault : String(error);
  }
  return "NONE";
}

describe("secret box", () => {
  test("gives any text back", () => {
    const box = createSecretBox(new KeyRing(KEY));
    const property = fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, aad) => {
      expect(box.open(box.seal(plain, aad), aad)).toBe(plain);
    });
    fc.assert(property, { numRuns: 200, seed: 1 });
  });

  test("opens after a restart with the same key, and hides the text", () => {
    const sealed = createSecretBox(new KeyRing(KEY)).seal("hunter2 hunter2", PLACE);
    expect(createSecretBox(new KeyRing(Buffer.from(KEY))).open(sealed, PLACE)).toBe("hunter2 hunter2");
    expect(sealed.includes("hunter2")).toBe(false);
    expect(sealed).toHaveLength(1 + 4 + 12 + 15 + 16);
  });

  test("seals the same text differently every time", () => {
    const box = createSecretBox(new KeyRing(KEY));
    const seen = new Set(Array.from({ length: 100 }, () => box.seal("same", PLACE).toString("hex")));
    expect(seen.size).toBe(100);
  });

  test("does not open when any bit is changed, cut off or added", () => {
    const box = createSecretBox(new KeyRing(KEY));
    const sealed = box.seal("secret", PLACE);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => box.open(changed, PLACE)).toThrow(SecretBoxError);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => box.open(sealed.subarray(0, length), PLACE)).toThrow(SecretBoxError);
    }
    expect(() => box.open(Buffer.concat([sealed, Buffer.of(0)]), PLACE)).toThrow(SecretBoxError);
  });

  test("does not open in another place", () => {
    const box = createSecretBox(new KeyRing(KEY));
    const sealed = box.seal("secret", PLACE);
    expect(faultOf(() => box.open(sealed, "workspace-2|carriers|token|42"))).toBe("DAMAGED");
    expect(faultOf(() => box.open(sealed, ""))).toBe("DAMAGED");
  });

  test("tells another key from a damaged secret", () => {
    const sealed = createSecretBox(new KeyRing(KEY)).seal("secret", PLACE);
    expect(faultOf(() => createSecretBox(new KeyRing(Buffer.alloc(32, 8))).open(sealed, PLACE))).toBe("OTHER_KEY");
  });

  test("recognises the wrong key at start", () => {
    const check = sealKeyCheck(createSecretBox(new KeyRing(KEY)));
    expect(opensKeyCheck(createSecretBox(new KeyRing(KEY)), check)).toBe(true);
    expect(opensKeyCheck(createSecretBox(new KeyRing(randomBytes(32))), check)).toBe(false);
    expect(opensKeyCheck(createSecretBox(new KeyRing(KEY)), check.subarray(1))).toBe(false);
    expect(() => new KeyRing(Buffer.alloc(16))).toThrow("32 bytes");
  });

  test("opens what each key of the ring sealed, and seals with the current one alone", () => {
    const [former, next] = [randomBytes(32), randomBytes(32)];
    const sealed = createSecretBox(new KeyRing(former)).seal("secret", PLACE);
    const ring = new KeyRing(former, next);
    const box = createSecretBox(ring);
    expect(ring.use(idOfKey(next))).toBe(true);
    const anew = box.seal(box.open(sealed, PLACE), PLACE);
    expect(keyIdOf(anew)).toBe(idOfKey(next));
    expect(createSecretBox(new KeyRing(next)).open(anew, PLACE)).toBe("secret");
    ring.forgetOthers();
    expect(faultOf(() => box.open(sealed, PLACE))).toBe("OTHER_KEY");
    expect(ring.use(idOfKey(former))).toBe(false);
  });
});
