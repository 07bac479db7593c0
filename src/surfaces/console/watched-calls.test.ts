import { describe, expect, it } from "vitest";
import type { WatchedRow } from "./feed-sql.ts";
import { WatchedCalls } from "./watched-calls.ts";

const look = (lines: string[] | null, status: WatchedRow["status"] = "IN_PROGRESS"): WatchedRow[] => [
  {
    rowId: "r",
    status,
    actions: [],
    endedAt: null,
    transcript: lines,
    outputs: {},
    stageId: null,
    updatedAt: new Date(),
  },
];

describe("calls that are followed", () => {
  it("are told by what changed, and as a whole to whoever missed something", () => {
    const calls = new WatchedCalls();
    calls.add(["r"]);
    const early = new Map<string, number>();
    const late = new Map<string, number>();
    const transcripts = (known: Map<string, number>) =>
      calls.toFrames(["r"], known).flatMap(({ type, data }) => (type === "transcript" ? [data] : []));
    expect(transcripts(early)).toEqual([]);
    calls.take(look(["a"]));
    expect(transcripts(early)).toMatchObject([{ from: 0, turns: ["a"] }]);
    calls.take(look(["a", "b", "c"]));
    expect(transcripts(early)).toMatchObject([{ from: 1, turns: ["b", "c"] }]);
    expect(transcripts(late)).toMatchObject([{ from: 0, turns: ["a", "b", "c"] }]);
    calls.take(look(["a", "B", "c"]));
    calls.take(look(["a", "B", "c", "d"]));
    expect(transcripts(early)).toMatchObject([{ from: 0, turns: ["a", "B", "c", "d"] }]);
    expect(transcripts(early)).toEqual([]);
  });

  it("are asked for as long as somebody looks", () => {
    const calls = new WatchedCalls();
    calls.add(["r"]);
    calls.add(["r"]);
    calls.remove(["r"]);
    expect(calls.size).toBe(1);
    calls.remove(["r"]);
    expect(calls.size).toBe(0);
  });
});
