import { Grid, Stack } from "@mantine/core";
import type { CallRow, Page as ListPage } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useUser } from "#web/api/session.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { ModeBadge } from "#web/shell/workspace-switcher.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { ActiveCalls } from "./active-calls.tsx";
import { Checklist } from "./checklist.tsx";
import { OutcomeChart } from "./outcome-chart.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { StatCards } from "./stat-cards.tsx";
import { useOverview } from "./use-overview.ts";

/** The start of a workspace: what to do next, what goes on, how the day went. */
export function HomePage() {
  const { name, mode } = useWorkspace();
  const user = useUser();
  const read = useOverview();
  const calls = useRead<ListPage<CallRow>>("/call-history", { size: 5 }, { enabled: useMay("CALL_HISTORY_READ") });
  return (
    <Page title="Home" badge={<ModeBadge mode={mode} />} lead={`${name} · signed in as ${user.name}`}>
      <Stack gap="md">
        {read.error && <FaultNote error={read.error} retry={() => void read.refetch()} />}
        {read.data && <Checklist done={read.data.checklist} />}
        <StatCards overview={read.data} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <OutcomeChart overview={read.data} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <ActiveCalls />
          </Grid.Col>
        </Grid>
        <RecentCalls read={calls} />
      </Stack>
    </Page>
  );
}
