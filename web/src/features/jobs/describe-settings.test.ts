import { expect, test } from "vitest";
import { NEW_SETTINGS } from "#web/domain/job/job-settings.ts";
import { describeRetries } from "./describe-settings.ts";

test("of the waits between attempts, those are listed that the attempts leave room for", () => {
  const say = (maxAttempts: number, waits = NEW_SETTINGS.waits) =>
    describeRetries({ ...NEW_SETTINGS, maxAttempts, waits });
  expect(say(3)).toBe("Up to 3, after busy, no answer; waits 30 min, 1 h");
  expect(say(2)).toBe("Up to 2, after busy, no answer; waits 30 min");
  expect(say(10, "5")).toBe("Up to 10, after busy, no answer; waits 5 min");
  expect(say(1)).toBe("One each");
});
