import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDeadLinks } from "../../site/links-check.ts";
import { buildDocumentation } from "../kit/built-documentation.ts";
import { ROOT } from "../kit/repository.ts";
import { World } from "../kit/world.ts";

const DIST = join(ROOT, "site/dist");

let world: World;
beforeAll(async () => {
  await buildDocumentation();
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const read = (path: string) => world.request("GET", path, { key: null });

test("a server shows every page of docs/ to anybody, and lists it in /llms.txt", async () => {
  const { text: list } = await read("/llms.txt");
  const names = globSync("docs/**/*.md", { cwd: ROOT }).filter((path) => path !== "docs/README.md");
  expect(names.length).toBeGreaterThan(40);
  for (const name of names) {
    const path = `/docs/guides/${name.slice("docs/".length, -".md".length)}`;
    const { status, text, headers } = await read(path);
    expect([path, status, headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"]);
    const heading = /^# (.+)$/m.exec(readFileSync(join(ROOT, name), "utf8"))?.[1] ?? "";
    expect(text.replaceAll(/<[^>]+>/g, "")).toContain(heading.replaceAll("`", ""));
    expect(list).toContain(`${path})`);
  }
});

test("a block that is to be saved says under which name", async () => {
  const { text } = await read("/docs/guides/first-flow");
  const names = [...text.matchAll(/<pre tabindex="0" data-file="([^"]+)">/g)].map(([, name]) => name);
  expect(names).toEqual(["visit.json", "flow.json", "tasting.suite.yaml"]);
});

test("each file that a page loads is served, and none comes from another host or stands in the page", async () => {
  const { text } = await read("/docs/guides/dashboard");
  const files = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  files.push(/data-search="([^"]+)"/.exec(text)?.[1] ?? "");
  expect(files.length).toBeGreaterThan(8);
  for (const path of files) {
    expect(path).toMatch(/^\/docs\/guides\/assets\//);
    expect((await read(path)).status, path).toBe(200);
  }
  expect(text.match(/<script(?![^>]* src=)|<style| style=| on\w+=/g)).toBeNull();
});

test("the build finds a link, an anchor and a picture that lead nowhere", () => {
  expect(findDeadLinks(DIST)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "parley-site-"));
  try {
    cpSync(DIST, folder, { recursive: true });
    const page =
      '<a href="/docs/guides/none">a</a><a href="/docs/guides/flows#none">b</a><img src="/docs/guides/no.png">';
    writeFileSync(join(folder, "x.html"), `${page}<a href="/docs/guides/flows">c</a><a href="#none">d</a>`);
    expect(findDeadLinks(folder)).toEqual([
      "/docs/guides/x: /docs/guides/none",
      "/docs/guides/x: /docs/guides/flows#none",
      "/docs/guides/x: #none",
      "/docs/guides/x: /docs/guides/no.png",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("every file of the checkout that a page links to exists", () => {
  const pages = [...globSync("docs/**/*.md", { cwd: ROOT }), ...globSync("*.md", { cwd: ROOT })];
  const linked = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)].map(
      ([, path = ""]) => [page, normalize(join(dirname(page), path))] as const,
    ),
  );
  expect(linked.length).toBeGreaterThan(150);
  expect(linked.filter(([, path]) => !existsSync(join(ROOT, path)))).toEqual([]);
});
