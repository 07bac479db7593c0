import { describe, expect, test } from "vitest";
import { type MetadataFieldInput, toStoredFields } from "./metadata-fields.ts";
import { fileMetadata } from "./metadata.ts";

const fields = (...inputs: MetadataFieldInput[]) => toStoredFields(inputs, "fields");
const none = { fileName: {}, spreadsheet: {}, sent: {} };

describe("metadata of a recording", () => {
  test("file name first, then spreadsheet; values sent win", () => {
    const { metadata } = fileMetadata([], {
      fileName: { a: "name", b: "name", c: "name" },
      spreadsheet: { b: "sheet", c: "sheet" },
      sent: { c: null, d: { deep: [1] } },
    });
    expect(metadata).toEqual({ a: "name", b: "sheet", c: null, d: { deep: [1] } });
  });

  test("an unrecognised key is stored and named back with a warning (rule 3)", () => {
    const filed = fileMetadata(fields({ key: "known" }), { ...none, sent: { known: "x", other: 1, more: 2 } });
    expect(filed.metadata).toEqual({ known: "x", other: 1, more: 2 });
    expect(filed.unknownMetadataKeys).toEqual(["other", "more"]);
    expect(filed.warning).toContain("other, more");
  });

  test("known keys that fit leave no warning; keys of the job's own pattern or spreadsheet are not named back", () => {
    const filed = fileMetadata(fields({ key: "known" }), {
      fileName: { x: "1" },
      spreadsheet: { y: "2" },
      sent: { known: "a" },
    });
    expect([filed.unknownMetadataKeys, filed.warning]).toEqual([[], null]);
  });

  test("texts of file names and cells become what their field is; a column may be headed by the label", () => {
    const known = fields(
      { key: "size", type: "NUMBER", label: "Party size" },
      { key: "vip", type: "BOOLEAN" },
      { key: "n" },
    );
    const { metadata, warning } = fileMetadata(known, {
      fileName: { vip: "yes", n: "007" },
      spreadsheet: { "party SIZE": "12.5" },
      sent: {},
    });
    expect([metadata, warning]).toEqual([{ vip: true, n: "007", size: 12.5 }, null]);
  });

  test.each([
    ["NUMBER", "12", false],
    ["NUMBER", 12, true],
    ["BOOLEAN", "true", false],
    ["DATE", "2026-02-30", false],
    ["DATE", "2028-02-29", true],
    ["ENUM", "C", false],
    ["ENUM", "A", true],
    ["STRING", 5, false],
    ["STRING", null, true],
  ] as const)("%s %j: fits %s; it is stored either way", (type, value, isFit) => {
    const known = fields({ key: "k", type, ...(type === "ENUM" ? { allowedValues: ["A", "B"] } : {}) });
    const { metadata, warning } = fileMetadata(known, { ...none, sent: { k: value } });
    expect([metadata, warning === null]).toEqual([{ k: value }, isFit]);
  });

  test("a required key that is missing or null is named in the warning", () => {
    const known = fields({ key: "a", required: true }, { key: "b", required: true }, { key: "c" });
    expect(fileMetadata(known, { ...none, sent: { b: null } }).warning).toBe("Required metadata is missing: a, b.");
  });

  test("names of the language itself are keys like any other", () => {
    const { metadata, unknownMetadataKeys } = fileMetadata(fields({ key: "a" }), {
      ...none,
      sent: { constructor: 1, toString: 2 },
    });
    expect([metadata, unknownMetadataKeys]).toEqual([{ constructor: 1, toString: 2 }, ["constructor", "toString"]]);
  });

  test("more than 64 KiB are refused", () => {
    expect(() => fileMetadata([], { ...none, sent: { a: "x".repeat(70_000) } })).toThrow(/65536/);
  });
});

test("fields that do not fit together are refused by their place", () => {
  expect(() => fields({ key: "a" }, { key: "a" })).toThrow(/fields\.1\.key/);
  expect(() => fields({ key: "a", type: "ENUM" })).toThrow(/fields\.0\.allowedValues/);
  expect(() => fields({ key: "a", allowedValues: ["x"] })).toThrow(/fields\.0\.allowedValues/);
});
