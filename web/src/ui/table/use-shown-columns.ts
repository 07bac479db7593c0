import { useLocalStorage } from "@mantine/hooks";
import { useMemo } from "react";
import type { Column } from "./columns.ts";

/** The columns of a list that a person chose, stored in this browser by screen. */
export interface ShownColumns<T> {
  /** In the order of the list; a chosen column is shown at every width, also while it is empty. */
  shown: Column<T>[];
  isShown: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Undefined while nothing is chosen. */
  reset: (() => void) | undefined;
}

/** Returns the columns that are shown of all those of a screen. */
export function useShownColumns<T>(screen: string, all: Column<T>[]): ShownColumns<T> {
  const [chosen, setChosen] = useLocalStorage<string[] | null>({
    key: `parley:columns:${screen}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const ids = useMemo(
    () => new Set(chosen ?? all.filter(({ isOptional }) => !isOptional).map(({ id }) => id)),
    [chosen, all],
  );
  const shown = useMemo(() => {
    const found = all.filter(({ id }, index) => index === 0 || ids.has(id));
    return chosen === null
      ? found
      : found.map(({ isWide: _isWide, isHiddenEmpty: _isHiddenEmpty, ...column }) => column);
  }, [all, ids, chosen]);
  const toggle = (id: string) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setChosen([...next]);
  };
  return {
    shown,
    isShown: (id) => ids.has(id),
    toggle,
    reset: chosen === null ? undefined : () => setChosen(null),
  };
}
