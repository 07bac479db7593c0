import { useLocation, useRouter } from "wouter";
import { showDone, showMade } from "#web/api/undo.tsx";
import { useIsHere } from "./use-is-here.ts";
import { useIsShown } from "./use-is-shown.ts";

/** What was made, and how it is opened. */
export interface Made {
  /** Its screen, as the screen that made it would link to it. */
  path: string;
  /** What is said of it. */
  done: string;
  /** True: its screen says enough. */
  isQuiet?: boolean;
  /** True: Back does not lead to where it was made. */
  replace?: boolean;
  /** Closes what it was made in. */
  close?: () => void;
  /** Opens it in another way than by going to its path. */
  open?: () => void;
}

/** Gives what opens a thing that was just made. Who went elsewhere meanwhile stays there, and gets a link to it. */
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
