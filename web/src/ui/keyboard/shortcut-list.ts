import type { Shortcut } from "./shortcuts.tsx";

const NAMES: Record<string, string> = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

/** The keys of a shortcut as a person reads them. */
export function keyNames(keys: string): string[] {
  return (keys === " " ? [keys] : keys.split(" ")).map((key) => NAMES[key] ?? key);
}

/** Shortcuts by group. Of several with the same keys the newest is the one that works, so it is the one listed. */
export function groupShortcuts(shortcuts: Shortcut[]): { group: string; items: Shortcut[] }[] {
  const working = [...new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut])).values()];
  const groups = [...new Set(working.map(({ group }) => group))];
  return groups.map((group) => ({ group, items: working.filter((shortcut) => shortcut.group === group) }));
}
