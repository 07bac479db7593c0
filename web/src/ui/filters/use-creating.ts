import { useSearchParams } from "wouter";
import { useIsHere } from "#web/ui/use-is-here.ts";

const NEW = "new";

/** Whether what makes something new stands open: kept in the address, so that a link leads to it. */
export function useCreating(what: string): [boolean, (isOpen: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const isHere = useIsHere();
  const setOpen = (isOpen: boolean) => {
    // The answer to what was begun here takes nobody back from the screen they went to.
    if (!isHere()) return;
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
