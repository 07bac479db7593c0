import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "./service.ts";
import { ofMachine } from "./settings.ts";

const APP = "/opt/parley";

/** Reads the Dockerfile of a folder as far as a build would before its first step: everything that it copies exists. */
export function build(folder: string): void {
  const text = readFileSync(join(folder, "Dockerfile"), "utf8");
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
  if (copied.length === 0) throw new Error(`${folder} has no Dockerfile that copies anything`);
  const missing = copied.filter((name) => !name.includes("*") && !existsSync(join(folder, name)));
  if (missing.length > 0) throw new Error(`the Dockerfile copies what does not exist: ${missing.join(", ")}`);
}

/** Returns what a container runs: the entry point of the image with arguments, and its variables beside those given. */
export function container(args: string[], given: Record<string, string>): Service {
  const text = readFileSync(join(APP, "Dockerfile"), "utf8");
  const list = (name: string) => JSON.parse(new RegExp(`^${name} (\\[.+\\])$`, "m").exec(text)?.[1] ?? "") as string[];
  const [, block = ""] = /^ENV ((?:.+\\\n)*.+)$/m.exec(text) ?? [];
  const own = Object.fromEntries([...block.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  const data = join(ofMachine("MACHINE"), "data");
  mkdirSync(data, { recursive: true });
  const here = { DATA_DIR: data, HOME: data, NODE_COMPILE_CACHE: join(data, "compiled") };
  const command = [...list("ENTRYPOINT"), ...(args.length > 0 ? args : list("CMD"))];
  return {
    command: command.map((word) => word.replace(/^\/app\//, `${APP}/`)),
    env: { ...(own as Record<string, string>), ...here, ...given },
  };
}

/** Returns what `parley …` runs in a container. */
export function command(args: string[], env: Record<string, string>): Service {
  const { command: entry, env: all } = container(["x"], env);
  return { command: [...entry.slice(0, -1), ...args], env: all };
}
