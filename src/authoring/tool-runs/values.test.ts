import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillJson } from "./fill-template.ts";
import { findSecrets, maskSecrets } from "./secrets.ts";
import { followPath, shorten, toCanonicalJson } from "./values.ts";

describe("canonical JSON", () => {
  test("is the same for equal values whatever the order of their members, and reads back as the value", () => {
    expect(toCanonicalJson({ b: [1, { d: 2, c: 3 }], a: "x" })).toBe('{"a":"x","b":[1,{"c":3,"d":2}]}');
    const property = fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(toCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    });
    fc.assert(property, { numRuns: 200, seed: 1 });
  });
});

describe("a path", () => {
  test("leads to own members only", () => {
    const root = { a: [{ b: 1 }], "": 2 };
    for (const path of ["a.0.b", "a[0].b"]) expect(followPath(root, path)).toBe(1);
    expect(followPath([[7]], "[0][0]")).toBe(7);
    expect(followPath(root, "")).toBe(2);
    for (const path of ["a.1", "a.length", "a.0.b.c", "toString", "__proto__", "a.0.constructor"]) {
      expect(followPath(root, path), path).toBe(undefined);
    }
  });
});

describe("what is told", () => {
  test("is cut between characters", () => {
    expect(shorten("short", 10)).toBe("short");
    expect(shorten("\u00e9\u00e9\u00e9", 3)).toBe("\u00e9 \u2026 (shortened)");
    expect(Buffer.byteLength(shorten("\u{1f600}".repeat(100), 50))).toBeLessThan(70);
  });

  test("holds no credential, neither whole nor its parts, as text, JSON or URL", () => {
    const basic = `Basic ${Buffer.from('user:pa"ss word').toString("base64")}`;
    const secrets = findSecrets({ authorization: basic, "x-api-key": "k/e=y", "x-plain": "visible" });
    const said = ["visible", basic, 'pa"ss word', JSON.stringify({ a: 'pa"ss word' }), "?k=k%2Fe%3Dy", "k/e=y"].join(
      " | ",
    );
    const masked = maskSecrets(said, secrets);
    expect(masked).toContain("visible");
    expect(masked).not.toMatch(/ss word|k\/e|k%2F|Basic [A-Za-z]/);
    expect(findSecrets({ "x-api-key": "abc" })).toEqual([]);
  });
});

test("a text that is one path takes the value with its type, also of an item of a list", () => {
  const variables = { order: { items: [{ id: 7, isPaid: true }], note: null } };
  const template = { id: "{{ order.items[0].id }}", all: "{{ order.items[0] }}", text: "no. {{ order.items[0].id }}" };
  expect(fillJson(template, variables)).toEqual({ id: 7, all: { id: 7, isPaid: true }, text: "no. 7" });
  expect(fillJson(["{{ order.items[1].id }}", "{{ order.items.size }}"], variables)).toEqual([null, "1"]);
});
