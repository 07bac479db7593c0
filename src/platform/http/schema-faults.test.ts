import { describe, expect, test } from "vitest";
import { AppError } from "#src/platform/kernel/errors.ts";
import { E164, nullable, oneOf, Type, Uuid } from "./schemas.ts";
import { explainByUnknown } from "./unknown-members.ts";
import { compileCheck, compileDeclaredQuery } from "./validate.ts";

const Body = Type.Object({
  number: E164,
  id: Type.Optional(Uuid),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 3, pattern: "\\S" })),
  key: Type.Optional(Type.String({ pattern: "^[a-z]+$" })),
  note: Type.Optional(Type.String({ pattern: "^[^\\u0000]*$", description: "Any text." })),
  tags: Type.Optional(nullable(Type.Array(Type.String(), { minItems: 1, maxItems: 2 }))),
  level: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  kind: Type.Optional(oneOf(["A", "B"])),
  outcome: Type.Optional(oneOf(["BUSY", "NO_ANSWER"])),
  flow: Type.Optional(nullable(Type.Object({}, { description: "A whole flow; flowId names a saved one." }))),
});
const check = compileCheck(Body, "INVALID_BODY", "VALIDATION_FAILED");

function refusalOf(body: object): AppError {
  try {
    check({ number: "+12025550100", ...body });
  } catch (thrown) {
    return thrown as AppError;
  }
  throw new Error("It was accepted.");
}

describe("a fault of a body says what is expected", () => {
  test.each([
    [{ number: "2025550100" }, "number has the wrong form. Expected: E.164 number, such as +12025550100."],
    [{ number: 12025550100 }, "number must be a string, not a number."],
    [{ number: null }, "number must be a string, not null."],
    [{ id: "flow" }, "id has the wrong form. Expected: UUID in its 36-character form."],
    [{ key: "A" }, "key has the wrong form. Expected: ^[a-z]+$"],
    [{ title: "  " }, "title must not be blank."],
    [{ title: "long" }, "title must have at most 3 characters."],
    [{ note: "a\0b" }, "note must not contain a NUL character."],
    [{ tags: { type: "object" } }, "tags must be an array or null, not an object."],
    [{ tags: [] }, "tags must have at least 1 item."],
    [{ tags: ["a", "b", "c"] }, "tags must have at most 2 items."],
    [{ tags: [true] }, "tags.0 must be a string, not true."],
    [{ level: 10 }, "level must be at most 9."],
    [{ level: 1.5 }, "level must be a whole number, not a number."],
    [{ kind: "C" }, "kind must be one of A, B."],
    [{ outcome: "BUSSY" }, "outcome must be one of BUSY, NO_ANSWER. Did you mean BUSY?"],
    [
      { flow: "clinic" },
      "flow must be an object or null, not a string. Expected: A whole flow; flowId names a saved one.",
    ],
    [{ flow: 7 }, "flow must be an object or null, not a number."],
  ])("%j", (body, message) => {
    expect(refusalOf(body).message).toBe(message);
  });
});

describe("a refused body with a misspelt member", () => {
  const missing = new AppError("VALIDATION_FAILED", "number is required.", [
    { path: "number", code: "REQUIRED", message: "number is required." },
  ]);
  const message = "numbr is not a member that is known here, so it has no effect. Did you mean number?";
  const found = { warnings: [{ path: "/numbr", member: "numbr", nearest: "number", message }], warningsTotal: 1 };

  test("names the member that was meant", () => {
    const explained = explainByUnknown(missing, found) as AppError;
    // The whole body is refused, so the member has no less effect than the others.
    const fault = "numbr is not a member that is known here. Did you mean number?";
    expect(explained.message).toBe(`number is required. ${fault}`);
    expect(explained.details.at(-1)?.message).toBe(fault);
    expect(explained.details.map(({ path, code }) => [path, code])).toEqual([
      ["number", "REQUIRED"],
      ["numbr", "UNKNOWN_FIELD"],
    ]);
  });

  test("names the one that is missing beside it, where several are as near", () => {
    const faults = ["rows.0.customerNumber", "fromNumber"].map((path) => ({ path, code: "REQUIRED", message: path }));
    const unknown = { path: "/rows/0/phoneNumber", member: "phoneNumber", nearest: null, message: "" };
    const body = { warnings: [unknown], warningsTotal: 1 };
    const explained = explainByUnknown(new AppError("VALIDATION_FAILED", "x", faults), body) as AppError;
    expect(explained.details.at(-1)?.message).toContain("Did you mean customerNumber?");
  });

  test("stays as it is when nothing is unknown, or when it is not about the body", () => {
    const conflict = new AppError("CONFLICT");
    expect(explainByUnknown(missing, null)).toBe(missing);
    expect(explainByUnknown(conflict, found)).toBe(conflict);
  });
});

test("an unknown query parameter gets the nearest name, or all of them", () => {
  const declared = compileDeclaredQuery(Type.Object({ page: Type.Integer(), size: Type.Integer() }));
  expect(() => declared({ pag: "1" })).toThrow("Did you mean page?");
  expect(() => declared({ elephant: "1" })).toThrow(
    "elephant is not a query parameter of this path. It takes page, size.",
  );
  expect(() => compileDeclaredQuery(undefined)({ page: "1" })).toThrow("It takes none.");
});

test("a rule that a value breaks in two schemas is named once", () => {
  const twice = compileCheck(Type.Object({ at: Type.Intersect([E164, E164]) }), "INVALID_BODY", "VALIDATION_FAILED");
  let thrown: unknown;
  try {
    twice({ at: "tomorrow" });
  } catch (error) {
    thrown = error;
  }
  expect((thrown as AppError).details).toHaveLength(1);
});

test("a number in another way of writing gets the one that it likely means", () => {
  const check = compileCheck(Type.Object({ to: E164 }), "INVALID_BODY", "VALIDATION_FAILED");
  expect(() => check({ to: "0044 20 7946 0100" })).toThrow(/E\.164 .*Did you mean \+442079460100\?$/);
  expect(() => check({ to: "020 7946 0100" })).toThrow(/^(?!.*Did you mean)/);
});
