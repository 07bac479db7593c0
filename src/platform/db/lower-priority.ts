import { writeFile } from "node:fs/promises";
import { constants, getPriority, setPriority } from "node:os";
import type pg from "pg";

/**
 * Lowers the priority of the process of the embedded database, on this machine, that serves this connection and no
 * other.
 */
export async function lowerBackend(client: pg.PoolClient): Promise<void> {
  // The types leave it out; the server names its process when the connection begins (BackendKeyData).
  const pid = (client as pg.PoolClient & { processID: number }).processID;
  lowerPriority(() => pid);
  // The backend is a session of its own, and Linux shares the processor out among sessions first.
  await writeFile(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL)).catch(() => undefined);
}

/**
 * Lowers the priority of a process or thread below that of this process, which an operator may have lowered already. If
 * the system does not know it or forbids the change, the priority stays as it is.
 */
export function lowerPriority(find: () => number | undefined): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  try {
    const id = find();
    if (id) setPriority(id, Math.min(PRIORITY_LOW, getPriority(process.pid) + PRIORITY_BELOW_NORMAL));
  } catch {
    // It is a courtesy to the others.
  }
}
