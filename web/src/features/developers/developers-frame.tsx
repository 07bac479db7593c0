import { Tabs } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { t } from "#web/i18n/t.ts";
import { Page } from "#web/ui/page.tsx";

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
  const bar = useRef<HTMLDivElement>(null);
  // On a phone, the open tab may be outside the visible area.
  useEffect(() => {
    const box = bar.current;
    const tab = box?.querySelector<HTMLElement>("[data-active]");
    if (box && tab) box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2;
  }, [path]);
  return (
    <Page title={t`Developers`} lead={lead} actions={actions}>
      <Tabs value={path} onChange={(next) => next !== null && navigate(next)} keepMounted={false}>
        <div className="tab-scroll" ref={bar}>
          <Tabs.List mb="md" aria-label={t`Developers`}>
            {TABS.map((tab) => (
              <Tabs.Tab key={tab.path} value={tab.path}>
                {tab.label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </div>
        <Tabs.Panel value={path}>{children}</Tabs.Panel>
      </Tabs>
    </Page>
  );
}
