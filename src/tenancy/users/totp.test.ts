import { expect, test } from "vitest";
import { codeAt, findStepOf, newTotpSecret, stepAt, totpUri } from "./totp.ts";

/** "12345678901234567890" in base32: the secret of RFC 6238, appendix B. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
/** Times and codes of appendix B, SHA-1. It has eight digits, of which the last six are the code of six. */
const VECTORS: [number, string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

test.each(VECTORS)("RFC 6238, appendix B: the code at %s s is %s", (seconds, eight) => {
  expect(codeAt(SECRET, stepAt(seconds * 1_000))).toBe(eight.slice(-6));
});

test("a code is taken one step early and one late, and no further", () => {
  const now = 1_111_111_111_000;
  const code = "050471";
  const step = 37_037_037;
  expect([-30, 0, 30].map((drift) => findStepOf(SECRET, code, now + drift * 1_000))).toEqual([step, step, step]);
  expect([-60, 60].map((drift) => findStepOf(SECRET, code, now + drift * 1_000))).toEqual([null, null]);
});

test("a secret has 160 bits in base32, and its address names the account", () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(secret);
  const uri = new URL(totpUri(secret, "ada+test@example.com"));
  expect([uri.protocol, decodeURIComponent(uri.pathname)]).toEqual(["otpauth:", "/Parley:ada+test@example.com"]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret, issuer: "Parley" });
});
