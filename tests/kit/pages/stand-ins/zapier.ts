import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { ofMachine } from "./settings.ts";

interface App {
  version?: string;
  platformVersion?: string;
}

/**
 * Stands for npx where it runs Zapier's command line, which needs an account: the same order of steps, and what a push
 * needs of an app before it is sent.
 */
export function npx([program, name, ...args]: string[]): number {
  if (program !== "zapier-platform-cli") throw new Error(`no program ${program ?? ""}`);
  const session = join(ofMachine("MACHINE"), ".zapierrc");
  if (name === "login") writeFileSync(session, "{}");
  else if (!existsSync(session)) throw new Error("You are not logged in.");
  else if (name === "register") register(args);
  else if (name === "push") push();
  else throw new Error(`no command ${name ?? ""}`);
  return 0;
}

function register([title, ...rest]: string[]): void {
  if (!title || rest.length > 0) throw new Error("An app has one title.");
  writeFileSync(".zapierapprc", JSON.stringify({ title }));
}

function push(): void {
  if (!existsSync(".zapierapprc")) throw new Error("The app is not registered.");
  const { dependencies = {} } = JSON.parse(readFileSync("package.json", "utf8")) as {
    dependencies?: Record<string, string>;
  };
  const version = dependencies["zapier-platform-core"] ?? "";
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("zapier-platform-core must have an exact version.");
  const app = createRequire(resolve("package.json"))("./index.js") as App;
  if (app.platformVersion !== version || !app.version) throw new Error("The app's versions are wrong.");
}
