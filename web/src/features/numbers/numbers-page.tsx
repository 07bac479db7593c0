import { Tabs } from "@mantine/core";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useUrlTab } from "#web/ui/filters/use-url-tab.ts";
import { Page } from "#web/ui/page.tsx";
import { CarrierList } from "./carrier-list.tsx";
import { NumberList } from "./number-list.tsx";

/** Page of the workspace's numbers and their carriers. */
export function NumbersPage() {
  const [asked, setTab] = useUrlTab("numbers");
  const isOwner = useMay("WORKSPACE_ADMIN");
  const tab = asked === "carriers" && isOwner ? "carriers" : "numbers";
  return (
    <Page title={t`Phone numbers`} lead={t`What calls come from and go to, and the carriers behind them.`}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="numbers">{t`Numbers`}</Tabs.Tab>
          {isOwner && <Tabs.Tab value="carriers">{t`Carriers`}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="numbers">
          <NumberList />
        </Tabs.Panel>
        <Tabs.Panel value="carriers">
          <CarrierList />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
