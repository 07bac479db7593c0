import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { t } from "#web/i18n/t.ts";

/** A shortcut of one key, or of two in sequence such as `g c`. */
export interface Shortcut {
  keys: string;
  label: string;
  /** Heading in the sheet. */
  group: string;
  /** Null: another component handles it, such as a form; it is only listed. */
  run: (() => void) | null;
}

type Add = (shortcuts: Shortcut[]) => () => void;

const SEQUENCE_MS = 1_200;
const AddContext = createContext<Add>(() => () => undefined);
const ListContext = createContext<Shortcut[]>([]);

/** Listens to the keyboard for the whole page; typing in a field is left alone. */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const [shortcuts, setShortcuts] = useState<Shortcut[]>([]);
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  }, [shortcuts]);
  useEffect(() => listen(() => latest.current), []);
  const add = useCallback<Add>((added) => {
    setShortcuts((all) => [...all, ...added]);
    return () => setShortcuts((all) => all.filter((shortcut) => !added.includes(shortcut)));
  }, []);
  return (
    <AddContext value={add}>
      <ListContext value={shortcuts}>{children}</ListContext>
    </AddContext>
  );
}

function listen(read: () => Shortcut[]): () => void {
  let first = "";
  let firstAtMs = 0;
  const take = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    // The time of the key press, not that of its handling by a busy page.
    const pair = event.timeStamp - firstAtMs < SEQUENCE_MS ? `${first} ${event.key}` : "";
    if (isPressed(event)) return;
    const all = read().filter(({ run }) => run !== null);
    // The newest wins: a dialog's own key comes before the screen's.
    const found = all.findLast(({ keys }) => keys === pair) ?? all.findLast(({ keys }) => keys === event.key);
    first = event.key;
    firstAtMs = found ? 0 : event.timeStamp;
    if (!found) return;
    event.preventDefault();
    found.run?.();
  };
  window.addEventListener("keydown", take);
  return () => window.removeEventListener("keydown", take);
}

/** True for Enter and the space bar while a button or link has the focus, which they press. */
function isPressed({ key, target }: KeyboardEvent): boolean {
  if (key !== "Enter" && key !== " ") return false;
  return (
    target instanceof Element && target.closest("a, button, summary, input, [role=button], [role=checkbox]") !== null
  );
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A ticked checkbox keeps the focus but takes no letters.
  const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !target.matches("input[type=checkbox]");
  return target.isContentEditable || isField || target.closest("[role=dialog]") !== null;
}

/** All current shortcuts of the page, for the sheet. */
export function useShortcuts(): Shortcut[] {
  return useContext(ListContext);
}

/** Modifier key for commands on this device's keyboard. */
export const COMMAND_KEY = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "") ? "⌘" : t`Ctrl`;

/** Lists keys in the sheet that another component handles, such as a form or an editor. */
export function useListedKeys(listed: Omit<Shortcut, "run">[]): void {
  useShortcutKeys(listed.map((shortcut) => ({ ...shortcut, run: null })));
}

/** Adds shortcuts while the screen is open; they appear in the sheet behind `?`. */
export function useShortcutKeys(shortcuts: Shortcut[]): void {
  const add = useContext(AddContext);
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const identity = shortcuts
    .map(({ keys, label, group, run }) => [keys, label, group, run === null ? "listed" : ""].join("\t"))
    .join("\n");
  useEffect(() => {
    const lines = identity.split("\n").filter(Boolean);
    return add(
      lines.map((line, index) => {
        const [keys = "", label = "", group = "", kind = ""] = line.split("\t");
        return { keys, label, group, run: kind === "listed" ? null : () => latest.current[index]?.run?.() };
      }),
    );
  }, [add, identity]);
}
