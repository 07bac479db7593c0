import { usePathname } from "wouter/use-browser-location";
import { useIsShown } from "./use-is-shown.ts";

/**
 * Returns a function that is true while the person is still on the same screen and the component is mounted. Code that
 * runs after a late reply calls it before it navigates.
 */
export function useIsHere(): () => boolean {
  const isShown = useIsShown();
  const path = usePathname();
  // A left screen stays for a moment while the next one is fetched; the address changes sooner.
  return () => isShown.current && window.location.pathname === path;
}
