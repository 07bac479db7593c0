import pg from "pg";
import type { Database, Executor } from "#src/platform/db/database.ts";
import type { ReportedCopy } from "./erase-sql.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";
import { forgetCalls, forgetChats, forgetLeads, forgetUnanswered, listForgetful } from "./forget-sql.ts";

/** Conversations forgotten in one transaction. */
const BITE = 100;
/** Transactions of one run for each kind, so that busy workspaces keep up. */
const MOST_BITES = 20;

/** Forgets so many conversations of a kind that are older than so many days, and returns their number. */
type Forget = (tx: Executor, workspaceId: string, days: number, limit: number) => Promise<number>;

const andDeliveries =
  (forget: (...args: Parameters<Forget>) => Promise<ReportedCopy[]>): Forget =>
  async (tx, workspaceId, ...rest) => {
    const copies = await forget(tx, workspaceId, ...rest);
    await forgetDeliveries(tx, workspaceId, workspaceId, copies);
    return copies.length;
  };

const KINDS: readonly Forget[] = [
  andDeliveries(forgetCalls),
  andDeliveries(forgetUnanswered),
  andDeliveries(forgetChats),
  forgetLeads,
];

/**
 * Forgets calls and chats past the retention limit of their workspace, and returns their number. A kind of a workspace
 * whose statement the database refuses holds up no other; its fault is thrown at the end.
 */
export async function forgetConversations({ db }: Database, signal?: AbortSignal): Promise<number> {
  let forgotten = 0;
  let fault: pg.DatabaseError | null = null;
  const takeBite = (workspaceId: string, days: number, forget: Forget) =>
    db.transaction().execute((tx) => forget(tx, workspaceId, days, BITE));
  for (const { id: workspaceId, days } of await listForgetful(db)) {
    for (const forget of KINDS) {
      try {
        for (let bites = 0, taken = BITE; taken === BITE && bites < MOST_BITES && !signal?.aborted; bites++) {
          taken = await takeBite(workspaceId, days, forget);
          forgotten += taken;
        }
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        fault ??= error;
      }
    }
  }
  if (fault) throw fault;
  return forgotten;
}
