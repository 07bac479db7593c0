import { useSearchParams } from "wouter";
import { discardOpen } from "#web/ui/form/unsaved.ts";
import { useIsHere } from "#web/ui/use-is-here.ts";

const NEW = "new";

/** State of a form for a new item: true when open. It is kept in the address, so that a link can open it. */
export function useCreating(what: string): [boolean, (isOpen: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const isHere = useIsHere();
  const setOpen = (isOpen: boolean) => {
    // A late reply must not take the person back from another screen.
    if (!isHere()) return;
    if (!isOpen) discardOpen();
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (isOpen) after.set(NEW, what);
        else after.delete(NEW);
        return after;
      },
      { replace: true },
    );
  };
  return [params.get(NEW) === what, setOpen];
}
