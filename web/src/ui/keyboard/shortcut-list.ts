import { t } from "#web/i18n/t.ts";
import type { Shortcut } from "./shortcuts.tsx";

const NAMES: Record<string, string> = {
  " ": t`Space`,
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: t`Esc`,
};

/** Readable names of a shortcut's keys. */
export function keyNames(keys: string): string[] {
  return (keys === " " ? [keys] : keys.split(" ")).map((key) => NAMES[key] ?? key);
}

/** Shortcuts by group. Of several with the same keys, only the newest works, so only it is listed. */
export function groupShortcuts(shortcuts: Shortcut[]): { group: string; items: Shortcut[] }[] {
  const working = [...new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut])).values()];
  const groups = [...new Set(working.map(({ group }) => group))];
  return groups.map((group) => ({ group, items: working.filter((shortcut) => shortcut.group === group) }));
}
