import { expect, test } from "vitest";
import { modelOf, text } from "#kit/trial-session.ts";
import { SimulationTurns } from "./conversation-turns.ts";
import { runTrialSuite, trialFlow, trialSuite } from "./trial-flow.ts";

const ONE = { slots: 1 };
const turns = () => new SimulationTurns({ SCRIPTED: ONE, HOSTED: ONE, AUDIO: ONE, THREAD: ONE }, 0);

test.each([
  ["by a script", trialFlow(), 0],
  ["by a model", trialFlow({}, {}, { model: modelOf([[text("Goodbye.")]]) }), 0],
  ["in threads", trialFlow(), 2],
])(
  "a suite of fifty held %s lets that of another workspace in after a conversation",
  async (_, flow, workers) => {
    const shared = turns();
    const stop = new AbortController();
    let noisyDone = 0;
    let quietCameAfter = -1;
    const quiet = Promise.withResolvers<void>();
    const noisy = runTrialSuite(trialSuite({ repeat: 50, limits: { turns: 3, seconds: 60 } }), flow, {
      turns: shared.of("noisy"),
      workers,
      signal: stop.signal,
      onProgress: ({ done }) => {
        noisyDone = done;
        if (done !== 1) return;
        const options = { turns: shared.of("quiet"), workers };
        void runTrialSuite(trialSuite(), flow, options).then(() => {
          quietCameAfter = noisyDone;
          quiet.resolve();
          stop.abort(new Error("seen enough"));
        }, quiet.reject);
      },
    });
    await expect(noisy).rejects.toThrow("seen enough");
    await quiet.promise;
    // The conversation under way, and those that may end while the last report is read.
    expect(quietCameAfter).toBeLessThanOrEqual(5);
  },
  60_000,
);

test("a run that is ended while it waits gives up its place in line", async () => {
  const shared = turns();
  const stop = new AbortController();
  const held = Promise.withResolvers<void>();
  const first = shared.of("a").SCRIPTED.run(() => held.promise, new AbortController().signal);
  const waiting = runTrialSuite(trialSuite(), trialFlow(), { turns: shared.of("b"), signal: stop.signal });
  stop.abort(new Error("over"));
  await expect(waiting).rejects.toThrow("over");
  expect(shared.of("a").SCRIPTED.hasOthersWaiting()).toBe(false);
  held.resolve();
  await first;
});
