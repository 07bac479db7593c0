import { isUnavailable } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";

/**
 * Stores a batch; after a refusal its items one by one, so that an unstorable item does not hold up the others. Returns
 * the fault of each item, or null.
 */
export async function storeOrPart<Item>(
  items: Item[],
  store: (items: Item[]) => Promise<void>,
): Promise<(Error | null)[]> {
  try {
    await store(items);
    return items.map(() => null);
  } catch (error) {
    if (items.length === 1 || isUnavailable(error)) return items.map(() => toError(error));
  }
  const faults: (Error | null)[] = [];
  for (const item of items) faults.push(...(await storeOrPart([item], store)));
  return faults;
}
