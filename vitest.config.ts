import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

const globalSetup = "tests/global-setup.ts";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sdk/src/**/*.test.ts", "tests/**/*.test.ts"],
    ...(existsSync(globalSetup) ? { globalSetup: [globalSetup] } : {}),
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});
