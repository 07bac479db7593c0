import { expect, test } from "vitest";
import { readDialFailure } from "./carrier-http.ts";

test.each([408, 500, 502, 503, 504, 302])("an answer of %d proves nothing about a dial", (status) => {
  const reply = { kind: "ANSWER", status, headers: {}, json: null } as const;
  expect(readDialFailure(reply, "Carrier", null)).toMatchObject({ kind: "UNCERTAIN" });
});
