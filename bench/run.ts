import { benchBackup } from "./backup.ts";
import { benchCli } from "./cli.ts";
import { benchConversation } from "./conversation.ts";
import { benchCorpus } from "./corpus.ts";
import { benchDashboard } from "./dashboard.ts";
import { benchDispatch } from "./dispatch.ts";
import { benchFrames } from "./frames.ts";
import { benchImport } from "./import.ts";
import { benchLists } from "./lists.ts";
import { benchLiveCalls } from "./live-calls.ts";
import { describeMachine } from "./machine.ts";
import { benchMcp } from "./mcp.ts";
import { benchMedia } from "./media.ts";
import { benchMigrations } from "./migrations.ts";
import { benchRequestPath } from "./request-path.ts";
import { benchResults } from "./results.ts";
import { benchSimulations } from "./simulations.ts";
import { benchSpoken } from "./spoken.ts";
import { benchStart } from "./start.ts";
import { benchStarts } from "./starts.ts";
import { benchTracing } from "./tracing.ts";
import { benchTurns } from "./turns.ts";

const BENCHES: Record<string, (print: (line: string) => void) => Promise<void>> = {
  "request-path": benchRequestPath,
  dispatch: benchDispatch,
  start: benchStart,
  starts: benchStarts,
  cli: benchCli,
  import: benchImport,
  lists: benchLists,
  results: benchResults,
  backup: benchBackup,
  migrations: benchMigrations,
  mcp: benchMcp,
  conversation: benchConversation,
  corpus: benchCorpus,
  dashboard: benchDashboard,
  frames: benchFrames,
  simulations: benchSimulations,
  spoken: benchSpoken,
  media: benchMedia,
  "live-calls": benchLiveCalls,
  tracing: benchTracing,
  turns: benchTurns,
};

/** `npm run bench [name…]`: runs the benchmarks and prints how, on what, and against whom. */
const print = (line: string) => process.stdout.write(`${line}\n`);
const names = process.argv.slice(2).filter((name) => !/^(--|\d)/.test(name));
print(`Machine: ${describeMachine()}. Load generator, server and database share it.`);
for (const [name, bench] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  print("");
  await bench(print);
}
