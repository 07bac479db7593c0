import { useCallback } from "react";
import { useSearchParams } from "wouter";

/** Page of a list, kept in the address under its own name, for a screen with several lists. */
export function useUrlPage(name: string): [page: number, setPage: (page: number, isReplacing?: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const setPage = useCallback(
    (page: number, isReplacing = false) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (page === 0) after.delete(name);
          else after.set(name, String(page));
          return after;
        },
        { replace: isReplacing },
      ),
    [setParams, name],
  );
  return [Math.max(0, Math.trunc(Number(params.get(name) ?? 0)) || 0), setPage];
}
