import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { serve } from "./service.ts";
import { readPairs, readSettingsFile } from "./settings.ts";

/** Stands for systemctl: starts a unit of ours as a process, and looks for the others, which Debian's packages bring. */
export async function systemctl(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: { now: { type: "boolean" } } });
  const [name = "", ...units] = positionals;
  if (name === "daemon-reload") return 0;
  if (name !== "enable" && name !== "restart") throw new Error(`no command ${name}`);
  for (const unit of units) {
    const own = `/etc/systemd/system/${unit}.service`;
    if (existsSync(own)) await startUnit(own);
    else if (!["/lib/systemd/system", "/etc/init.d"].some((place) => existsSync(join(place, `${unit}.service`))))
      throw new Error(`Unit ${unit}.service not found.`);
  }
  return 0;
}

async function startUnit(path: string): Promise<void> {
  const { error, stdout, stderr, status } = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
  if (!error && status !== 0) throw new Error(`${stdout}${stderr}`);
  const text = readFileSync(path, "utf8");
  const valuesOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value ?? "");
  const env = { ...readPairs(valuesOf("Environment")), ...readSettingsFile(valuesOf("EnvironmentFile")[0] ?? "") };
  for (const place of valuesOf("StateDirectory")) mkdirSync(join("/var/lib", place), { recursive: true });
  for (const place of valuesOf("CacheDirectory")) mkdirSync(join("/var/cache", place), { recursive: true });
  await serve({ command: (valuesOf("ExecStart")[0] ?? "").split(" "), env });
}

/** Has the real apt-get say what it would install: the packages exist. */
export function aptGet(args: string[]): number {
  return spawnSync("/usr/bin/apt-get", ["--simulate", ...args], { stdio: ["ignore", "ignore", "inherit"] }).status ?? 1;
}

/** Stands for pg_dropcluster, which would end a cluster of the machine that the tests run on. */
export function dropCluster(args: string[]): number {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: { stop: { type: "boolean" } } });
  const [version = "", name] = positionals;
  if (!existsSync(`/usr/lib/postgresql/${version}`) || name !== "main") throw new Error("no such cluster");
  return 0;
}
