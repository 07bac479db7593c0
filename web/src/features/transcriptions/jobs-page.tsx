import { Button, Group } from "@mantine/core";
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
import { useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { Time } from "#web/ui/time.tsx";
import { JOBS_PATH, PROVIDERS, type TranscriptionJob } from "./transcription.ts";

const JobDialog = lazy(async () => ({ default: (await import("./job-dialog.tsx")).JobDialog }));
const FieldsDialog = lazy(async () => ({ default: (await import("./fields-dialog.tsx")).FieldsDialog }));
const ROWS_A_PAGE = 50;

const COLUMNS: Column<TranscriptionJob>[] = [
  { id: "name", header: t`Name`, cell: ({ name }) => <b dir="auto">{name}</b>, value: ({ name }) => name },
  {
    id: "status",
    header: t`Status`,
    cell: ({ status }) => <StatusBadge status={status} />,
    value: ({ status }) => status,
  },
  {
    id: "provider",
    header: t`Provider`,
    cell: ({ provider }) => PROVIDERS.find(({ value }) => value === provider)?.label ?? provider,
    value: ({ provider }) => provider,
    isWide: true,
  },
  {
    id: "language",
    header: t`Language`,
    cell: ({ language }) => language ?? t`Detected automatically`,
    value: ({ language }) => language,
    isWide: true,
  },
  {
    id: "createdAt",
    header: t`Created`,
    cell: ({ createdAt }) => <Time at={createdAt} ago />,
    value: ({ createdAt }) => createdAt,
    isWide: true,
  },
];

/** List of the transcription jobs. */
export function TranscriptionJobsPage() {
  const filters = useUrlFilters([]);
  const read = useRead<ListPage<TranscriptionJob>>(JOBS_PATH, { page: filters.page, size: ROWS_A_PAGE });
  const mayWrite = useMay("TRANSCRIPTIONS_WRITE");
  const [isCreating, dialog] = useDisclosure(false);
  const [isDefining, fields] = useDisclosure(false);
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Create a job`, group: t`Transcriptions`, run: dialog.open }] : []);
  const bulk = useJobBulk();
  const create = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={dialog.open}>
      {t`Create job`}
    </Button>
  );
  return (
    <Page title={t`Transcriptions`} lead={t`Recordings that you send in, turned into text.`} actions={create}>
      <Group justify="flex-end" mb="sm">
        {mayWrite && (
          <Button size="xs" variant="default" leftSection={<Icon name="list" size={14} />} onClick={fields.open}>
            {t`Metadata fields`}
          </Button>
        )}
        <ExportButton path={JOBS_PATH} query={{}} columns={COLUMNS} fileName="transcription-jobs.csv" />
      </Group>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Transcription jobs`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={({ id }) => `/transcriptions/${id}`}
        bulkActions={mayWrite ? bulk : []}
        pages={filters}
        empty={
          <EmptyState
            icon="audio"
            title={t`No transcription jobs yet`}
            action={create}
            docs="/docs/guides/transcriptions"
          >
            {t`A job takes recordings by upload or address, files them under metadata, and transcribes them.`}
          </EmptyState>
        }
      />
      <Suspense fallback={null}>
        {isCreating && <JobDialog job={null} close={dialog.close} />}
        {isDefining && <FieldsDialog close={fields.close} />}
      </Suspense>
    </Page>
  );
}

function useJobBulk(): BulkAction<TranscriptionJob>[] {
  const make = useBulkWrites<TranscriptionJob>();
  return [
    make({
      label: t`Close`,
      icon: "stop",
      isDangerous: true,
      method: "POST",
      path: ({ id }) => `${JOBS_PATH}/${id}/close`,
      refreshes: [JOBS_PATH],
      only: ({ status }) => status === "OPEN",
      question: {
        title: (count) => t`Close ${count}?`,
        counted: (count) => plural(count, "{n} job", "{n} jobs"),
        action: t`Close jobs`,
        body: t`They take no new recordings. Those that wait are still transcribed. This cannot be taken back.`,
      },
    }),
  ];
}
