import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { useWorkspace } from "#web/api/workspace.tsx";
import { showOverlay, useOverlay } from "#web/domain/workspace/overlay.ts";
import { t } from "#web/i18n/t.ts";
import { COMMAND_KEY, useListedKeys, useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { NAVIGATION } from "./navigation.ts";

const CommandPalette = lazy(async () => ({ default: (await import("./command-palette.tsx")).CommandPalette }));
const ShortcutSheet = lazy(async () => ({
  default: (await import("#web/ui/keyboard/shortcut-sheet.tsx")).ShortcutSheet,
}));
const NewWorkspaceDialog = lazy(async () => ({
  default: (await import("./new-workspace-dialog.tsx")).NewWorkspaceDialog,
}));

/** The shortcuts of every screen, the palette and the sheet that lists them. */
export function ShellCommands() {
  const overlay = useOverlay();
  const [, navigate] = useLocation();
  const { permissions } = useWorkspace();
  const places = NAVIGATION.flatMap(({ items }) => items).filter(
    ({ permission }) => permission === undefined || permissions.includes(permission),
  );
  useHotkeys([["mod+K", () => showOverlay("palette")]], []);
  useShortcutKeys([
    { keys: "?", label: t`This sheet`, group: t`Everywhere`, run: () => showOverlay("shortcuts") },
    { keys: "/", label: t`Search and commands`, group: t`Everywhere`, run: () => showOverlay("palette") },
    ...places.map(({ path, label, key }) => ({ keys: `g ${key}`, label, group: t`Go to`, run: () => navigate(path) })),
  ]);
  useListedKeys([
    { keys: `${COMMAND_KEY} k`, label: t`Search and commands`, group: t`Everywhere` },
    { keys: "Esc", label: t`Close what is open`, group: t`Everywhere` },
  ]);
  if (overlay === null) return null;
  return (
    <Suspense fallback={null}>
      {overlay === "palette" && <CommandPalette />}
      {overlay === "shortcuts" && <ShortcutSheet onClose={() => showOverlay(null)} />}
      {overlay === "workspace" && <NewWorkspaceDialog close={() => showOverlay(null)} />}
    </Suspense>
  );
}
