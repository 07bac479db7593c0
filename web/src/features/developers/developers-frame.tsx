import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { t } from "#web/i18n/t.ts";
import { Page } from "#web/ui/page.tsx";
import { ScrollStrip } from "#web/ui/scroll-strip.tsx";

const TABS = [
  { path: "/developers", label: t`Deliveries` },
  { path: "/developers/webhooks", label: t`Webhooks` },
  { path: "/developers/inspector", label: t`Inspector` },
  { path: "/developers/requests", label: t`API requests` },
  { path: "/developers/connect", label: t`Connect` },
  { path: "/developers/reference", label: t`API reference` },
];

/** Frame of the developer pages; each tab has its own address. */
export function DevelopersFrame({
  lead,
  actions,
  children,
}: {
  lead: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const [path, navigate] = useLocation();
  return (
    <Page title={t`Developers`} lead={lead} actions={actions}>
      <Tabs value={path} onChange={(next) => next !== null && navigate(next)} keepMounted={false}>
        <ScrollStrip chosen={path}>
          <Tabs.List mb="md" aria-label={t`Developers`}>
            {TABS.map((tab) => (
              <Tabs.Tab key={tab.path} value={tab.path}>
                {tab.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </ScrollStrip>
        <Tabs.Panel value={path}>{children}</Tabs.Panel>
      </Tabs>
    </Page>
  );
}
