import { expect, test } from "vitest";
import type { Route } from "./route.ts";
import { indexByPath } from "./routes-by-path.ts";

const ROUTES = [
  ["GET", "/jobs"],
  ["POST", "/jobs"],
  ["GET", "/jobs/{jobId}"],
  ["POST", "/jobs/search"],
  ["PUT", "/jobs/{jobId}/rows"],
  ["POST", "/hooks/{id}/*"],
].map(([method, path]) => ({ method, path }) as Route);
const index = indexByPath(ROUTES);
const found = (url: string) => index.ofPath(url).map(({ method, path }) => `${method} ${path}`);
const taken = (method: string, url: string) => {
  const { declared, params } = index.find(method, url) ?? {};
  return declared && [`${declared.method} ${declared.path}`, params];
};

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

test("a request has the route of its method, with the values of its path", () => {
  expect(taken("GET", "/jobs?page=2")).toEqual(["GET /jobs", {}]);
  expect(taken("HEAD", "/jobs/a%2Fb%25#x")).toEqual(["GET /jobs/{jobId}", { jobId: "a/b%" }]);
  expect(taken("GET", "/jobs/search")).toEqual(["GET /jobs/{jobId}", { jobId: "search" }]);
  expect(taken("POST", "/jobs/search")).toEqual(["POST /jobs/search", {}]);
  expect(taken("PUT", "/jobs/search/rows")).toEqual(["PUT /jobs/{jobId}/rows", { jobId: "search" }]);
  expect(taken("DELETE", "/jobs/1")).toBeUndefined();
  expect(taken("GET", `/jobs/${"a".repeat(400)}`)?.[0]).toBe("GET /jobs/{jobId}");
  expect(taken("GET", `/jobs/${"a".repeat(401)}`)).toBeUndefined();
});

test("a path may take the rest of a URL's", () => {
  expect(taken("POST", "/hooks/1/")).toEqual(["POST /hooks/{id}/*", { id: "1", "*": "" }]);
  expect(taken("POST", "/hooks/1/a%2Fb/c?d")).toEqual(["POST /hooks/{id}/*", { id: "1", "*": "a/b/c" }]);
  expect(found("/hooks/1/a")).toEqual(["POST /hooks/{id}/*"]);
  expect(found("/hooks/1")).toEqual([]);
});

test("a URL with its host has the path that follows it", () => {
  expect(taken("GET", "HTTP://host:80/jobs/1?x=http://other/")).toEqual(["GET /jobs/{jobId}", { jobId: "1" }]);
  expect(found("http://host")).toEqual([]);
  expect(found("/http://host/jobs")).toEqual([]);
  expect(found("*")).toEqual([]);
});

test("two routes of one method and path are refused", () => {
  const twice = [...ROUTES, { method: "GET", path: "/jobs/{id}" } as Route];
  expect(() => indexByPath(twice)).toThrow("Two routes take GET /jobs/{jobId}.");
});
