import pg from "pg";

/**
 * Does something with each item in turn. One that the database refuses, or ends for its time, holds up no other: the
 * first fault is thrown at the end. Any other error, such as a lost connection, is thrown at once.
 */
export async function eachApart<Item>(items: Iterable<Item>, run: (item: Item) => Promise<void>): Promise<void> {
  let fault: pg.DatabaseError | null = null;
  for (const item of items) {
    try {
      await run(item);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      fault ??= error;
    }
  }
  if (fault) throw fault;
}
