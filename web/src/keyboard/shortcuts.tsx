import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";

/** One key, or two in a row such as `g c`. */
export interface Shortcut {
  keys: string;
  label: string;
  /** The heading it stands under in the sheet. */
  group: string;
  run: () => void;
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
    const pair = performance.now() - firstAtMs < SEQUENCE_MS ? `${first} ${event.key}` : "";
    const all = read();
    // The newest wins: a dialog's own key comes before the screen's.
    const found = all.findLast(({ keys }) => keys === pair) ?? all.findLast(({ keys }) => keys === event.key);
    first = event.key;
    firstAtMs = found ? 0 : performance.now();
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  window.addEventListener("keydown", take);
  return () => window.removeEventListener("keydown", take);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest("[role=dialog]") !== null
  );
}

/** Every shortcut of the page as it is, for the sheet. */
export function useShortcuts(): Shortcut[] {
  return useContext(ListContext);
}

/** Adds shortcuts while the screen is open; they appear in the sheet behind `?`. */
export function useShortcutKeys(shortcuts: Shortcut[]): void {
  const add = useContext(AddContext);
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const identity = shortcuts.map(({ keys, label, group }) => `${keys}\t${label}\t${group}`).join("\n");
  useEffect(() => {
    const lines = identity.split("\n").filter(Boolean);
    return add(
      lines.map((line, index) => {
        const [keys = "", label = "", group = ""] = line.split("\t");
        return { keys, label, group, run: () => latest.current[index]?.run() };
      }),
    );
  }, [add, identity]);
}
