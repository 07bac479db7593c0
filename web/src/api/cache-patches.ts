import type { Page } from "@parley/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { keyOf } from "./queries.ts";

interface Row {
  id: string;
}

/** Takes a change back. */
export type Revert = () => void;

/** Changes the item and its rows in every list that the cache holds; gives what takes it back. */
export function patchRow<T extends Row>(
  client: QueryClient,
  workspaceId: string,
  { list, item, id }: { list: string; item: string; id: string },
  change: (row: T) => T,
): Revert {
  const lists = client.getQueriesData<Page<T>>({ queryKey: keyOf(workspaceId, list) });
  const itemKey = keyOf(workspaceId, `${item}/${id}`);
  const single = client.getQueryData<T>(itemKey);
  for (const [key, page] of lists) {
    if (!isPage(page)) continue;
    if (page.content.some((row) => row.id === id))
      client.setQueryData(key, { ...page, content: page.content.map((row) => (row.id === id ? change(row) : row)) });
  }
  if (single) client.setQueryData(itemKey, change(single));
  return () => {
    for (const [key, page] of lists) client.setQueryData(key, page);
    if (single) client.setQueryData(itemKey, single);
  };
}

/** Takes rows out of every list that the cache holds; gives what puts them back. */
export function dropRows<T extends Row>(client: QueryClient, workspaceId: string, list: string, ids: string[]): Revert {
  const lists = client.getQueriesData<Page<T>>({ queryKey: keyOf(workspaceId, list) });
  const gone = new Set(ids);
  for (const [key, page] of lists) {
    if (!isPage(page)) continue;
    const content = page.content.filter((row) => !gone.has(row.id));
    const removed = page.content.length - content.length;
    if (removed > 0) client.setQueryData(key, { ...page, content, totalElements: page.totalElements - removed });
  }
  return () => lists.forEach(([key, page]) => client.setQueryData(key, page));
}

function isPage<T>(value: Page<T> | undefined): value is Page<T> {
  return Array.isArray((value as { content?: unknown } | undefined)?.content);
}
