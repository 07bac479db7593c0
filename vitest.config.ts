import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest goes first (minutes each): begun last, it would run alone while everything else is done. */
const LONGEST = ["crash", "never-twice-carriers", "fuzz", "supervision", "spoken-round-trip", "audio-calls"].map(
  (name) => `/tests/${name}.test.ts`,
);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return rank < 0 ? LONGEST.length : rank;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sdk/src/**/*.test.ts", "web/src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["tests/global-setup.ts"],
    setupFiles: ["tests/real-time.ts"],
    pool: "forks",
    // The service is loaded once for each worker, by Node as it runs in production, and not once for each file.
    isolate: false,
    experimental: { viteModuleRunner: false },
    // What memory is held is compared after a collection.
    execArgv: ["--expose-gc"],
    // Calls in real audio mostly wait, so a file beside them costs little: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
