import { Anchor, Group, Paper } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { sayReason } from "#web/api/server-texts.ts";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlPage } from "#web/ui/filters/use-url-page.ts";
import { formatName } from "#web/ui/format/format.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { Time } from "#web/ui/time.tsx";
import type { AutomationRun } from "./automation.ts";

/** Runs per page of the list. */
export const RUNS_A_PAGE = 25;

const COLUMNS: Column<AutomationRun>[] = [
  {
    id: "createdAt",
    header: t`When`,
    cell: ({ createdAt }) => <Time at={createdAt} />,
    value: ({ createdAt }) => createdAt,
  },
  {
    id: "status",
    header: t`Status`,
    cell: ({ status }) => <StatusBadge status={status} />,
    value: ({ status }) => status,
  },
  {
    id: "trigger",
    header: t`Started by`,
    cell: ({ trigger }) => (trigger === "MANUAL" ? t`A person` : formatName(trigger)),
    value: ({ trigger }) => trigger,
    isWide: true,
  },
  { id: "about", header: t`About`, cell: (run) => <About run={run} /> },
  {
    id: "artifactCount",
    header: t`Files`,
    cell: ({ artifactCount }) => artifactCount,
    value: ({ artifactCount }) => artifactCount,
    align: "right",
    isWide: true,
  },
];

/** Runs of an automation, newest first. `refreshMs` is set while one is under way. */
export function RunList({ automationId, refreshMs }: { automationId: string; refreshMs?: number }) {
  const [page, setPage] = useUrlPage("runs");
  const path = `/automations/${automationId}/runs`;
  const runs = useRead<ListPage<AutomationRun>>(
    path,
    { page, size: RUNS_A_PAGE },
    refreshMs === undefined ? {} : { refreshMs },
  );
  if (runs.error) return <ReadFault read={runs} />;
  const pager = { page, size: RUNS_A_PAGE, totals: runs.data, setPage };
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <Group justify="flex-end" p="xs">
        <ExportButton path={path} query={{}} columns={COLUMNS} fileName="runs.csv" />
      </Group>
      <DataTable
        label={t`Runs`}
        rows={runs.data?.content}
        columns={COLUMNS}
        pager={pager}
        empty={
          <EmptyState icon="report" title={t`It has not run yet`}>
            {t`Each run is told here, with what it was about and how it ended.`}
          </EmptyState>
        }
      />
    </Paper>
  );
}

function About({ run: { error, callJobId, callJobRun, from, until } }: { run: AutomationRun }) {
  if (error) return <span className="breaks">{sayReason(error)}</span>;
  if (callJobId !== null) {
    return (
      <Anchor component={Link} href={`/jobs/${callJobId}`} fz="sm">
        {t`Call job${callJobRun === null ? "" : t`, run ${callJobRun}`}`}
      </Anchor>
    );
  }
  if (from === null) return "–";
  return <>{rich`${<Time at={from} />} to ${<Time at={until} />}`}</>;
}
