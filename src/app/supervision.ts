import { LiveCalls } from "#src/interactions/dispatch/live-calls.ts";
import { CallCommands } from "#src/interactions/supervision/call-commands.ts";
import { LevelWriter } from "#src/interactions/supervision/level-writer.ts";
import type { SupervisionContext } from "#src/interactions/supervision/routes.ts";
import { SupervisionHub, type SupervisionParts } from "#src/interactions/supervision/supervision-hub.ts";
import type { Supervised } from "#src/interactions/supervision/supervision.ts";
import type { Database } from "#src/platform/db/database.ts";
import { findPermittedCredentials } from "#src/tenancy/auth/credentials.ts";
import { findPermitted } from "#src/tenancy/users/sessions.ts";

const PERMISSION = "CALL_JOBS_WRITE";

/** Supervision of a process's calls. */
export interface Supervision extends SupervisionContext {
  /** The calls of this process whose audio is open. */
  liveAudio: LiveCalls;
  levelWriter: LevelWriter;
}

/** Creates the registry of this process's live calls, the commands to them, and the hub of those who listen in. */
export function openSupervision(parts: Pick<SupervisionParts, "database" | "log" | "publicUrl" | "node">): Supervision {
  const liveAudio = new LiveCalls();
  const callCommands = new CallCommands({ ...parts, liveAudio });
  const findAllowed = (people: Supervised[]) => findSupervisors(parts.database, people);
  return {
    liveAudio,
    callCommands,
    levelWriter: new LevelWriter({ ...parts, liveAudio }),
    supervision: new SupervisionHub({ ...parts, liveAudio, callCommands, findAllowed }),
  };
}

async function findSupervisors({ db }: Database, people: Supervised[]): Promise<Set<Supervised>> {
  const signedIn = people.flatMap((who) => (who.sessionId === null ? [] : [{ ...who, sessionId: who.sessionId, who }]));
  const withKeys = people.filter(({ sessionId }) => sessionId === null);
  const [sessions, credentials] = await Promise.all([
    findPermitted(db, signedIn, PERMISSION),
    findPermittedCredentials(db, withKeys, PERMISSION),
  ]);
  return new Set([...sessions.map(({ who }) => who), ...credentials]);
}
