import { useSearchParams } from "wouter";
import { discardOpen } from "#web/ui/form/unsaved.ts";
import { useIsHere } from "#web/ui/use-is-here.ts";

/** Id of the row open beside its list, kept in the address, so that a link shows it and Back closes it. */
export function useOpened(name: string): { id: string | null; searchFor: (id: string) => string; close: () => void } {
  const [params, setParams] = useSearchParams();
  const isHere = useIsHere();
  const searchFor = (id: string) => {
    const after = new URLSearchParams(params);
    after.set(name, id);
    return `?${after.toString()}`;
  };
  const close = () => {
    // A late reply must not change the address of another screen.
    if (!isHere()) return;
    discardOpen();
    setParams((before) => {
      const after = new URLSearchParams(before);
      after.delete(name);
      return after;
    });
  };
  return { id: params.get(name), searchFor, close };
}
