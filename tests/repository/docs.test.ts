import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const read = (path: string) => world.request("GET", path, { key: null });

test("/docs loads its parts from this origin alone, and its policy forbids any other", async () => {
  const page = await read("/docs");
  expect(page.status).toBe(200);
  const policy = page.headers.get("content-security-policy") ?? "";
  const sources = policy.split(";").flatMap((rule) => rule.trim().split(/\s+/).slice(1));
  expect([...new Set(sources)].toSorted()).toEqual(["'none'", "'self'", "'unsafe-inline'", "data:"]);
  const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) {
    expect(part).toMatch(/^\/[^/]/);
    expect((await read(part)).status, part).toBe(200);
  }
});

test("/docs gives no other file of the package, nor of the disk", async () => {
  for (const path of [
    "/docs/package.json",
    "/docs/index.html",
    "/docs/..%2f..%2fpackage.json",
    "/docs/swagger-ui.css.map",
  ]) {
    expect([400, 404], path).toContain((await read(path)).status);
  }
});

test("/llms.txt names every operation of the document", async () => {
  const { text } = await read("/llms.txt");
  const { body } = await read("/openapi.json");
  const paths = Object.keys(body.paths as object).filter((path) => path.startsWith("/api/external/"));
  expect(paths.filter((path) => !text.includes(` ${path}: `))).toEqual([]);
});
