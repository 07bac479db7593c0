import { markReported } from "#web/api/fault-notes.ts";
import { showFault } from "#web/api/undo.tsx";
import { useIsShown } from "./use-is-shown.ts";

/** Gives what tells of a failure: on the screen while that is there, by a notification when it is gone. */
export function useFaultNotice(): (fault: unknown, onScreen: () => void) => void {
  const isShown = useIsShown();
  return (fault, onScreen) => {
    if (!isShown.current) return showFault(fault);
    markReported(fault);
    onScreen();
  };
}
