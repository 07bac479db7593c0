import type { RecordingMover } from "#src/interactions/recordings/move-recordings.ts";
import type { StorageWatch } from "#src/platform/files/storage-watch.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { aheadMs, TOLERATED_OFF_MS } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { HELD_MESSAGE } from "#src/surfaces/backup/hold.ts";
import type { Core } from "./core.ts";
import type { Drain } from "./drain.ts";

/** Four missed heartbeats, after which a node has lost its lease. */
const AWAY_MS = 10_000;
/** An embedded database returns long before that, or not at all in this process. */
const BEYOND_HELP_MS = 60_000;

const WARNINGS = [
  "CLOCK_OFF",
  "HELD",
  "RECORDINGS_NOT_MOVED",
  "STORAGE_FAILED",
  "STORAGE_FULL",
  "STORAGE_LOW",
  "STORAGE_READ_ONLY",
  "STORAGE_SLOW",
] as const;

/** Faults that do not keep the process from answering. */
const Warnings = Type.Array(Type.Object({ code: oneOf(WARNINGS), message: Type.String() }), {
  description: "What is wrong and does not keep the process from answering; somebody should mend it.",
});

type WarningParts = Pick<HealthParts, "isHeld" | "storage" | "mover">;

/** Lists what `/ready` and `/health` warn of now. */
export function findWarnings({ isHeld, storage, mover }: WarningParts): Static<typeof Warnings> {
  const held = isHeld ? [{ code: "HELD" as const, message: HELD_MESSAGE }] : [];
  return [...held, ...findClockWarnings(), ...findStorageWarnings(storage), ...findMoveWarnings(mover)];
}

const STORAGE_WARNINGS = {
  FULL: "is full: uploads are refused, and calls are not recorded. Free some space.",
  LOW: "is almost full: uploads are refused. Free some space.",
  READ_ONLY: "cannot be written: uploads are refused, and calls are not recorded. Mount it writable.",
  SLOW: "does not answer within 5 s: uploads and recordings lose time or data. Look at the disk.",
  FAILED: "failed: uploads are refused, and calls are not recorded. Look at the disk.",
};

/** Names the setting and not the path, because everybody may ask. */
function findStorageWarnings({ folders }: WarningParts["storage"]): Static<typeof Warnings> {
  return folders.flatMap(({ name, fault }) => {
    if (fault === null) return [];
    const setting = name === "DATA" ? "DATA_DIR" : "RECORDINGS_DIR";
    return [{ code: `STORAGE_${fault}` as const, message: `The disk of ${setting} ${STORAGE_WARNINGS[fault]}` }];
  });
}

function findMoveWarnings(mover: WarningParts["mover"]): Static<typeof Warnings> {
  if (!mover || mover.fault === null) return [];
  const message =
    "Recordings cannot be moved to their bucket and wait in the folder. `parley doctor` and the log say why.";
  return [{ code: "RECORDINGS_NOT_MOVED", message }];
}

function findClockWarnings(): Static<typeof Warnings> {
  const seconds = Math.round(aheadMs() / 1_000);
  if (Math.abs(seconds) * 1_000 <= TOLERATED_OFF_MS) return [];
  const off = `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"}`;
  const message = `The clock of this machine is ${off} the database's, which everything goes by. Set it, for example with NTP.`;
  return [{ code: "CLOCK_OFF", message }];
}

const open = { audience: "public", access: "PUBLIC", tag: "Service", free: true } as const;

/** Dependencies of the routes for monitoring. */
export interface HealthParts extends Pick<Core, "databases" | "node"> {
  /** True when the database is a child of this process. */
  embedsDatabase: boolean;
  /** True when the process does nothing by itself, because its installation was restored and not resumed. */
  isHeld: boolean;
  drain: Pick<Drain, "status">;
  storage: Pick<StorageWatch, "folders">;
  /** Null when recordings stay in the folder. */
  mover: Pick<RecordingMover, "fault"> | null;
}

/** Returns the routes for monitoring: whether to restart this process, and whether to send it requests. */
export function healthRoutes(parts: HealthParts): Route[] {
  const { databases, embedsDatabase, node, drain } = parts;
  return [
    route({
      ...open,
      method: "GET",
      path: "/health",
      summary: "Answers 200 while the process lives and a restart of it would help nobody",
      replies: { 200: Type.Object({ status: Type.String(), database: oneOf(["UP", "AWAY"]), warnings: Warnings }) },
      async run() {
        const awayMs = databases.awayMs();
        if (embedsDatabase && awayMs > BEYOND_HELP_MS) {
          throw new AppError(
            "UNAVAILABLE",
            `The embedded database has been away for ${Math.round(awayMs / 1_000)} s. Restart this process.`,
          );
        }
        return { status: "UP", database: awayMs > AWAY_MS ? "AWAY" : "UP", warnings: findWarnings(parts) };
      },
    }),
    route({
      ...open,
      method: "GET",
      path: "/ready",
      summary:
        "Answers 200 when the database can be asked, and this process holds its lease and is not about to stop, so that requests can be sent here",
      replies: { 200: Type.Object({ status: Type.String(), warnings: Warnings }) },
      async run() {
        if (drain.status.state === "DRAINING")
          throw new AppError("UNAVAILABLE", "This process is about to stop. Send requests to another one.");
        await databases.requests.pool.query("select 1");
        if (node.trouble) throw new AppError("UNAVAILABLE", node.trouble);
        return { status: "READY", warnings: findWarnings(parts) };
      },
    }),
  ];
}
