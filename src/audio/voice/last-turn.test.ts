import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LastTurn } from "./last-turn.ts";

const OPEN = { text: "Cancel it", isFinal: false, startMs: 100, endMs: 900 };
const { signal } = new AbortController();

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("the last turn", () => {
  it("has no final text until its words are confirmed", async () => {
    const turn = new LastTurn();
    expect(turn.finalText).toBe("");
    turn.begin(OPEN);
    expect(turn.finalText).toBeNull();
    const waiting = turn.waitUntilFinal(1_000, signal);
    expect(turn.confirm("Can you sell it")).toBeNull();
    await waiting;
    expect(turn.finalText).toBe("Can you sell it");
    await turn.waitUntilFinal(1_000, signal);
  });

  it("is given back when it had counted as one without words and turns out to have some", () => {
    const turn = new LastTurn();
    turn.begin({ ...OPEN, text: "" });
    expect(turn.confirm("Yes")).toEqual({ text: "Yes", startMs: 100, endMs: 900 });
    turn.begin({ ...OPEN, text: "" });
    expect(turn.confirm("")).toBeNull();
  });

  it("is waited for no longer than allowed", async () => {
    const turn = new LastTurn();
    turn.begin(OPEN);
    const late = turn.waitUntilFinal(1_000, signal);
    await vi.advanceTimersByTimeAsync(1_000);
    await late;
    const stop = new AbortController();
    const waiting = turn.waitUntilFinal(60_000, stop.signal);
    stop.abort();
    await waiting;
    expect(turn.finalText).toBeNull();
  });
});
