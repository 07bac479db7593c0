import { availableParallelism } from "node:os";
import { join, relative, sep } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const TESTS = join(import.meta.dirname, "tests");
/**
 * Folders whose tests kill processes, wait for calls or build packages: they go first, because a long test begun last
 * would run alone while everything else is done. Within a folder the larger files go first. A clean checkout has no
 * record of the last run to go by.
 */
const WAITING = ["durability", "contract", "calls", "voice", "carriers"];
/** Browsers keep the cores busy: their tests are spread among those above, which mostly wait. */
const BUSY = ["dashboard"];
const NEXT = ["models", "api", "documentation", "sdk", "repository"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const folderOf = ({ moduleId }: TestSpecification) => relative(TESTS, moduleId).split(sep)[0] ?? "";
    const byFolder = Map.groupBy(await super.sort(files), folderOf);
    const take = (folders: string[]) => folders.flatMap((folder) => byFolder.get(folder) ?? []);
    const named = [...WAITING, ...BUSY, ...NEXT];
    const others = [...byFolder.keys()].filter((folder) => !named.includes(folder));
    return [...spread(take(WAITING), take(BUSY)), ...take(NEXT), ...take(others)];
  }
}

/** Mixes lists so that each goes on evenly from the first place to the last. */
function spread<Item>(...lists: Item[][]): Item[] {
  const placed = lists.flatMap((list) => list.map((item, i) => ({ item, place: i / list.length })));
  return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
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
    // Memory is compared after a collection. Patterns are compiled as by bin/spawn-server.js.
    execArgv: ["--expose-gc", "--no-regexp-tier-up"],
    // Calls in real audio mostly wait, so files beside them cost little: two more than there are cores.
    maxWorkers: availableParallelism() + 2,
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
