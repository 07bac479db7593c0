import type { Page } from "@parley/sdk";
import { inWorkspace, type Query, send } from "#web/api/http.ts";
import type { Column } from "./columns.ts";
import { saveBlob } from "./csv.ts";
import { beginFile, type FileKind } from "./table-file.ts";

const ROWS_A_REQUEST = 200;
/** Maximum rows of a file; for more there are `parley jobs export` and reports. */
const MOST_ROWS = 100_000;

/**
 * Reads a filtered list page by page into a file, saves it, and reports the progress (the total is null where it is not
 * known). `path` is below the workspace, or begins with /api/ for lists outside any workspace. Returns the number of
 * saved rows, and whether the list is longer than a file may be.
 */
export async function exportList<T>(
  list: { workspaceId: string; path: string; query: Query; columns: Column<T>[]; fileName: string },
  kind: FileKind,
  onProgress: (done: number, total: number | null) => void,
): Promise<{ count: number; isCut: boolean }> {
  const path = list.path.startsWith("/api/") ? list.path : inWorkspace(list.workspaceId, list.path);
  const file = await beginFile(kind, list.columns);
  let count = 0;
  let isWhole = false;
  let from: Query = { page: 0 };
  for (let number = 1; !isWhole && count < MOST_ROWS; number++) {
    const query: Query = { ...list.query, page: undefined, size: ROWS_A_REQUEST, ...from };
    const page = await send<Partial<Page<T>> & Pick<Page<T>, "content" | "totalElements">>("GET", path, {
      query,
      isExact: true,
    });
    await file.add(page.content);
    count += page.content.length;
    onProgress(count, page.totalIsExact === false ? null : page.totalElements);
    isWhole = page.nextCursor === null || page.last === true || page.content.length === 0;
    // A cursor is stable while rows are added; some lists, which do not grow, have none.
    from = page.nextCursor === undefined ? { page: number } : { cursor: page.nextCursor };
  }
  saveBlob(`${list.fileName.replace(/\.csv$/, "")}.${kind}`, await file.finish());
  return { count, isCut: !isWhole };
}
