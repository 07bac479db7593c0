import { useCallback, useEffect, useRef, useState } from "react";

/** Selected rows of a table. */
export interface Selection {
  selected: ReadonlySet<string>;
  /** Selects or deselects a row; `isRange`: every row between it and the one that was selected before, too. */
  toggle: (id: string, isRange?: boolean) => void;
  add: (ids: string[]) => void;
  set: (ids: ReadonlySet<string>) => void;
}

/** Keeps the selection of a table with these rows. */
export function useSelection(ids: string[]): Selection {
  const [selected, set] = useState<ReadonlySet<string>>(new Set());
  const order = useRef(ids);
  const last = useRef<string | null>(null);
  useEffect(() => {
    order.current = ids;
  });
  const toggle = useCallback((id: string, isRange = false) => {
    const from = last.current;
    last.current = id;
    set((before) => (isRange && from !== null ? withRange(before, order.current, from, id) : withToggled(before, id)));
  }, []);
  const add = useCallback((more: string[]) => {
    last.current = more.at(-1) ?? null;
    set((before) => new Set([...before, ...more]));
  }, []);
  return { selected, toggle, add, set };
}

/** Selects all rows between two, or deselects them when the last one is selected already. */
function withRange(before: ReadonlySet<string>, order: string[], from: string, to: string): ReadonlySet<string> {
  const [first, last] = [order.indexOf(from), order.indexOf(to)].toSorted((a, b) => a - b) as [number, number];
  if (first < 0) return withToggled(before, to);
  const after = new Set(before);
  const isTaken = before.has(to);
  for (const id of order.slice(first, last + 1)) {
    if (isTaken) after.delete(id);
    else after.add(id);
  }
  return after;
}

function withToggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}
