import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./repository.ts";

/** Returns the environment variables that the configuration reads, by its source. */
export function findSettingNames(): string[] {
  return globSync("src/platform/config/*.ts", { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap((path) => [...readFileSync(join(ROOT, path), "utf8").matchAll(/\benv(?:\.|, ")([A-Z][A-Z0-9_]{2,})/g)])
    .map(([, name = ""]) => name);
}
