import { join } from "node:path";
import { chromium } from "playwright-core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM } from "../kit/browser.ts";
import { findBlocks } from "../kit/pages/blocks.ts";
import { findRuntime, InstalledSdk, journeySettings, SEEN } from "../kit/sdk-package/sdk-package.ts";
import { World } from "../kit/world.ts";

/* The SDK as it is published. `npm run matrix` adds the runtimes that are not this one, and a browser. */

const MATRIX = process.env.SDK_MATRIX;

let sdk: InstalledSdk;
let world: World;
beforeAll(async () => {
  // One after the other: a server starts without PATH, where npm is.
  sdk = await InstalledSdk.make();
  world = await World.start();
});
afterAll(async () => {
  sdk[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

test.each(["esm.mjs", "cjs.cjs"])("%s runs on this Node", async (program) => {
  expect(await sdk.travel([process.execPath, program], world)).toEqual(SEEN);
});

test("the manifest is right for every way of importing the package", async () => {
  expect(await sdk.findTypeProblems()).toEqual([]);
  const { messages } = await publint({ pkgDir: join(sdk.folder, "node_modules/@parley/sdk"), strict: true });
  expect(messages).toEqual([]);
  expect(sdk.manifest).toMatchObject({ license: "Apache-2.0", sideEffects: false, engines: { node: ">=20" } });
  for (const name of ["private", "dependencies", "scripts"]) expect(sdk.manifest).not.toHaveProperty(name);
});

test.each([
  ["node16", { module: "node16", moduleResolution: "node16" }],
  ["nodenext", { module: "nodenext", moduleResolution: "nodenext" }],
  ["bundler", { module: "esnext", moduleResolution: "bundler" }],
])("its types compile under moduleResolution %s", async (name, settings) => {
  expect(await sdk.compile(name, settings)).toBe("");
});

/** Programs of the documentation, and what their comments say that they print. */
const EXAMPLES = findBlocks()
  .filter((block) => block.test.kind === "PROGRAM_TS")
  .map(({ page, line, text }) => ({
    title: `${page}:${line}`,
    name: `${page.replaceAll(/\W/g, "-")}-${line}.mts`,
    text,
    printed: [...text.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, words = ""]) => words),
  }));

test.each(EXAMPLES)("$title compiles, runs, and prints what it says", async ({ name, text, printed }) => {
  const output = await sdk.runExample(name, text, world);
  expect(output.trim().split("\n").filter(Boolean)).toEqual(printed);
});

/** Program of each runtime in its folder, and what runs a program in it. */
const RUNTIMES = [
  ["Node 20", "node20", "bin/node", []],
  ["Node 22", "node22", "bin/node", []],
  ["Bun", "bun", "bin/bun", []],
  ["Deno", "deno", "deno", ["run", "--allow-all"]],
] as const;

describe.skipIf(!MATRIX)(`npm run matrix${MATRIX ? "" : " (skipped: only there)"}`, () => {
  for (const [title, name, file, options] of RUNTIMES) {
    const runtime = findRuntime(name, file);
    const why = runtime ? "" : " (skipped: it could not be had)";
    test.skipIf(!runtime).each(["esm.mjs", "cjs.cjs"])(`%s runs on ${title}${why}`, async (program) => {
      expect(await sdk.travel([runtime as string, ...options, program], world)).toEqual(SEEN);
    });
  }

  test.skipIf(!CHROMIUM)("a bundle in a browser", async () => {
    const script = await sdk.bundle();
    const browser = await chromium.launch({ executablePath: CHROMIUM as string, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      // On the server's origin, which the API asks for.
      await page.route("**/journey", (route) =>
        route.fulfill({ contentType: "text/html", body: "<title>SDK</title>" }),
      );
      await page.goto(`${world.url}/journey`);
      await page.addScriptTag({ content: script, type: "module" });
      await page.waitForFunction("globalThis.journey !== undefined");
      const seen = await page.evaluate(`journey(${JSON.stringify(journeySettings(world))})`);
      expect(seen).toEqual(SEEN);
    } finally {
      await browser.close();
    }
  });
});
