import { expect, test } from "vitest";
import type { Route } from "./route.ts";
import { indexByPath } from "./routes-by-path.ts";

const ROUTES = [
  ["GET", "/jobs"],
  ["POST", "/jobs"],
  ["GET", "/jobs/{jobId}"],
  ["POST", "/jobs/search"],
  ["PUT", "/jobs/{jobId}/rows"],
].map(([method, path]) => ({ method, path }) as Route);
const find = indexByPath(ROUTES);
const found = (url: string) => find(url).map(({ method, path }) => `${method} ${path}`);

test("the routes of a path are found whatever its query and escapes", () => {
  expect(found("/jobs?page=2")).toEqual(["GET /jobs", "POST /jobs"]);
  expect(found("/j%6Fbs/a%2Fb")).toEqual(["GET /jobs/{jobId}"]);
});

test("a written part goes before a parameter, which takes what leads nowhere else", () => {
  expect(found("/jobs/search")).toEqual(["POST /jobs/search"]);
  expect(found("/jobs/search/rows")).toEqual(["PUT /jobs/{jobId}/rows"]);
});

test("a path that no route has finds none", () => {
  for (const url of ["/", "/jobs/1/", "/Jobs", "/jobs/1/rows/2", "//jobs"]) expect([url, ...found(url)]).toEqual([url]);
});
