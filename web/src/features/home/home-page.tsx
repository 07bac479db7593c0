import { Grid, Stack } from "@mantine/core";
import type { CallRow, Page as ListPage } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { HOME_READS } from "#web/api/home-reads.ts";
import { useRead } from "#web/api/queries.ts";
import { useUser } from "#web/api/session.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { ModeBadge } from "#web/domain/workspace/workspace-switcher.tsx";
import { t } from "#web/i18n/t.ts";
import { LoadingBars, ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { ActiveCalls } from "./active-calls.tsx";
import { Checklist } from "./checklist.tsx";
import { isUntouched } from "./overview.ts";
import { StatCards } from "./stat-cards.tsx";
import { useOverview } from "./use-overview.ts";

const loadChart = () => import("./outcome-chart.tsx");
const loadWorth = () => import("./worth-a-look.tsx");
const loadCalls = () => import("./recent-calls.tsx");

// The page is usable before these have loaded.
const OutcomeChart = lazy(async () => ({ default: (await loadChart()).OutcomeChart }));
const WorthALook = lazy(async () => ({ default: (await loadWorth()).WorthALook }));
const RecentCalls = lazy(async () => ({ default: (await loadCalls()).RecentCalls }));

/** Begins to fetch the parts of the page that are not in the dashboard's first load. */
export function loadHomeParts(): Promise<unknown> {
  return Promise.all([loadWorth(), loadChart(), loadCalls()]);
}

/** A workspace with so many calls needs no first steps. */
const ESTABLISHED_CALLS = 100;

/** Start page of a workspace: next steps, current activity, and the last day. */
export function HomePage() {
  const { name, mode } = useWorkspace();
  const user = useUser();
  const read = useOverview();
  const { path, query, permission } = HOME_READS.calls;
  const calls = useRead<ListPage<CallRow>>(path, query, { enabled: useMay(permission) });
  const isEstablished = (calls.data?.totalElements ?? 0) >= ESTABLISHED_CALLS;
  return (
    <Page title={t`Home`} badge={<ModeBadge mode={mode} />} lead={t`${name} · signed in as ${user.name}`}>
      <Stack gap="md">
        <ReadFault read={read} />
        {read.data && !calls.isLoading && !isEstablished && (
          <Checklist done={read.data.checklist} preparedJobId={read.data.preparedJobId} />
        )}
        {!isUntouched(read.data) && (
          <Suspense fallback={null}>
            <WorthALook />
          </Suspense>
        )}
        <StatCards overview={read.data} />
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Suspense fallback={<LoadingBars />}>
              <OutcomeChart overview={read.data} />
            </Suspense>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <ActiveCalls />
          </Grid.Col>
        </Grid>
        {!isUntouched(read.data) && (
          <Suspense fallback={<LoadingBars />}>
            <RecentCalls read={calls} />
          </Suspense>
        )}
      </Stack>
    </Page>
  );
}
