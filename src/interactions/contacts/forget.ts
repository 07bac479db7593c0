import type { Database, Executor } from "#src/platform/db/database.ts";
import { eachApart } from "#src/platform/db/each-apart.ts";
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
  const workspaces = await listForgetful(db);
  const works = workspaces.flatMap((workspace) => KINDS.map((forget) => ({ ...workspace, forget })));
  await eachApart(works, async ({ id, days, forget }) => {
    for (let bites = 0, taken = BITE; taken === BITE && bites < MOST_BITES && !signal?.aborted; bites++) {
      taken = await db.transaction().execute((tx) => forget(tx, id, days, BITE));
      forgotten += taken;
    }
  });
  return forgotten;
}
