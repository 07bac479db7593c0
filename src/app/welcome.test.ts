import { expect, test } from "vitest";
import { renderWelcome } from "./welcome.ts";

const STARTED = { url: "http://127.0.0.1:8080", setupUrl: null, isEmpty: true, dataDir: "./data" };
const CREATE = "npx parley workspace create --name Demo --sample";

test("the welcome names the guides, and proposes a workspace only while there is none", () => {
  const first = renderWelcome(STARTED, 2_500);
  expect(first).toContain("Guides     http://127.0.0.1:8080/docs/guides\n");
  expect(first).toContain(CREATE);
  const second = renderWelcome({ ...STARTED, isEmpty: false }, 2_500);
  expect(second).not.toContain("workspace create");
  expect(second).toContain("npx parley call +12025550100 --watch");
});

test("the welcome gives the second terminal a data folder that is not the usual one", () => {
  expect(renderWelcome(STARTED, 1)).not.toContain("DATA_DIR");
  const text = renderWelcome({ ...STARTED, dataDir: "/srv/ann's parley" }, 1);
  expect(text).toContain(`    export DATA_DIR='/srv/ann'\\''s parley'\n    ${CREATE}\n`);
});
