import { usePathname } from "wouter/use-browser-location";
import { useIsShown } from "./use-is-shown.ts";

/**
 * Gives what tells whether the person is still where they were when this was drawn: on the same screen, with the component
 * still there. What goes on after a late answer asks it before it takes anybody elsewhere.
 */
export function useIsHere(): () => boolean {
  const isShown = useIsShown();
  const path = usePathname();
  // A screen that is left stays for a moment while the next one is fetched: the address says it sooner.
  return () => isShown.current && window.location.pathname === path;
}
