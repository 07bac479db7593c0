import { markReported } from "#web/api/fault-notes.ts";
import { showFault } from "#web/api/undo.tsx";
import { useIsShown } from "./use-is-shown.ts";

/** Returns a function that reports an error: on the screen while it is mounted, by a toast after that. */
export function useFaultNotice(): (fault: unknown, onScreen: () => void) => void {
  const isShown = useIsShown();
  return (fault, onScreen) => {
    if (!isShown.current) return showFault(fault);
    markReported(fault);
    onScreen();
  };
}
