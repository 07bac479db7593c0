import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";

/** One key, or two in a row such as `g c`. */
export interface Shortcut {
  keys: string;
  label: string;
  /** The heading it stands under in the sheet. */
  group: string;
  run: () => void;
}

interface Registry {
  shortcuts: Shortcut[];
  add: (shortcut: Shortcut) => () => void;
}

const SEQUENCE_MS = 1_200;
const RegistryContext = createContext<Registry | null>(null);

/** Listens to the keyboard for the whole page; typing in a field is left alone. */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const [shortcuts, setShortcuts] = useState<Shortcut[]>([]);
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  }, [shortcuts]);
  useEffect(() => listen(() => latest.current), []);
  const registry = useMemo<Registry>(
    () => ({
      shortcuts,
      add(shortcut) {
        setShortcuts((all) => [...all, shortcut]);
        return () => setShortcuts((all) => all.filter((other) => other !== shortcut));
      },
    }),
    [shortcuts],
  );
  return <RegistryContext value={registry}>{children}</RegistryContext>;
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
  return useContext(RegistryContext)?.shortcuts ?? [];
}

/** Adds shortcuts while the screen is open; they appear in the sheet behind `?`. */
export function useShortcutKeys(shortcuts: Shortcut[]): void {
  const add = useContext(RegistryContext)?.add;
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const identity = shortcuts.map(({ keys, label, group }) => `${keys}\t${label}\t${group}`).join("\n");
  useEffect(() => {
    if (!add) return;
    const removals = identity
      .split("\n")
      .filter(Boolean)
      .map((line, index) => {
        const [keys = "", label = "", group = ""] = line.split("\t");
        return add({ keys, label, group, run: () => latest.current[index]?.run() });
      });
    return () => removals.forEach((remove) => remove());
  }, [add, identity]);
}
