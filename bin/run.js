#!/usr/bin/env node
import { isNewEnough } from "./node-version.js";
import { spawnServer } from "./spawn-server.js";

const [command = "serve", ...args] = process.argv.slice(2);

const early = command === "serve" && isNewEnough(process.version) ? spawnServer(process.execPath) : undefined;
const { build, buildDocs, launch, orExplain } = await import("./launch.js");

/* What checks and packs is loaded on demand: a start of the server needs none of it. */
const commands = {
  check: async () => (await import("./check.js")).check(args),
  fix: async () => (await import("./check.js")).fix(),
  serve: () => launch("src/main.ts", ["serve", ...args], { withPages: true, supervised: true, early }),
  build: () => build(),
  docs: () => buildDocs(),
  sdk: async () => (await import("./sdk.js")).packSdk(),
  cli: async () => (await import("./cli.js")).packCli(),
  integrations: async () => (await import("./integrations.js")).packIntegrations(),
  release: async () => (await import("./release.js")).release(args),
  matrix: async () => (await import("./matrix.js")).checkMatrix(args),
  bench: () => launch("bench/run.ts", args, { withDevelopment: true }),
  soak: () => launch("soak/run.ts", args, { withDevelopment: true }),
  ha: () => launch("deploy/ha/run.ts", args),
  fuzz: () => launch("tests/fuzz/run.ts", args, { withDevelopment: true }),
  image: () => launch("tests/image/run.ts", args, { withDevelopment: true }),
};

await orExplain(commands[command] ?? (() => launch("src/main.ts", [command, ...args])));
