import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { useRouter } from "wouter";
import { whenPersonChanges } from "#web/api/session.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { isSame } from "./merge-fields.ts";

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

/** Input of open dialogs, drawers and cards. */
const OPEN = new Set<{ isDiscarded: boolean }>();

/** Discards what is open, for a dialog that is in the address: the person closes it and does not leave its screen. */
export function discardOpen(): void {
  for (const one of OPEN) one.isDiscarded = true;
}

function readAddress(): string {
  return window.location.pathname + window.location.search;
}

/**
 * Keeps the input of a dialog, drawer or card that is left by a link or by Back, until it is opened again. Closing it
 * discards its input. `read` returns undefined when there is none, and `restore` gets what it returned. A null key:
 * nothing is kept.
 */
export function useKeptWhenLeft<I>(key: string | null, read: () => I | undefined, restore: (kept: I) => void): void {
  const latest = useRef({ read, restore });
  useEffect(() => {
    latest.current = { read, restore };
  });
  useEffect(() => {
    if (key === null) return;
    const openedAt = readAddress();
    const one = { isDiscarded: false };
    OPEN.add(one);
    const kept = takeUnsaved<I>(key);
    if (kept !== undefined) {
      latest.current.restore(kept);
      showDone(t`What you typed here before is back. It is not saved yet.`);
    }
    return () => {
      OPEN.delete(one);
      const input = latest.current.read();
      if (input !== undefined && !one.isDiscarded && readAddress() !== openedAt) keepUnsaved(key, input);
    };
  }, [key]);
}

/**
 * `useState` of a dialog whose changed value is there again after its screen was left, as `useKeptWhenLeft` says; the
 * third function is called when it was sent.
 */
export function useDialogState<T>(key: string, initial: () => T): [T, Dispatch<SetStateAction<T>>, () => void] {
  const keptAs = `${useRouter().base} ${key}`;
  const [first] = useState(initial);
  const [state, setState] = useState(first);
  const sent = useRef(first);
  const isUnsaved = () => !isSame(state, first) && !isSame(state, sent.current);
  useKeptWhenLeft<T>(keptAs, () => (isUnsaved() ? state : undefined), setState);
  const settle = () => {
    sent.current = state;
    forgetUnsaved(keptAs);
  };
  return [state, setState, settle];
}
