import { useCallback } from "react";
import { useSearchParams } from "wouter";

const TAB = "tab";

/**
 * Tab of a screen, kept in the address, where the first one has no name. Filters and pages of the tabs stay in the address
 * too, so that a person who comes back to a tab finds it as it was.
 */
export function useUrlTab(first: string): [tab: string, setTab: (tab: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const setTab = useCallback(
    (tab: string | null) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (tab === null || tab === first) after.delete(TAB);
          else after.set(TAB, tab);
          return after;
        },
        { replace: true },
      ),
    [setParams, first],
  );
  return [params.get(TAB) ?? first, setTab];
}
