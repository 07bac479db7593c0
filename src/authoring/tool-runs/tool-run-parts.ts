import { ConnectionAccess } from "#src/authoring/connections/access.ts";
import type { Database } from "#src/platform/db/database.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import { AwaitedTasks } from "./awaited-tasks.ts";
import { CodeRunner } from "./code-runner.ts";
import { McpSource } from "./mcp-source.ts";
import { Places } from "./places.ts";
import { SessionCaches } from "./session-caches.ts";

/** Dependencies of the process for running tools. */
interface Surroundings {
  database: Database;
  log: Log;
  guard: OutboundGuard;
  safeFetch: SafeFetch;
  box: SecretBox;
  publicUrl: string;
}

/** Parts that all sessions of a process share for their tools. */
export interface ToolRunParts extends Surroundings {
  codeRunner: CodeRunner;
  places: Places;
  awaited: AwaitedTasks;
  mcp: McpSource;
  caches: SessionCaches;
  connections: ConnectionAccess;
  close(): Promise<void>;
}

/** Opens the parts once for a process; `close` ends its threads and timers. */
export function openToolRuns(surroundings: Surroundings): ToolRunParts {
  const { database, log, guard } = surroundings;
  const codeRunner = new CodeRunner();
  const places = new Places(database.db, log);
  const awaited = new AwaitedTasks(database.db, log);
  return {
    ...surroundings,
    codeRunner,
    places,
    awaited,
    mcp: new McpSource(guard, log),
    caches: new SessionCaches({ db: database.db, box: surroundings.box }),
    connections: new ConnectionAccess(database, surroundings),
    async close() {
      places.close();
      awaited.close();
      await codeRunner.close();
    },
  };
}
