import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GROUPS, ROOMS, WEB_LAYERS } from "../../.dependency-cruiser.mjs";
import { ROOT } from "../kit/repository.ts";

const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
const tree = /```text drawing\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

/** Returns the names that stand indented below a heading of the tree, in their order. */
function namesBelow(heading: string): string[] {
  const lines = tree.split("\n");
  const from = lines.findIndex((line) => line.startsWith(`${heading} `)) + 1;
  const length = lines.slice(from).findIndex((line) => !line.startsWith("  "));
  return lines.slice(from, from + length).flatMap((line) => /^ {2}([\w-]+)\/ /.exec(line)?.[1] ?? []);
}

test("the tree lists every group and every room, in the order of the tables", () => {
  const groups = [...tree.matchAll(/^src\/([\w-]+)\/ /gm)].map((match) => match[1]);
  expect(groups).toEqual(Object.keys(GROUPS));
  for (const [group, rooms] of Object.entries(ROOMS)) expect(namesBelow(`src/${group}/`)).toEqual(Object.keys(rooms));
  expect(namesBelow("web/src/")).toEqual(WEB_LAYERS);
});

test("every folder at the top of the repository is in the tree", () => {
  const own = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .filter((name) => !["node_modules", "data", "coverage", "dist"].includes(name));
  expect(own.filter((name) => !new RegExp(`\\b${name}/`).test(page))).toEqual([]);
});

const roomPaths = new Map(
  Object.entries(ROOMS).flatMap(([group, rooms]) => Object.keys(rooms).map((room) => [room, `src/${group}/${room}`])),
).set("app", "src/app");
const ways = page
  .slice(page.indexOf("## Five ways"), page.indexOf("## Never twice"))
  .split(/^(?=[A-Z].*:$)/m)
  .slice(1);

/** Returns the path of a file that the page names from the root of the repository or by its room. */
function pathOf(name: string): string {
  const [first = "", ...others] = name.split("/");
  return [roomPaths.get(first) ?? first, ...others].join("/");
}

test("every file that the page names exists", () => {
  const folders = ["src", "web", "tests", "sdk", "bin", ...roomPaths.keys()].join("|");
  const named = [...page.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]+)\``, "g"))].map(
    (match) => match[1] as string,
  );
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((name) => !existsSync(join(ROOT, pathOf(name))))).toEqual([]);
});

test("every file that a way names without its folder is in the room that the way names", () => {
  for (const way of ways) {
    const room = /\(files without a folder are in `([\w-]+)\/`\):/.exec(way)?.[1] ?? "";
    const named = [...way.matchAll(/`([\w.-]+\.tsx?)`/g)].map((match) => match[1] as string);
    expect(named.filter((name) => !existsSync(join(ROOT, pathOf(`${room}/${name}`))))).toEqual([]);
  }
});

test("each way through the code has at most ten lines", () => {
  expect(ways.length).toBe(5);
  for (const way of ways) expect(way.trim().split("\n").slice(2).length, way).toBeLessThanOrEqual(10);
});
