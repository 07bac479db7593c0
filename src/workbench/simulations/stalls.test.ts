import { describe, expect, test } from "vitest";
import { modelOf, text } from "#kit/trial-session.ts";
import type { LanguageModel } from "#src/engine/models/models.ts";
import { runTrialConversation, runTrialSuite, trialFlow, trialSuite } from "./trial-flow.ts";

describe("nothing hangs", () => {
  test("an endless dialogue ends at its limit of turns", async () => {
    const model = modelOf([[text("And then?")]]);
    const { failures, endReason, turns } = await runTrialConversation(
      trialSuite({ limits: { turns: 5, seconds: 900 } }),
      trialFlow({}, {}, { model }),
    );
    expect(endReason).toBe("LIMIT_TURNS");
    expect(turns).toBeLessThan(8);
    expect(failures).toContainEqual(
      expect.objectContaining({ code: "LIMIT_REACHED", message: expect.stringContaining("its limit of turns") }),
    );
  });

  test("a person who never stops is left at the limit of call time", async () => {
    const { failures, callMs } = await runTrialConversation(
      trialSuite({ limits: { turns: 60, seconds: 60 }, scenarios: [{ persona: "never-stops" }] }),
    );
    expect(callMs).toBeGreaterThan(60_000);
    expect(failures).toEqual([
      expect.objectContaining({ code: "LIMIT_REACHED", message: expect.stringContaining("its limit of call time") }),
    ]);
  });

  test("a model that answers nothing, for ever, is given up", async () => {
    const model: LanguageModel = {
      ...modelOf([[]]),
      respond: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
    };
    const { failures } = await runTrialConversation(trialSuite(), trialFlow({}, {}, { model }), { stallMs: 50 });
    expect(failures).toEqual([
      expect.objectContaining({
        code: "STALLED",
        turn: 2,
        quote: "Okay.",
        message: "Nothing happened for 0.05 s after turn 2, so the conversation was ended.",
      }),
    ]);
  });

  test("a worker in an endless loop is ended; the other conversations go on", async () => {
    const workerEntry = new URL("./looping-worker.ts", import.meta.url);
    const report = await runTrialSuite(trialSuite({ repeat: 5 }), trialFlow(), {
      workers: 2,
      workerEntry,
      stallMs: 3_000,
    });
    const conversations = report.scenarios[0]?.conversations ?? [];
    expect(conversations.map(({ seed }) => seed)).toEqual([1, 2, 3, 4, 5]);
    expect(conversations.map(({ passed }) => passed)).toEqual([true, true, false, false, true]);
    expect(conversations[2]?.failures).toEqual([
      expect.objectContaining({
        code: "STALLED",
        turn: 2,
        quote: "Okay.",
        message: expect.stringMatching(/^Nothing happened for .* s after turn 2, so the conversation was ended.$/),
      }),
    ]);
    expect(conversations[3]?.failures[0]?.message).toContain("Its thread failed (broken)");
  });

  test.each([0, 2])("an aborted run rejects with the reason (%i workers)", async (workers) => {
    const stop = new AbortController();
    const running = runTrialSuite(trialSuite({ repeat: 500 }), trialFlow(), {
      workers,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await expect(running).rejects.toThrow("enough");
  });
});
