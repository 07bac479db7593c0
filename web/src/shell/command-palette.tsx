import { useMantineColorScheme } from "@mantine/core";
import "@mantine/spotlight/styles.layer.css";
import { Spotlight, spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { sessionQuery } from "#web/api/session.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { showOverlay } from "#web/domain/workspace/overlay.ts";
import { signOut } from "#web/domain/workspace/sign-out.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { NAVIGATION } from "./navigation.ts";

/** Palette behind Ctrl+K: all screens, all workspaces and a few commands by name. */
export function CommandPalette() {
  useEffect(() => spotlight.open(), []);
  return (
    <Spotlight
      actions={[useScreenActions(), useWorkspaceActions(), useCommandActions()]}
      shortcut={null}
      onSpotlightClose={() => showOverlay(null)}
      attributes={{ content: { "aria-label": t`Search and commands` } }}
      nothingFound={t`Nothing of that name`}
      highlightQuery
      centered={false}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: t`Search or jump to …`,
        "aria-label": t`Search`,
      }}
    />
  );
}

function useScreenActions(): SpotlightActionGroupData {
  const { permissions } = useWorkspace();
  const [, navigate] = useLocation();
  const items = NAVIGATION.flatMap((section) => section.items);
  return {
    group: t`Go to`,
    actions: items
      .filter(({ permission }) => permission === undefined || permissions.includes(permission))
      .map(({ path, label, icon }) => ({
        id: path,
        label,
        leftSection: <Icon name={icon} />,
        onClick: () => navigate(path),
      })),
  };
}

function useWorkspaceActions(): SpotlightActionGroupData {
  const here = useWorkspace();
  const { data } = useQuery(sessionQuery);
  const [, navigate] = useLocation();
  const others = (data?.workspaces ?? []).filter(({ id }) => id !== here.id);
  return {
    group: t`Workspaces`,
    actions: others.map(({ id, name, mode }) => ({
      id,
      label: name,
      description: mode,
      leftSection: <Icon name="right" />,
      onClick: () => navigate(`~/w/${id}`),
    })),
  };
}

function useCommandActions(): SpotlightActionGroupData {
  const { setColorScheme } = useMantineColorScheme();
  return {
    group: t`Commands`,
    actions: [
      {
        id: "light",
        label: t`Light colours`,
        leftSection: <Icon name="sun" />,
        onClick: () => setColorScheme("light"),
      },
      { id: "dark", label: t`Dark colours`, leftSection: <Icon name="moon" />, onClick: () => setColorScheme("dark") },
      {
        id: "auto",
        label: t`Colours as the system`,
        leftSection: <Icon name="auto" />,
        onClick: () => setColorScheme("auto"),
      },
      {
        id: "docs",
        label: t`API documentation`,
        leftSection: <Icon name="book" />,
        onClick: () => window.open("/docs", "_blank", "noopener"),
      },
      { id: "sign-out", label: t`Sign out`, leftSection: <Icon name="out" />, onClick: signOut },
    ],
  };
}
