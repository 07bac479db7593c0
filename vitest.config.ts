import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What takes longest goes first: begun last, it would run alone while everything else is done. In seconds on two cores,
 * roughly; a file that is not here takes less than ten. A clean checkout has no record of the last run to go by.
 */
const SECONDS: Record<string, number> = {
  "tests/crash": 200,
  "tests/fuzz": 110,
  "tests/never-twice-carriers": 80,
  "tests/supervision": 70,
  "tests/dashboard/first-five-minutes": 65,
  "tests/matrix": 60,
  "tests/dashboard/data-screens": 50,
  "tests/dashboard/first-screens": 40,
  "tests/dashboard/flows": 40,
  "tests/dashboard/jobs": 40,
  "tests/dashboard/settings": 40,
  "tests/spoken-round-trip": 39,
  "tests/transcription-process": 35,
  "tests/dashboard/roles": 35,
  "tests/supervision-across-nodes": 35,
  "tests/dashboard/live-updates": 32,
  "tests/inbound-carriers": 32,
  "tests/late-outputs-kills": 31,
  "tests/many-nodes": 31,
  "tests/vendor-range": 30,
  "tests/sip/sipp-calls": 28,
  "tests/audio-calls": 26,
  "tests/dashboard/live-calls": 26,
  "tests/dashboard/developers": 25,
  "tests/automations": 24,
  "tests/start": 23,
  "src/voice/media-worker/media-host": 23,
  "tests/dashboard/live-across-nodes": 22,
  "tests/sip/service-calls": 23,
  "src/voice/speech/sphinx-recogniser": 22,
  "tests/call-jobs": 22,
  "src/db/embedded-postgres": 21,
  "tests/web-calls": 20,
  "tests/console-live": 20,
  "tests/knowledge-indexing": 20,
  "tests/carriers-vonage-never-twice": 20,
  "src/models/scripted/long-speech": 19,
  "tests/sip/baresip-calls": 17,
  "tests/dashboard/chats": 17,
  "tests/imports": 16,
  "tests/voice-provider-faults": 16,
  "tests/test-endpoints": 15,
  "tests/chat-events": 14,
  "tests/mcp": 13,
  "tests/knowledge-embeddings": 12,
  "tests/mcp-conformance": 11,
  "tests/dashboard/signing-in": 10,
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      SECONDS[relative(import.meta.dirname, moduleId).replace(/\.test\.ts$/, "")] ?? 0;
    return (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
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
    testTimeout: 120_000,
    // The second that is usual is soon over on a busy machine. What a batch of embeddings may take is longer.
    expect: { poll: { timeout: 25_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
