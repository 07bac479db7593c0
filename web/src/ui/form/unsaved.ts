import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { whenPersonChanges } from "#web/api/session.ts";

/** Unsaved input of screens, by a key of their own: it stays when the screen is left, until the page is reloaded. */
const UNSAVED = new Map<string, unknown>();
whenPersonChanges(() => UNSAVED.clear());

/** Keeps the unsaved input of a screen that is left. */
export function keepUnsaved(key: string, input: unknown): void {
  UNSAVED.set(key, input);
}

/** Returns the input that is kept with this key; undefined: none. */
export function readUnsaved<T>(key: string): T | undefined {
  return UNSAVED.get(key) as T | undefined;
}

/** Returns the input that was kept with this key, which is kept no longer; undefined: none. */
export function takeUnsaved<T>(key: string): T | undefined {
  const kept = readUnsaved<T>(key);
  UNSAVED.delete(key);
  return kept;
}

/** Forgets the input that was kept with this key and with those below it (`key/part`): it was sent or discarded. */
export function forgetUnsaved(key: string): void {
  for (const kept of UNSAVED.keys()) if (kept === key || kept.startsWith(`${key}/`)) UNSAVED.delete(kept);
}

/** `useState` whose changed value is there again when the screen is opened again. A null key: it is not. */
export function useKeptState<T>(key: string | null, initial: () => T): [T, Dispatch<SetStateAction<T>>] {
  const [state, setState] = useState<T>(() => (key !== null && UNSAVED.has(key) ? (UNSAVED.get(key) as T) : initial()));
  const before = useRef(state);
  useEffect(() => {
    if (key !== null && state !== before.current) UNSAVED.set(key, state);
    before.current = state;
  }, [key, state]);
  return [state, setState];
}

/** Lets the browser ask before the page is closed or reloaded, which loses all unsaved input. */
export function useLeaveWarning(hasInput: boolean): void {
  useEffect(() => {
    if (!hasInput) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [hasInput]);
}
