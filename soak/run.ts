import { describeMachine } from "../bench/machine.ts";
import { soakDrain } from "./drain.ts";
import { soakFailover } from "./failover.ts";
import { soakKills } from "./kills.ts";
import { soakMonth } from "./month.ts";
import { soakNeighbours } from "./neighbours.ts";
import { readOptions } from "./options.ts";
import { soakOrdinary } from "./ordinary.ts";
import { soakPauses } from "./pauses.ts";
import { soakUploads } from "./uploads.ts";
import { soakVersions } from "./versions.ts";

/** Runs for long, prints what it measures and gives what was not as it should be. */
type Soak = (options: Map<string, number>, print: (line: string) => void) => Promise<string[]>;

/** `npm run soak -- NAME [--OPTION NUMBER…]`: runs one soak; exits with 1 when something was not as it should be. */
const print = (line: string) => process.stdout.write(`${line}\n`);
const SOAKS: Record<string, { run: Soak; takes: string[] }> = {
  drain: { run: soakDrain, takes: ["rounds", "rate", "speed", "seed"] },
  failover: { run: soakFailover, takes: ["rounds", "rate", "speed", "seed", "seconds", "primary"] },
  kills: { run: soakKills, takes: ["rounds", "seed", "seconds"] },
  month: { run: soakMonth, takes: ["days", "seconds", "calls", "workspaces"] },
  neighbours: { run: soakNeighbours, takes: ["minutes", "statements"] },
  ordinary: { run: soakOrdinary, takes: ["minutes"] },
  pauses: { run: soakPauses, takes: ["rounds", "seed"] },
  uploads: { run: soakUploads, takes: ["uploads", "rows"] },
  versions: { run: soakVersions, takes: ["back", "rate", "speed", "phase"] },
};
const [name = "", ...rest] = process.argv.slice(2);
const soak = SOAKS[name];
const read = readOptions(rest, soak?.takes ?? []);
if (!soak) refuse(`Name one of: ${Object.keys(SOAKS).join(", ")}.`);
else if ("fault" in read) refuse(read.fault);
else await run(soak.run, read.options);

async function run(begin: Soak, options: Map<string, number>): Promise<void> {
  print(`Machine: ${describeMachine()}. Load generator, server and database share it.`);
  const faults = await begin(options, print);
  print("");
  for (const fault of faults) print(`FAULT: ${fault}`);
  print(faults.length === 0 ? "Passed." : `Failed: ${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function refuse(fault: string): void {
  print(fault);
  process.exitCode = 2;
}
