import { Grid, Stack } from "@mantine/core";
import type { CallRow, CallJob, Page as ListPage } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useUser } from "#web/api/session.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { ModeBadge } from "#web/shell/workspace-switcher.tsx";
import { Page } from "#web/ui/page.tsx";
import { ActiveCalls } from "./active-calls.tsx";
import { Checklist } from "./checklist.tsx";
import { OutcomeChart } from "./outcome-chart.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { StatCards } from "./stat-cards.tsx";
import { useToday } from "./today.ts";

/** The start of a workspace: what to do next, what goes on, how today went. */
export function HomePage() {
  const { name, mode } = useWorkspace();
  const user = useUser();
  const mayCalls = useMay("CALL_HISTORY_READ");
  return (
    <Page title="Home" badge={<ModeBadge mode={mode} />} lead={`${name} · signed in as ${user.name}`}>
      {mayCalls ? <Overview /> : <Checklist calls={undefined} jobs={undefined} />}
    </Page>
  );
}

function Overview() {
  const { today } = useToday();
  const calls = useRead<ListPage<CallRow>>("/call-history", { size: 5 });
  const jobs = useRead<ListPage<CallJob>>("/call-jobs", { size: 1 });
  return (
    <Stack gap="md">
      <Checklist calls={calls.data?.totalElements} jobs={jobs.data?.totalElements} />
      <StatCards today={today} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <OutcomeChart today={today} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <ActiveCalls />
        </Grid.Col>
      </Grid>
      <RecentCalls read={calls} />
    </Stack>
  );
}
