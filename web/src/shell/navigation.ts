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
      { path: "/", label: "Home", icon: "home", key: "h" },
      { path: "/analytics", label: "Analytics", icon: "chart", key: "b", permission: "CALL_HISTORY_READ" },
    ],
  },
  {
    label: "Build",
    items: [
      { path: "/flows", label: "Flows", icon: "flow", key: "f" },
      { path: "/simulations", label: "Simulations", icon: "test", key: "i" },
      { path: "/tools", label: "Tools", icon: "tool", key: "t", permission: "TOOLS_READ" },
      { path: "/outputs", label: "Structured outputs", icon: "output", key: "o" },
      { path: "/agents", label: "Knowledge", icon: "book", key: "a", permission: "AGENTS_READ" },
      { path: "/data", label: "Data", icon: "data", key: "d", permission: "DATA_STORES_READ" },
    ],
  },
  {
    label: "Run",
    items: [
      { path: "/jobs", label: "Call jobs", icon: "list", key: "j", permission: "CALL_JOBS_READ" },
      { path: "/leads", label: "Leads", icon: "incoming", key: "w", permission: "CALL_JOBS_READ" },
      { path: "/calls", label: "Calls", icon: "phone", key: "c", permission: "CALL_HISTORY_READ" },
      { path: "/live", label: "Live calls", icon: "live", key: "l", permission: "CALL_HISTORY_READ" },
      { path: "/chats", label: "Chats", icon: "chat", key: "m" },
      { path: "/contacts", label: "Contacts", icon: "user", key: "p" },
      { path: "/transcriptions", label: "Transcriptions", icon: "audio", key: "r", permission: "TRANSCRIPTIONS_READ" },
      { path: "/automations", label: "Reports", icon: "report", key: "u", permission: "REPORTS_READ" },
    ],
  },
  {
    label: "Connect",
    items: [
      { path: "/numbers", label: "Phone numbers", icon: "number", key: "n", permission: "PHONE_NUMBERS_READ" },
      { path: "/connections", label: "Connections", icon: "link", key: "x", permission: "TOOLS_READ" },
      { path: "/credentials", label: "API credentials", icon: "key", key: "k", permission: "WORKSPACE_ADMIN" },
      { path: "/developers", label: "Developers", icon: "code", key: "e" },
      { path: "/settings", label: "Settings", icon: "settings", key: "s" },
    ],
  },
];
