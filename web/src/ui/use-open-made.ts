import { useLocation, useRouter } from "wouter";
import { showDone, showMade } from "#web/api/undo.tsx";
import { useIsHere } from "./use-is-here.ts";
import { useIsShown } from "./use-is-shown.ts";

/** A new item, and the way to open it. */
export interface Made {
  /** Path of its screen, relative like a link on the current screen. */
  path: string;
  /** Text of the toast. */
  done: string;
  /** True: no toast, because its screen says enough. */
  isQuiet?: boolean;
  /** True: Back does not return to the screen where it was made. */
  replace?: boolean;
  /** Closes the form in which it was made. */
  close?: () => void;
  /** Opens it by other means than its path. */
  open?: () => void;
}

/**
 * Returns a function that opens a new item. A person who has left the screen stays where they are and gets a link to
 * it.
 */
export function useOpenMade(): (made: Made) => void {
  const isHere = useIsHere();
  const isShown = useIsShown();
  const [, navigate] = useLocation();
  const { base } = useRouter();
  return ({ path, done, isQuiet = false, replace = false, close, open = () => navigate(path, { replace }) }) => {
    const isLeft = !isHere();
    if (isShown.current) close?.();
    if (isLeft) return showMade(done, path.startsWith("~") ? path : `~${base}${path}`);
    if (!isQuiet) showDone(done);
    open();
  };
}
