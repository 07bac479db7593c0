import type { Page } from "@parley/sdk";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { inWorkspace, send } from "./http.ts";
import { keyOf } from "./queries.ts";
import { useWorkspace } from "./workspace.tsx";

const ROWS_A_REQUEST = 200;
/** Maximum rows: more than a person picks from. Screens search longer lists instead. */
const MOST_ROWS = 2_000;

/** Reads every page of a list that people keep short enough to pick from, such as flows. */
export function useAllRows<T>(path: string, { enabled = true } = {}): UseQueryResult<T[]> {
  const { id } = useWorkspace();
  return useQuery<T[]>({
    queryKey: [...keyOf(id, path), "all"],
    enabled,
    async queryFn({ signal }) {
      const rows: T[] = [];
      let cursor: string | null = null;
      do {
        const query = { size: ROWS_A_REQUEST, cursor };
        const page: Page<T> = await send<Page<T>>("GET", inWorkspace(id, path), { query, signal });
        rows.push(...page.content);
        cursor = page.nextCursor;
      } while (cursor !== null && rows.length < MOST_ROWS);
      return rows;
    },
  });
}
