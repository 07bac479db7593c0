import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest goes first (minutes each): begun last, it would run alone while everything else is done. */
const LONGEST = ["crash", "fuzz", "start", "supervision", "matrix", "spoken-round-trip", "many-nodes"].map(
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
    pool: "forks",
    // Calls in real audio mostly wait, so a second file beside them costs little; by default there is one on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});
