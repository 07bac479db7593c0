import { t } from "#web/i18n/t.ts";
import type { IconName } from "#web/ui/icon.tsx";

/** A link in the side bar. */
export interface NavItem {
  /** Below the workspace, such as "/calls". */
  path: string;
  label: string;
  icon: IconName;
  /** Pressed after g. */
  key: string;
  /** Permission needed to see it; everybody sees it when left out. */
  permission?: string;
}

/** A group of links. */
export interface NavSection {
  label: string;
  items: NavItem[];
}

/** The side bar, the palette and the g-then-letter shortcuts; a screen appears here when it exists. */
export const NAVIGATION: NavSection[] = [
  {
    label: "",
    items: [
      { path: "/", label: t`Home`, icon: "home", key: "h" },
      { path: "/analytics", label: t`Analytics`, icon: "chart", key: "b", permission: "CALL_HISTORY_READ" },
    ],
  },
  {
    label: t`[section] Build`,
    items: [
      { path: "/flows", label: t`Flows`, icon: "flow", key: "f" },
      { path: "/simulations", label: t`Simulations`, icon: "test", key: "i" },
      { path: "/tools", label: t`Tools`, icon: "tool", key: "t", permission: "TOOLS_READ" },
      { path: "/outputs", label: t`[menu] Structured outputs`, icon: "output", key: "o" },
      { path: "/agents", label: t`Knowledge`, icon: "book", key: "a", permission: "AGENTS_READ" },
      { path: "/data", label: t`Data`, icon: "data", key: "d", permission: "DATA_STORES_READ" },
    ],
  },
  {
    label: t`[section] Run`,
    items: [
      { path: "/jobs", label: t`Call jobs`, icon: "list", key: "j", permission: "CALL_JOBS_READ" },
      { path: "/leads", label: t`Leads`, icon: "incoming", key: "w", permission: "CALL_JOBS_READ" },
      { path: "/calls", label: t`Calls`, icon: "phone", key: "c", permission: "CALL_HISTORY_READ" },
      { path: "/live", label: t`Live calls`, icon: "live", key: "l", permission: "CALL_HISTORY_READ" },
      { path: "/chats", label: t`Chats`, icon: "chat", key: "m" },
      { path: "/contacts", label: t`Contacts`, icon: "user", key: "p" },
      { path: "/transcriptions", label: t`Transcriptions`, icon: "audio", key: "r", permission: "TRANSCRIPTIONS_READ" },
      { path: "/automations", label: t`Reports`, icon: "report", key: "u", permission: "REPORTS_READ" },
    ],
  },
  {
    label: t`[section] Connect`,
    items: [
      { path: "/numbers", label: t`Phone numbers`, icon: "number", key: "n", permission: "PHONE_NUMBERS_READ" },
      { path: "/connections", label: t`Connections`, icon: "link", key: "x", permission: "TOOLS_READ" },
      { path: "/credentials", label: t`API credentials`, icon: "key", key: "k", permission: "WORKSPACE_ADMIN" },
      { path: "/developers", label: t`Developers`, icon: "code", key: "e" },
      { path: "/settings", label: t`Settings`, icon: "settings", key: "s" },
    ],
  },
];
