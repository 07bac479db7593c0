import { describe, expect, test } from "vitest";
import { findDoubt, type SessionLine } from "./doubt.ts";
import { optOutPhrases } from "./judge.ts";

const DOUBTFUL = "unsubscribe me from the newsletter but keep the appointment";
const ASK = optOutPhrases("en").ask;
const person = (content: string, startMs = 0): SessionLine => ({ role: "USER", content, startMs });
const agent = (content: string): SessionLine => ({ role: "ASSISTANT", content });
const listing = (result: string): SessionLine => ({
  role: "TOOL",
  content: JSON.stringify({ name: "add_to_do_not_call", input: {}, result }),
});

describe("a session is in doubt", () => {
  test("when words may mean an opt-out and nobody asked back", () => {
    const lines = [agent("Hello."), person("Hi"), person(DOUBTFUL, 4_000), agent("Fine.")];
    expect(findDoubt(lines, "en-US")).toEqual({
      reason: "UNHEEDED",
      language: "en",
      quotes: [{ text: DOUBTFUL, startMs: 4_000, at: null }],
    });
  });

  test("when certain words came to nothing", () => {
    expect(findDoubt([person("Stop calling me")], "en-US")).toMatchObject({ reason: "UNHEEDED" });
  });

  test.each([[[]], [[person("What do you mean?")]], [[agent("Hello?"), person("Hmm")]], [[person("Yes please")]]])(
    "when the question whether contact shall end got no clear no (%#)",
    (after) => {
      expect(findDoubt([person(DOUBTFUL), agent(ASK), ...after], "en-US")).toMatchObject({ reason: "UNANSWERED" });
    },
  );

  test("when the ledger could not be written, and not when a later try could", () => {
    const failed = [person("Take me off"), listing("failed: the list could not be written")];
    expect(findDoubt(failed, "en-US")).toMatchObject({ reason: "NOT_RECORDED", quotes: [{ text: "Take me off" }] });
    expect(findDoubt([person("Bye"), failed[1] as SessionLine, listing("ok")], "en-US")).toBeNull();
  });

  test("when doubtful words follow a clear no", () => {
    const lines = [person(DOUBTFUL), agent(ASK), person("No, go on"), agent("Fine."), person(DOUBTFUL, 9_000)];
    expect(findDoubt(lines, "en-US")).toMatchObject({ reason: "UNHEEDED", quotes: [{ startMs: 9_000 }] });
  });
});

describe("a session is not in doubt", () => {
  test("when nothing was said that may mean an opt-out", () => {
    expect(findDoubt([agent("Hello."), person("Monday suits me")], "en-US")).toBeNull();
    expect(findDoubt([], "en-US")).toBeNull();
  });

  test("when the person clearly said no, in several lines or after a pause", () => {
    expect(findDoubt([person(DOUBTFUL), agent(ASK), person("Yes... wait"), person("No no")], "en-US")).toBeNull();
    expect(findDoubt([person(DOUBTFUL), agent(ASK), agent("Are you there?"), person("No")], "en-US")).toBeNull();
  });

  test("when the guard knows that it was settled, whatever of its question was heard", () => {
    const lines = [person(DOUBTFUL), agent("Do you"), person("no")];
    expect(findDoubt(lines, "en-US")).not.toBeNull();
    expect(findDoubt(lines, "en-US", 3)).toBeNull();
  });
});

test("a quote is cut, and no more than five are kept", () => {
  const long = `Stop calling me. ${"x".repeat(2_000)}`;
  const doubt = findDoubt(
    Array.from({ length: 9 }, () => person(long)),
    "en-US",
  );
  expect(doubt?.quotes).toHaveLength(5);
  expect(doubt?.quotes[0]?.text).toHaveLength(500);
});
