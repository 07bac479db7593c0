import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import { nameAsTyped } from "./as-typed.ts";

const NPX = { npm_command: "exec", npm_lifecycle_event: "npx" };

test("commands in a message begin with npx for somebody who used it", () => {
  const text = "Next: parley jobs rows 1    parley jobs export 1 > parley.csv (npx parley init)";
  expect(nameAsTyped(text, {})).toBe(text);
  expect(nameAsTyped(text, NPX)).toBe(
    "Next: npx parley jobs rows 1    npx parley jobs export 1 > parley.csv (npx parley init)",
  );
  const other = "There are no definitions in parley; /srv/parley flow and @parley sdk are none.";
  expect(nameAsTyped(other, NPX)).toBe(other);
});

test("an error of a command names the help of that command", async () => {
  await using system = new FakeSystem();
  expect(await system.run("jobs", "rows")).toBe(2);
  expect(system.err).toContain("(see: parley jobs rows --help)");
  Object.assign(system.env, NPX);
  expect(await system.run("flow", "elephant")).toBe(2);
  expect(system.err).toContain("(see: npx parley flow --help)");
  expect(await system.run("simulate")).toBe(2);
  expect(system.err).toContain("A first one: npx parley simulate init");
});
