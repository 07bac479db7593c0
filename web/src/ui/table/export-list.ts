import type { Page } from "@parley/sdk";
import { inWorkspace, type Query, send } from "#web/api/http.ts";
import type { Column } from "./columns.ts";
import { saveFile, toCsv } from "./csv.ts";

const ROWS_A_REQUEST = 200;
/** Maximum rows that a browser holds with ease; for more there are `parley jobs export` and reports. */
const MOST_ROWS = 100_000;

/**
 * Reads every page of a filtered list, saves it as CSV and reports its progress (the total is null where it is not known). `path` is below the workspace, or
 * begins with /api/ for lists outside any workspace.
 */
export async function exportList<T>(
  list: { workspaceId: string; path: string; query: Query; columns: Column<T>[]; fileName: string },
  onProgress: (done: number, total: number | null) => void,
): Promise<number> {
  const path = list.path.startsWith("/api/") ? list.path : inWorkspace(list.workspaceId, list.path);
  const rows: T[] = [];
  let from: Query = { page: 0 };
  for (let number = 1; rows.length < MOST_ROWS; number++) {
    const query: Query = { ...list.query, page: undefined, size: ROWS_A_REQUEST, ...from };
    const page = await send<Partial<Page<T>> & Pick<Page<T>, "content" | "totalElements">>("GET", path, {
      query,
      isExact: true,
    });
    rows.push(...page.content);
    onProgress(rows.length, page.totalIsExact === false ? null : page.totalElements);
    if (page.nextCursor === null || page.last === true || page.content.length === 0) break;
    // A cursor is stable while rows are added; some lists, which do not grow, have none.
    from = page.nextCursor === undefined ? { page: number } : { cursor: page.nextCursor };
  }
  saveFile(list.fileName, toCsv(rows, list.columns));
  return rows.length;
}
