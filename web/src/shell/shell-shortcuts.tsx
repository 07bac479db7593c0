import { spotlight } from "@mantine/spotlight";
import { useState } from "react";
import { useLocation } from "wouter";
import { useWorkspace } from "#web/api/workspace.tsx";
import { ShortcutSheet } from "#web/keyboard/shortcut-sheet.tsx";
import { useShortcutKeys } from "#web/keyboard/shortcuts.tsx";
import { NAVIGATION } from "./navigation.ts";

/** The shortcuts of every screen, and the sheet that lists them. */
export function ShellShortcuts() {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const { permissions } = useWorkspace();
  const places = NAVIGATION.flatMap(({ items }) => items).filter(
    ({ permission }) => permission === undefined || permissions.includes(permission),
  );
  useShortcutKeys([
    { keys: "?", label: "This sheet", group: "Everywhere", run: () => setOpen(true) },
    { keys: "mod+k", label: "Search and commands", group: "Everywhere", run: spotlight.open },
    ...places.map(({ path, label, key }) => ({ keys: `g ${key}`, label, group: "Go to", run: () => navigate(path) })),
  ]);
  return <ShortcutSheet isOpen={isOpen} onClose={() => setOpen(false)} />;
}
