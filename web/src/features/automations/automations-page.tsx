import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { Page } from "#web/ui/page.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { useBulkDelete, useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { type Automation, describeTrigger, KINDS } from "./automation.ts";

const AutomationDrawer = lazy(async () => ({ default: (await import("./automation-drawer.tsx")).AutomationDrawer }));
const PATH = "/automations";
const ROWS_A_PAGE = 50;

const COLUMNS: Column<Automation>[] = [
  { id: "name", header: t`Name`, cell: (row) => <Name row={row} />, value: ({ name }) => name },
  { id: "kind", header: t`Kind`, cell: ({ kind }) => KINDS[kind].label, value: ({ kind }) => kind, isWide: true },
  { id: "runs", header: t`Runs`, cell: describeTrigger, value: describeTrigger, isWide: true },
  {
    id: "enabled",
    header: t`Status`,
    cell: ({ enabled }) => <StatusBadge status={enabled ? "ENABLED" : "DISABLED"} label={enabled ? t`On` : t`Off`} />,
    value: ({ enabled }) => (enabled ? "on" : "off"),
  },
  {
    id: "nextRunAt",
    header: t`Next`,
    cell: ({ nextRunAt }) => <Time at={nextRunAt} />,
    value: ({ nextRunAt }) => nextRunAt,
    isWide: true,
  },
];

/** List of the automations that make reports, digests and exports. */
export function AutomationsPage() {
  const { page, setPage } = useUrlFilters([]);
  const bulk = useReportActions();
  const read = useRead<ListPage<Automation>>(PATH, { page, size: ROWS_A_PAGE });
  const canWrite = useMay("CALL_JOBS_WRITE");
  const [isMaking, making] = useDisclosure(false);
  useShortcutKeys(canWrite ? [{ keys: "n", label: t`New report`, group: t`Reports`, run: making.open }] : []);
  const button = canWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={making.open}>
      {t`New report`}
    </Button>
  );
  return (
    <Page
      title={t`Reports`}
      lead={t`Reports of call jobs, digests and exports, made by themselves or when asked.`}
      actions={
        <>
          <ExportButton path={PATH} query={{}} columns={COLUMNS} fileName="reports.csv" />
          {button}
        </>
      }
    >
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Reports`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={({ id }) => `/automations/${id}`}
        bulkActions={canWrite ? bulk : []}
        pages={{ page, setPage }}
        empty={
          <EmptyState icon="report" title={t`No reports yet`} action={button} docs="automations">
            {t`A report of each call job, a digest every morning, or the calls of a month as CSV: made by themselves or when you ask.`}
          </EmptyState>
        }
      />
      <Suspense fallback={null}>{isMaking && <AutomationDrawer close={making.close} />}</Suspense>
    </Page>
  );
}

function useReportActions(): BulkAction<Automation>[] {
  const make = useBulkWrites<Automation>();
  const path = ({ id }: Automation) => `${PATH}/${id}`;
  const change = { method: "PUT", path, refreshes: [PATH] } as const;
  return [
    make({ ...change, label: t`Turn on`, icon: "play", body: { enabled: true }, only: ({ enabled }) => !enabled }),
    make({ ...change, label: t`Turn off`, icon: "pause", body: { enabled: false }, only: ({ enabled }) => enabled }),
    useBulkDelete<Automation>({
      list: PATH,
      counted: (count) => plural(count, "{n} report", "{n} reports"),
      body: t`Their runs and every file that they made are deleted, too. This cannot be taken back.`,
    }),
  ];
}

function Name({ row: { name, description } }: { row: Automation }) {
  return (
    <Stack gap={0}>
      <Text component={Words} fz="sm" fw={550} lineClamp={1}>
        {name}
      </Text>
      {description !== null && (
        <Text component={Words} fz="xs" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      )}
    </Stack>
  );
}
