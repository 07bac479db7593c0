import { useIsShown } from "#web/ui/use-is-shown.ts";
import { markReported } from "./fault-notes.ts";
import { showFault } from "./undo.tsx";

/** Gives what tells of a failure: on the screen while that is there, by a notification when it is gone. */
export function useFaultNotice(): (fault: unknown, onScreen: () => void) => void {
  const isShown = useIsShown();
  return (fault, onScreen) => {
    if (!isShown.current) return showFault(fault);
    markReported(fault);
    onScreen();
  };
}
