import { expect, test } from "vitest";
import type { Route } from "./route.ts";
import { describeUnknownPaths } from "./unknown-path.ts";

const describePath = describeUnknownPaths(
  ["/outbound/calls", "/flows", "/flows/{flowId}", "/call-jobs", "/call-jobs/{jobId}/rows"].map(
    (path) => ({ path: `/api/external/v1${path}` }) as Route,
  ),
);

test.each([
  ["/outbound/call", "/outbound/calls"],
  ["/flow?size=3", "/flows"],
  ["/callJobs", "/call-jobs"],
  ["/flow/01a21ba4-523e-71c5-b102-de964c203ded", "/flows/{flowId}"],
  ["/jobs/7/row?size=3", "/call-jobs/{jobId}/rows"],
])("%s names the path that was meant", (path, nearest) => {
  const said = describePath(`/api/external/v1${path}`);
  expect(said).toBe(`No operation has this path. Did you mean /api/external/v1${nearest}? /openapi.json lists them.`);
});

test("a path like none is only pointed to the document; one elsewhere gets no words", () => {
  expect(describePath("/api/external/v1/elephants")).toBe("No operation has this path. /openapi.json lists them.");
  expect(describePath("/api/external/v1/elephants/7")).toBe("No operation has this path. /openapi.json lists them.");
  expect(describePath("/wp-login.php")).toBeUndefined();
});

test("a known path under another prefix is named under the right one", () => {
  const said = "No operation has this path. Did you mean /api/external/v1/outbound/calls? /openapi.json lists them.";
  expect(["/api/v1/outbound/calls", "/outbound/calls?x=1"].map(describePath)).toEqual([said, said]);
});
