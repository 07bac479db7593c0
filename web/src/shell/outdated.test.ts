import { expect, it } from "vitest";
import { isMissingPart } from "./outdated.ts";

it("a part that is not at the server is told from a fault of a screen", () => {
  const faults = [
    "Failed to fetch dynamically imported module: http://127.0.0.1:8080/assets/chats-page-1.js",
    "error loading dynamically imported module: http://127.0.0.1:8080/assets/chats-page-1.js",
    "Importing a module script failed.",
    "Unable to preload CSS for /assets/chats-page-1.css",
    "e is not a function",
  ];
  expect(faults.map((message) => isMissingPart(new Error(message)))).toEqual([true, true, true, true, false]);
});
