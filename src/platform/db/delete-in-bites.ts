import { NIL_UUID } from "#src/platform/kernel/id.ts";

/**
 * Deletes very many rows by statements that take a bite each, in the caller's transaction. `deleteSome` deletes at most
 * `bite` of those whose ids follow the given one, in the order of their ids, and returns their ids: a statement that began
 * at the first row each time would pass over all that were deleted before.
 */
export async function deleteInBites(bite: number, deleteSome: (after: string) => Promise<unknown[]>): Promise<void> {
  for (let after = NIL_UUID; ;) {
    const ids = (await deleteSome(after)).map((row) => (row as { id: string }).id);
    if (ids.length < bite) return;
    after = ids.reduce((last, id) => (id > last ? id : last));
  }
}
