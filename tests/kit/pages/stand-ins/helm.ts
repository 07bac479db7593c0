import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { readPairs } from "./settings.ts";

type Values = { [name: string]: Values | string | number | boolean };

/** Values that an installation of the documentation has before it is upgraded. */
const INSTALLED = ["secretName=parley", "publicUrl=https://parley.example.com", "recordings.existingClaim=recordings"];

/**
 * Stands for helm: checks the values of an installation or upgrade with the chart's schema, and has the real helm, where
 * there is one, render the chart with them.
 */
export function helm([name = "", ...args]: string[]): number {
  if (name !== "install" && name !== "upgrade") throw new Error(`no command ${name}`);
  const options = { set: { type: "string", multiple: true }, "reuse-values": { type: "boolean" } } as const;
  const { values: given, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [release = "", chart = ""] = positionals;
  const set = [...(given["reuse-values"] ? INSTALLED : []), ...(given.set ?? [])];
  const values = parse(readFileSync(join(chart, "values.yaml"), "utf8")) as Values;
  for (const [path, value] of Object.entries(readPairs(set))) put(values, path.split("."), value);
  const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8")) as object;
  const ajv = new Ajv({ strict: false, validateSchema: false });
  if (!ajv.validate(schema, values)) throw new Error(ajv.errorsText());
  const real = ["/usr/local/bin/helm", "/usr/bin/helm"].find((path) => existsSync(path));
  if (!real) return 0;
  const command = ["template", release, chart, ...set.map((pair) => `--set=${pair}`)];
  return spawnSync(real, command, { stdio: ["ignore", "ignore", "inherit"] }).status ?? 1;
}

/** Sets a value that the chart has. */
function put(values: Values, [name = "", ...rest]: string[], value: string): void {
  const old = values[name];
  if (old === undefined) throw new Error(`the chart has no value ${name}`);
  if (rest.length === 0) values[name] = typeof old === "string" ? value : (JSON.parse(value) as number);
  else if (typeof old === "object") put(old, rest, value);
  else throw new Error(`${name} is a value, not a group`);
}
