import { expect, test } from "vitest";
import { hasProviderFactor } from "./authentication-methods.ts";

test.each([
  ["no claim", undefined],
  ["an empty claim", []],
  ["a claim in another form", "pwd"],
  ["several factors", ["pwd", "mfa"]],
  ["a password and a code", ["pwd", "otp"]],
  ["a password and a call", ["tel", "pwd", "user"]],
  ["a key", ["hwk"]],
  ["a fingerprint", ["fpt"]],
  ["a name of the provider's own", ["fido"]],
])("the provider answers for a second factor: %s", (_what, amr) => {
  expect(hasProviderFactor(amr)).toBe(true);
});

test.each([
  ["a password", ["pwd"]],
  ["a password and a question", ["pwd", "kba"]],
  ["a password at a known place", ["pwd", "geo", "rba"]],
  ["a code alone", ["otp", "sms"]],
  ["the computer's own sign-in", ["wia"]],
])("the provider says that it was one factor: %s", (_what, amr) => {
  expect(hasProviderFactor(amr)).toBe(false);
});
