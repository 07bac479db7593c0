import { Anchor, Paper } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "wouter";
import { formatName } from "#web/format/format.ts";
import type { AutomationRun } from "#web/pages/automations/automation.ts";
import type { Column } from "#web/table/columns.ts";
import { DataTable } from "#web/table/data-table.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";

const COLUMNS: Column<AutomationRun>[] = [
  {
    id: "createdAt",
    header: "When",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    value: ({ createdAt }) => createdAt,
  },
  {
    id: "status",
    header: "Status",
    cell: ({ status }) => <StatusBadge status={status} />,
    value: ({ status }) => status,
  },
  {
    id: "trigger",
    header: "Started by",
    cell: ({ trigger }) => (trigger === "MANUAL" ? "A person" : formatName(trigger)),
    value: ({ trigger }) => trigger,
    isWide: true,
  },
  { id: "about", header: "About", cell: (run) => <About run={run} /> },
  {
    id: "artifactCount",
    header: "Files",
    cell: ({ artifactCount }) => artifactCount,
    value: ({ artifactCount }) => artifactCount,
    align: "right",
    isWide: true,
  },
];

/** The runs of an automation, the newest first. */
export function RunList({ runs }: { runs: UseQueryResult<ListPage<AutomationRun>> }) {
  if (runs.error) return <FaultNote error={runs.error} retry={() => void runs.refetch()} />;
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <DataTable label="Runs" rows={runs.data?.content} columns={COLUMNS} />
    </Paper>
  );
}

function About({ run: { error, callJobId, callJobRun, from, until } }: { run: AutomationRun }) {
  if (error) return <span className="breaks">{error.message}</span>;
  if (callJobId !== null) {
    return (
      <Anchor component={Link} href={`/jobs/${callJobId}`} fz="sm">
        Call job{callJobRun === null ? "" : `, run ${callJobRun}`}
      </Anchor>
    );
  }
  if (from === null) return "–";
  return (
    <>
      <Time at={from} /> to <Time at={until} />
    </>
  );
}
