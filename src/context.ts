import type { Database } from "#src/db/database.ts";
import type { OutboundGuard } from "#src/http/outbound-guard.ts";
import type { SafeFetch } from "#src/http/safe-fetch.ts";
import type { Log } from "#src/kernel/log.ts";
import type { SecretBox } from "#src/kernel/secret-box.ts";
import type { SpeechEngine } from "#src/media/speech.ts";

/** The collaborators of a process, built once by `app.ts` and handed to the rooms' routes. */
export interface Context {
  database: Database;
  log: Log;
  guard: OutboundGuard;
  safeFetch: SafeFetch;
  box: SecretBox;
  speech: SpeechEngine;
  publicUrl: string;
  /** Where uploads are written before they are imported. */
  spoolFolder: string;
  /** Rings the dispatcher of this process. */
  wakeDispatcher(): void;
  /** Rings dispatcher and task worker. */
  wake(): void;
  liveCalls(): number;
  /** Stores an event of a sandbox carrier in another process; 404 for a wrong token. */
  receiveSandboxEvent(token: string, body: Record<string, unknown>): Promise<void>;
}
