import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";

/** Keys of a table and the row that they act on. */
export interface TableKeys {
  /** Index of the active row, -1 for none. */
  active: number;
  /** Returns true once after a key chose the active row, which then takes the focus. */
  takeMove: () => boolean;
  /** Handles the arrow keys while the focus is in the table. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Handles the keys of a table: J and K move, with Shift they select on the way, Enter opens, X selects, M opens the
 * menu of a row. Inside the table the arrow keys, Home and End do the same.
 */
export function useTableKeys(options: {
  count: number;
  open: (index: number) => void;
  /** Selects rows; `isRange`: every row since the one that was selected before. */
  select?: { toggle: (index: number, isRange: boolean) => void; add: (indexes: number[]) => void };
  /** Opens the menu of a row. */
  menu: (index: number) => void;
}): TableKeys {
  const { count, open, select, menu } = options;
  const [active, setActive] = useState(-1);
  const isMoved = useRef(false);
  const at = Math.min(active, count - 1);
  const moveTo = useCallback((index: number) => {
    isMoved.current = true;
    setActive(index);
  }, []);
  const move = (step: number, isExtending: boolean) => {
    const next = Math.max(0, Math.min(at + step, count - 1));
    if (isExtending) select?.add(rangeOf(Math.max(at, 0), next));
    moveTo(next);
  };
  useShortcutKeys([
    { keys: "j", label: t`Next row`, group: t`Tables`, run: () => move(1, false) },
    { keys: "k", label: t`Row before`, group: t`Tables`, run: () => move(-1, false) },
    { keys: "Enter", label: t`Open row`, group: t`Tables`, run: () => at >= 0 && open(at) },
    { keys: "m", label: t`Menu of the row`, group: t`Tables`, run: () => at >= 0 && menu(at) },
    ...(select
      ? [
          { keys: "x", label: t`Select row`, group: t`Tables`, run: () => at >= 0 && select.toggle(at, false) },
          { keys: "X", label: t`Select up to row`, group: t`Tables`, run: () => at >= 0 && select.toggle(at, true) },
          { keys: "J", label: t`Select and move on`, group: t`Tables`, run: () => move(1, true) },
          { keys: "K", label: t`Select and move back`, group: t`Tables`, run: () => move(-1, true) },
        ]
      : []),
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || isInField(event.target)) return;
    event.preventDefault();
    move(step, event.shiftKey);
  };
  const takeMove = useCallback(() => {
    const wasMoved = isMoved.current;
    isMoved.current = false;
    return wasMoved;
  }, []);
  return { active: at, takeMove, onKeyDown };
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

function isInField(target: EventTarget): boolean {
  return target instanceof Element && target.closest("input:not([type=checkbox]), textarea, [role=menu]") !== null;
}

function rangeOf(from: number, to: number): number[] {
  const step = to < from ? -1 : 1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + step * i);
}
