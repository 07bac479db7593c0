import { expect, test } from "vitest";
import { describeDrill, describeScope, isOfDials, readDrill, toDrillHref } from "./drill.ts";

test("a figure's calls have an address that carries filters and figure", () => {
  const href = toDrillHref(
    { from: "2026-11-01", to: "2026-11-30", flowApiId: undefined },
    { field: "a&b", value: "x=1" },
  );
  const read = readDrill(new URL(href, "http://localhost").searchParams.get("result"));
  expect(read).toEqual({ from: "2026-11-01", to: "2026-11-30", field: "a&b", value: "x=1" });
  expect(readDrill(null)).toBeNull();
});

const titleOf = (field: string) => field;

test("a figure and its scope are said in words", () => {
  expect(describeDrill({ step: "TALKED" }, titleOf)).toBe("Calls in which the person spoke");
  expect(describeDrill({ weekday: "1", hour: "9" }, titleOf)).toBe(
    "Calls dialled on a Monday between 9 and 10 o'clock",
  );
  expect(describeDrill({ field: "guests", valueFrom: "2", valueBelow: "4" }, titleOf)).toBe(
    "Calls whose guests is from 2 to below 4",
  );
  expect(describeDrill({ outcome: "FAILED", reason: "NO_ANSWER" }, titleOf)).toBe("Calls that ended with No answer");
  expect(describeDrill({ tool: "book_demo" }, titleOf)).toBe("Calls in which the tool book_demo failed");
  const scope = {
    from: "2026-11-01",
    to: "2026-11-02",
    timeZone: "UTC",
    flowApiId: "f",
    flowVersion: "2",
    channel: "WEB",
  };
  expect(describeScope(scope)).toBe("Sun, Nov 1, 2026 to Mon, Nov 2, 2026 (UTC), flow f version 2, web");
});

test("the figures of an hour and of a number count dials, those of outcomes and steps count calls", () => {
  expect(isOfDials({ weekday: "1", hour: "9" })).toBe(true);
  expect(isOfDials({ phoneNumberId: "n" })).toBe(true);
  expect(isOfDials({ outcome: "FAILED", flowApiId: "f" })).toBe(false);
});
