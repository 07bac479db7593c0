import type { Page } from "@parley/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { keyOf } from "./queries.ts";
import type { Revert } from "./undo.tsx";

interface Row {
  id: string;
}

/** Changes the item and its rows in every cached list; returns a function that reverts it. */
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

/** Returns the key of a list's row; the id when left out. */
type KeyOf<T> = (row: T) => string;

/** Takes rows out of every cached list; returns a function that puts them back. */
export function dropRows<T>(
  client: QueryClient,
  workspaceId: string,
  list: string,
  ids: string[],
  keyOfRow: KeyOf<T> = (row) => (row as Row).id,
): Revert {
  const lists = client.getQueriesData<Page<T> | T[]>({ queryKey: keyOf(workspaceId, list) });
  const stays = (row: T) => !ids.includes(keyOfRow(row));
  for (const [key, rows] of lists) {
    if (Array.isArray(rows)) {
      if (!rows.every(stays)) client.setQueryData(key, rows.filter(stays));
    } else if (isPage(rows) && !rows.content.every(stays)) {
      const content = rows.content.filter(stays);
      const totalElements = rows.totalElements - (rows.content.length - content.length);
      client.setQueryData(key, { ...rows, content, totalElements });
    }
  }
  return () => lists.forEach(([key, rows]) => client.setQueryData(key, rows));
}

/** Rows taken out of every list. */
export interface HeldOut {
  putBack: Revert;
  /** The server no longer has them. */
  letGo: () => void;
}

/** Does the same, also for lists that are fetched meanwhile, until the rows are put back or let go. */
export function holdOut<T>(
  client: QueryClient,
  workspaceId: string,
  list: string,
  ids: string[],
  keyOfRow?: KeyOf<T>,
): HeldOut {
  const drop = () => dropRows<T>(client, workspaceId, list, ids, keyOfRow);
  const putBack = drop();
  const stop = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.state.status === "success" && query.queryKey[0] === workspaceId) drop();
  });
  const letGo = () => {
    stop();
    void client.invalidateQueries({ queryKey: keyOf(workspaceId, list) });
  };
  return {
    letGo,
    putBack() {
      stop();
      putBack();
      letGo();
    },
  };
}

function isPage<T>(value: Page<T> | T[] | undefined): value is Page<T> {
  return Array.isArray((value as { content?: unknown } | undefined)?.content);
}
