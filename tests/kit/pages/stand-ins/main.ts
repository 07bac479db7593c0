import { docker } from "./docker.ts";
import { helm } from "./helm.ts";
import { kubectl } from "./kubectl.ts";
import { curl, npm } from "./packages.ts";
import { aptGet, dropCluster, systemctl } from "./system.ts";
import { npx } from "./zapier.ts";

/*
 * Programs of a machine of the tests, by the name that they are called with: they read what the real ones would read,
 * refuse what these would refuse, and run containers, pods and services as processes.
 */

const PROGRAMS: Record<string, (args: string[]) => Promise<number> | number> = {
  docker,
  helm,
  kubectl,
  systemctl,
  "apt-get": aptGet,
  pg_dropcluster: dropCluster,
  curl,
  npm,
  npx,
};

const [name = "", ...args] = process.argv.slice(2);
try {
  process.exitCode = await PROGRAMS[name]?.(args);
} catch (error) {
  process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
