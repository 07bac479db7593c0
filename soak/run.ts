import { describeMachine } from "../bench/machine.ts";
import { soakDrain } from "./drain.ts";
import { soakFailover } from "./failover.ts";
import { soakKills } from "./kills.ts";
import { soakNeighbours } from "./neighbours.ts";
import { soakOrdinary } from "./ordinary.ts";
import { soakPauses } from "./pauses.ts";
import { soakUploads } from "./uploads.ts";
import { soakVersions } from "./versions.ts";

/** Runs for long, prints what it measures and gives what was not as it should be. */
type Soak = (options: Map<string, number>, print: (line: string) => void) => Promise<string[]>;

/** `npm run soak -- NAME [--OPTION NUMBER…]`: runs one soak; exits with 1 when something was not as it should be. */
const print = (line: string) => process.stdout.write(`${line}\n`);
const SOAKS: Record<string, Soak> = {
  drain: soakDrain,
  failover: soakFailover,
  kills: soakKills,
  neighbours: soakNeighbours,
  ordinary: soakOrdinary,
  pauses: soakPauses,
  uploads: soakUploads,
  versions: soakVersions,
};
const [name = "", ...rest] = process.argv.slice(2);
const options = new Map<string, number>();
for (let i = 0; i + 1 < rest.length; i += 2) options.set((rest[i] ?? "").replace(/^--/, ""), Number(rest[i + 1]));
const soak = SOAKS[name];
if (!soak) {
  print(`Name one of: ${Object.keys(SOAKS).join(", ")}.`);
  process.exitCode = 2;
} else {
  print(`Machine: ${describeMachine()}. Load generator, server and database share it.`);
  const faults = await soak(options, print);
  print("");
  for (const fault of faults) print(`FAULT: ${fault}`);
  print(faults.length === 0 ? "Passed." : `Failed: ${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
