import { describe, expect, it } from "vitest";
import { snippetsOf } from "./snippets.ts";

describe("snippets of a request", () => {
  it("stay one argument of the shell whatever the body holds", () => {
    const [curl] = snippetsOf({ method: "POST", path: "/x", body: { a: "it's $(rm) `ls`" } }, "http://localhost:8080");
    expect(curl?.text.endsWith(`'{\n  "a": "it'\\''s $(rm) \`ls\`"\n}'`)).toBe(true);
  });

  it("name the key's variable instead of a key unless one is given", () => {
    const call = { method: "GET", path: "/flows", sdk: "client.flows.list()" };
    const texts = snippetsOf(call, "http://localhost:8080").map(({ text }) => text);
    expect(texts[0]).toContain('-H "X-API-Key: $PARLEY_API_KEY"');
    expect(texts[1]).toContain("apiKey: process.env.PARLEY_API_KEY");
  });
});
