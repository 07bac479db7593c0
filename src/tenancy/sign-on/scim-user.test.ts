import { expect, test } from "vitest";
import { emailOf, patchUser, readUser, type ScimUser } from "./scim-user.ts";
import { readPatch } from "./scim-values.ts";

const WORK = { value: "work@example.com", type: "work" };
const HOME = { value: "ada@home.example", type: "home" };
const PRIMARY = { value: "primary@example.com", primary: true };
const personOf = (emails: object[]) => readUser({ userName: "ada", emails });

function patched(user: ScimUser, ...Operations: object[]): ScimUser {
  return patchUser(user, readPatch({ Operations }));
}

test.each([
  ["the primary one (RFC 7643, 2.4)", [HOME, WORK, PRIMARY], "primary@example.com"],
  ["else that of work", [HOME, WORK], "work@example.com"],
  ["else the one that the account has", [{ value: "a@example.com" }, { value: "HAS@example.com" }], "HAS@example.com"],
  ["else the first", [HOME, { value: "a@example.com" }], "ada@home.example"],
  ["else the one that the account has, where the directory names none", [], "has@example.com"],
])("the e-mail address of an account is %s", (_, emails, expected) => {
  expect(emailOf(personOf(emails), "has@example.com")).toBe(expected);
});

test("a user name that is an e-mail address stands for those that are missing; without one there is none", () => {
  expect(emailOf(readUser({ userName: "ada@example.com" }), "has@example.com")).toBe("ada@example.com");
  expect(emailOf(readUser({ userName: "ada" }))).toBeNull();
  expect(emailOf(personOf([{ value: "no address", type: "work" }]), "has@example.com")).toBeNull();
});

test("an address that is replaced keeps its place and what else is known of it", () => {
  const user = personOf([{ ...WORK, primary: true }, HOME]);
  const path = 'emails[type eq "work"].value';
  const { emails } = patched(user, { op: "Replace", path, value: "new@example.com" });
  expect(emails).toEqual([{ value: "new@example.com", type: "work", primary: true }, HOME]);
  const added = patched(personOf([HOME]), { op: "Add", path, value: "new@example.com" });
  expect(added.emails).toEqual([HOME, { value: "new@example.com", type: "work" }]);
});

test("a new primary address takes the place of the former primary one (RFC 7644, 3.5.2)", () => {
  const value = [{ value: "new@example.com", primary: true }];
  const { emails } = patched(personOf([PRIMARY, HOME]), { op: "add", path: "emails", value });
  expect(emails).toEqual([{ value: "primary@example.com" }, HOME, ...value]);
});
