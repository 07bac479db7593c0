import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";
import { ROOT } from "#kit/repository.ts";

test("init lists the templates without a server, as text and as JSON", async () => {
  await using system = new FakeSystem();
  expect(await system.run("init")).toBe(0);
  const names = readdirSync(join(ROOT, "templates")).toSorted();
  const lines = system.out.trim().split("\n").slice(1);
  expect(lines.map((line) => line.split(" ")[0])).toEqual(names);
  system.out = "";
  expect(await system.run("init", "--json")).toBe(0);
  const listed = JSON.parse(system.out) as object[];
  expect(listed).toHaveLength(12);
  expect(listed.find((one) => "document" in one || "suite" in one)).toBeUndefined();
});

test("init with a name writes flow, suite and the next commands, and overwrites no file", async () => {
  await using system = new FakeSystem();
  const folder = join(system.folder, "flows", "payment");
  expect(await system.run("init", "payment-reminder", "--dir", folder)).toBe(0);
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const source = join(ROOT, "templates/payment-reminder");
  expect(JSON.parse(read("flow.json"))).toEqual(JSON.parse(readFileSync(join(source, "flow.json"), "utf8")));
  expect(read("suite.yaml")).toBe(readFileSync(join(source, "suite.yaml"), "utf8"));
  for (const part of [
    "# Payment reminder",
    `parley simulate --serve ${join(folder, "suite.yaml")}`,
    `parley flow import ${join(folder, "flow.json")}`,
    "find_invoice",
  ])
    expect(read("README.md")).toContain(part);
  expect(system.err).toContain(`parley simulate ${join(folder, "suite.yaml")}`);
  expect(system.err).toContain(`parley flow import ${join(folder, "flow.json")}`);

  writeFileSync(join(folder, "suite.yaml"), "mine");
  expect(await system.run("init", "win-back", "--dir", folder)).toBe(2);
  expect([read("suite.yaml"), (JSON.parse(read("flow.json")) as { flow: { apiId: string } }).flow.apiId]).toEqual([
    "mine",
    "payment-reminder",
  ]);
});

test("the commands of the README are written as the person started this one", async () => {
  await using system = new FakeSystem();
  Object.assign(system.env, { npm_command: "exec", npm_lifecycle_event: "npx" });
  const folder = join(system.folder, "flow");
  expect(await system.run("init", "win-back", "--dir", folder)).toBe(0);
  expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(
    `\nnpx parley simulate --serve ${folder}/suite.yaml`,
  );
});

test("init with an unknown name is exit code 4 and names the templates; --dir alone is a fault of usage", async () => {
  await using system = new FakeSystem();
  expect(await system.run("init", "../payment-reminder", "--dir", system.folder)).toBe(4);
  expect(system.err).toContain("payment-reminder, recruitment-screening");
  expect(await system.run("init", "apointment-remindr")).toBe(4);
  expect(system.err).toContain("There is no template apointment-remindr. Did you mean appointment-reminder?");
  expect(await system.run("init", "--dir", join(system.folder, "x"))).toBe(2);
  expect(readdirSync(system.folder)).toEqual([]);
});
