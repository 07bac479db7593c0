import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { MODEL_URL } from "#src/audio/vad/load-silero.ts";
import { ofMachine } from "./settings.ts";

/** Packages that the documentation has a reader install, by name, each as little as its user needs to load it. */
const PACKAGES: Record<string, string> = {
  "onnxruntime-node": "exports.InferenceSession = {};",
  "zapier-platform-core": 'exports.version = require("./package.json").version;',
};

/** Stands for npm where it installs a package by name: nothing is downloaded. The real npm runs scripts. */
export function npm(args: string[]): number {
  const options = { prefix: { type: "string" }, "save-exact": { type: "boolean" } } as const;
  if (args[0] !== "install") return runReal("npm", args);
  const { values, positionals } = parseArgs({ args: args.slice(1), allowPositionals: true, options });
  if (positionals.length === 0) return runReal("npm", args);
  for (const wanted of positionals) install(wanted, values.prefix ?? ".");
  return 0;
}

function install(wanted: string, folder: string): void {
  const [name = "", version = "1.0.0"] = wanted.split("@");
  const main = PACKAGES[name];
  if (main === undefined) throw new Error(`404 Not Found - ${name}`);
  if (!existsSync(folder)) throw new Error(`ENOENT: ${folder}`);
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, version, main: "index.js" }));
  writeFileSync(join(place, "index.js"), main);
  const list = join(folder, "package.json");
  const known = existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as { dependencies?: object }) : {};
  writeFileSync(list, JSON.stringify({ ...known, dependencies: { ...known.dependencies, [name]: version } }));
}

function runReal(name: string, args: string[]): number {
  const own = join(ofMachine("MACHINE"), "bin");
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== own);
  const env = { ...process.env, PATH: path.join(delimiter) };
  return spawnSync(name, args, { env, stdio: "inherit" }).status ?? 1;
}

/** Stands for curl: saves a file in place of the model that the documentation names. */
export function curl(args: string[]): number {
  const options = { location: { type: "boolean", short: "L" }, output: { type: "string", short: "o" } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (positionals.length !== 1 || positionals[0] !== MODEL_URL) throw new Error(`(22) 404: ${positionals.join(" ")}`);
  if (!values.location) throw new Error("the file is at the end of a redirect");
  writeFileSync(values.output ?? "/dev/stdout", "model");
  return 0;
}
