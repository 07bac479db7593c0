import { SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import type { ReactNode } from "react";
import { useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { useUrlTab } from "#web/ui/filters/use-url-tab.ts";
import { NotLoaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { ArtifactList } from "./artifact-list.tsx";
import { AutomationActions } from "./automation-actions.tsx";
import { type Automation, type AutomationRun, describeTrigger, KINDS } from "./automation.ts";
import { RunList, RUNS_A_PAGE } from "./run-list.tsx";

const BACK = { href: "/automations", label: t`Reports` };
/** Milliseconds between reads of the list while a run is under way. */
const WATCH_MS = 1_500;

/** Page of an automation: its files and its runs. */
export function AutomationPage() {
  const { automationId = "" } = useParams();
  const read = useRead<Automation>(`/automations/${automationId}`);
  const automation = read.data?.id === automationId ? read.data : undefined;
  if (!automation) {
    return (
      <Page title={t`Report`} back={BACK}>
        <NotLoaded read={read} />
      </Page>
    );
  }
  const { enabled, kind, description } = automation;
  return (
    <Page
      title={automation.name}
      back={BACK}
      badge={
        kind !== "EXPORT" && <StatusBadge status={enabled ? "ENABLED" : "DISABLED"} label={enabled ? t`On` : t`Off`} />
      }
      lead={description === null ? KINDS[kind].label : <Words className="breaks">{description}</Words>}
      actions={<AutomationActions automation={automation} />}
    >
      <Body automation={automation} />
    </Page>
  );
}

function Body({ automation }: { automation: Automation }) {
  const [asked, setTab] = useUrlTab("files");
  const tab = asked === "runs" ? "runs" : "files";
  const path = `/automations/${automation.id}/runs`;
  const query = { page: 0, size: RUNS_A_PAGE };
  const first = useRead<ListPage<AutomationRun>>(path, query);
  const isUnderWay = first.data?.content.some(({ endedAt }) => endedAt === null) ?? false;
  const runs = useRead<ListPage<AutomationRun>>(path, query, isUnderWay ? { refreshMs: WATCH_MS } : {});
  const made = runs.data?.content.filter(({ endedAt }) => endedAt !== null).length ?? 0;
  return (
    <Stack>
      <Card>
        <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
          <Fact label={t`Kind`}>{KINDS[automation.kind].label}</Fact>
          <Fact label={t`Runs`}>{describeTrigger(automation)}</Fact>
          <Fact label={t`Next run`}>
            <Time at={automation.nextRunAt} />
          </Fact>
          <Fact label={t`Last run`}>
            <Time at={runs.data?.content[0]?.createdAt ?? null} ago />
          </Fact>
        </SimpleGrid>
      </Card>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="files">{t`Files`}</Tabs.Tab>
          <Tabs.Tab value="runs">{t`Runs`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="files">
          <ArtifactList automation={automation} runsEnded={made} isUnderWay={isUnderWay} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <RunList automationId={automation.id} {...(isUnderWay ? { refreshMs: WATCH_MS } : {})} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" fz="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz="sm">
        {children}
      </Text>
    </div>
  );
}
