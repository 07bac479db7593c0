import { expect, test } from "vitest";
import type { AppError } from "#src/platform/kernel/errors.ts";
import { assertOwnOrigin } from "./origin-check.ts";

const PUBLIC = "https://parley.example.com";
const LOCAL = "http://127.0.0.1:8080";

test.each([
  [PUBLIC, { host: "parley.example.com" }, true],
  [PUBLIC, { host: "parley.example.com:443", origin: PUBLIC }, true],
  [PUBLIC, { host: "PARLEY.example.com" }, true],
  [PUBLIC, { host: "localhost:8080" }, false],
  [PUBLIC, { host: "parley.example.com", origin: "http://parley.example.com" }, false],
  [PUBLIC, { host: "parley.example.com", origin: "http://localhost:3000" }, false],
  [PUBLIC, { host: "parley.example.com", origin: "https://parley.example.com.evil.example" }, false],
  [PUBLIC, {}, false],
  [LOCAL, { host: "[::1]:8080" }, true],
  [LOCAL, { host: "localhost", origin: "https://localhost:9" }, true],
  [LOCAL, { host: "127.0.0.1.evil.example" }, false],
  [LOCAL, { host: "user@localhost" }, true],
  [LOCAL, { host: "localhost", origin: "null" }, false],
])("a service at %s takes %j: %s", (publicUrl, headers, taken) => {
  const refusal = (() => {
    try {
      return assertOwnOrigin(headers, publicUrl);
    } catch (error) {
      return (error as AppError).code;
    }
  })();
  expect(refusal).toBe(taken ? undefined : "FORBIDDEN");
});
