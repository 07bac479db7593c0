import type { IconName } from "#web/ui/icon.tsx";

/** A place in the side bar. */
export interface NavItem {
  /** Below the workspace, such as "/calls". */
  path: string;
  label: string;
  icon: IconName;
  /** Pressed after g. */
  key: string;
  /** Who sees it; everybody when left out. */
  permission?: string;
}

/** Places that belong together. */
export interface NavSection {
  label: string;
  items: NavItem[];
}

/** The side bar, the palette and the g-then-letter shortcuts; a screen appears here when it exists. */
export const NAVIGATION: NavSection[] = [
  { label: "", items: [{ path: "/", label: "Home", icon: "home", key: "h" }] },
  {
    label: "Build",
    items: [
      { path: "/flows", label: "Flows", icon: "flow", key: "f" },
      { path: "/outputs", label: "Structured outputs", icon: "output", key: "o" },
      { path: "/simulations", label: "Simulations", icon: "test", key: "i" },
    ],
  },
  {
    label: "Run",
    items: [{ path: "/calls", label: "Calls", icon: "phone", key: "c", permission: "CALL_HISTORY_READ" }],
  },
  {
    label: "Connect",
    items: [{ path: "/credentials", label: "API credentials", icon: "key", key: "k", permission: "WORKSPACE_ADMIN" }],
  },
];
