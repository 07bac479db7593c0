import { useCallback, useState } from "react";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";

/**
 * Handles the keys of a table: J and K move, Enter opens, X selects. Returns the index of the active row, -1 for none.
 */
export function useTableKeys(options: {
  count: number;
  open: (index: number) => void;
  select?: (index: number) => void;
}): number {
  const { count, open, select } = options;
  const [active, setActive] = useState(-1);
  const at = Math.min(active, count - 1);
  const move = useCallback(
    (step: number) => {
      // Enter must open the row, not press the button that was used before.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      setActive((before) => Math.max(0, Math.min(Math.min(before, count - 1) + step, count - 1)));
    },
    [count],
  );
  useShortcutKeys([
    { keys: "j", label: "Next row", group: "Tables", run: () => move(1) },
    { keys: "k", label: "Row before", group: "Tables", run: () => move(-1) },
    { keys: "Enter", label: "Open row", group: "Tables", run: () => at >= 0 && open(at) },
    ...(select ? [{ keys: "x", label: "Select row", group: "Tables", run: () => at >= 0 && select(at) }] : []),
  ]);
  return at;
}
