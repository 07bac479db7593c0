import { expect, test } from "vitest";
import { sayError, sayFault, sayReason } from "./server-texts.ts";

const fault = (code: string) => ({ code, message: "The server's words." });

test("the English dashboard shows the server's own words", () => {
  expect(sayReason(fault("DO_NOT_CALL"), "en")).toBe("The server's words.");
  expect(sayFault(fault("REQUIRED"), "en")).toBe("The server's words.");
  expect(sayError("CONFLICT", "The server's words.", false, "en")).toBe("The server's words.");
});

test("other languages show the text of a code, and keep what the server says beyond it", () => {
  expect(sayReason(fault("DO_NOT_CALL"), "de")).toBe("The number is on this workspace's do-not-call list.");
  expect(sayFault(fault("REQUIRED"), "de")).toBe("This is required.");
  expect(sayFault(fault("FORMAT"), "de")).toBe("The form is wrong. (The server's words.)");
  expect(sayError("CONFLICT", "The server's words.", false, "es")).toBe(
    "The present state does not allow this. (The server's words.)",
  );
  expect(sayError("CONFLICT", "The server's words.", true, "es")).toBe("The present state does not allow this.");
});

test("a code that is not known keeps the server's words", () => {
  for (const said of [
    sayReason(fault("30005"), "de"),
    sayFault(fault("x"), "de"),
    sayError("X", "The server's words.", true, "de"),
  ])
    expect(said).toBe("The server's words.");
});
