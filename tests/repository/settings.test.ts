import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";
import { findSettingNames } from "../kit/setting-names.ts";

/** Settings for the conformance suites alone. */
const FOR_TESTS = ["MCP_TEST_TOOLS"];

test(".env.example names every setting that the configuration reads", () => {
  const names = findSettingNames();
  expect(names.length).toBeGreaterThan(30);
  const example = readFileSync(join(ROOT, ".env.example"), "utf8");
  const lost = names.filter((name) => !FOR_TESTS.includes(name) && !new RegExp(`^(# )?${name}=`, "m").test(example));
  expect(lost).toEqual([]);
});
