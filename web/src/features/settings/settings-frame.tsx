import { NavLink, Select } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Page } from "#web/ui/page.tsx";

const SECTIONS: { path: string; label: string; permission?: string }[] = [
  { path: "/settings", label: t`Workspace` },
  { path: "/settings/models", label: t`Language models`, permission: "FLOWS_READ" },
  { path: "/settings/speech", label: t`Speech and retention` },
  { path: "/settings/compliance", label: t`Compliance` },
  { path: "/settings/do-not-call", label: t`Do-not-call list` },
  { path: "/settings/opt-out-reviews", label: t`Opt-out reviews`, permission: "CALL_JOBS_READ" },
  { path: "/settings/people", label: t`People and roles` },
  { path: "/settings/sign-on", label: t`Company sign-in`, permission: "INSTALLATION_OWNER" },
  { path: "/settings/balance", label: t`Balance and prices`, permission: "BALANCE_READ" },
  { path: "/settings/audit", label: t`Audit log`, permission: "WORKSPACE_ADMIN" },
  { path: "/settings/account", label: t`Your account` },
];

/** Frame of the settings pages, with the sections at the left, or in a drop-down list on a phone. */
export function SettingsFrame(props: { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const [path, navigate] = useLocation();
  const { permissions } = useWorkspace();
  const shown = SECTIONS.filter(({ permission }) => permission === undefined || permissions.includes(permission));
  return (
    <Page title={props.title} lead={props.lead} actions={props.actions}>
      <div className="sections">
        <div>
          <Select
            hiddenFrom="sm"
            aria-label={t`Section of the settings`}
            allowDeselect={false}
            value={path}
            data={shown.map(({ path: value, label }) => ({ value, label }))}
            onChange={(next) => next !== null && navigate(next)}
          />
          <nav aria-label={t`Settings`} className="section-nav">
            {shown.map((section) => (
              <NavLink
                key={section.path}
                component={Link}
                href={section.path}
                label={section.label}
                active={section.path === path}
                aria-current={section.path === path ? "page" : undefined}
                className="nav-entry"
              />
            ))}
          </nav>
        </div>
        <div>{props.children}</div>
      </div>
    </Page>
  );
}
