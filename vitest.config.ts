import { availableParallelism } from "node:os";
import { relative, sep } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Folders whose tests kill processes, open browsers, wait for calls or build packages and pages: they go first, because
 * a long test begun last would run alone while everything else is done. Within a folder the larger files go first. A
 * clean checkout has no record of the last run to go by.
 */
const LONG_FOLDERS = [
  "durability",
  "contract",
  "dashboard",
  "calls",
  "voice",
  "carriers",
  "models",
  "api",
  "documentation",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const [top, folder = ""] = relative(import.meta.dirname, moduleId).split(sep);
      const place = top === "tests" ? LONG_FOLDERS.indexOf(folder) : -1;
      return place === -1 ? LONG_FOLDERS.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "sdk/src/**/*.test.ts", "web/src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["tests/kit/global-setup.ts"],
    setupFiles: ["tests/kit/real-time.ts"],
    pool: "forks",
    // The service is loaded once for each worker, by Node as it runs in production, and not once for each file.
    isolate: false,
    experimental: { viteModuleRunner: false },
    // What memory is held is compared after a collection. Patterns are compiled as by bin/spawn-server.js.
    execArgv: ["--expose-gc", "--no-regexp-tier-up"],
    // Calls in real audio mostly wait, so a file beside them costs little: one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    // A list of faults is printed, not its length.
    chaiConfig: { truncateThreshold: 2_000 },
    // The second that is usual is soon over on a busy machine, and twenty questions a second keep it busy. What a batch of
    // embeddings may take is longer.
    expect: { poll: { timeout: 25_000, interval: 100 } },
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
