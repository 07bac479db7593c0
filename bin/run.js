#!/usr/bin/env node
import { check, fix } from "./check.js";
import { packCli } from "./cli.js";
import { packIntegrations } from "./integrations.js";
import { build, buildDocs, launch, orExplain } from "./launch.js";
import { checkMatrix } from "./matrix.js";
import { release } from "./release.js";
import { packSdk } from "./sdk.js";

const [command = "serve", ...args] = process.argv.slice(2);

const commands = {
  check: () => check(args),
  fix: () => fix(),
  serve: () => launch("src/main.ts", ["serve", ...args], { withPages: true, supervised: true }),
  build: () => build(),
  docs: () => buildDocs(),
  sdk: () => packSdk(),
  cli: () => packCli(),
  integrations: () => packIntegrations(),
  release: () => release(args),
  matrix: () => checkMatrix(args),
  bench: () => launch("bench/run.ts", args, { withDevelopment: true }),
  soak: () => launch("soak/run.ts", args, { withDevelopment: true }),
  ha: () => launch("deploy/ha/run.ts", args),
  fuzz: () => launch("tests/fuzz/run.ts", args, { withDevelopment: true }),
  image: () => launch("tests/image/run.ts", args, { withDevelopment: true }),
};

await orExplain(commands[command] ?? (() => launch("src/main.ts", [command, ...args])));
