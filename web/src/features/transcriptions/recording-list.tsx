import { Group, Text, Tooltip } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, Suspense } from "react";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { useOpened } from "#web/ui/filters/use-opened.ts";
import { formatDuration, formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { NoMatch } from "#web/ui/no-match.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { ListPanel } from "#web/ui/table/list-panel.tsx";
import { Time } from "#web/ui/time.tsx";
import { type RecordingSummary, recordingsPath } from "./transcription.ts";

const RecordingDrawer = lazy(async () => ({ default: (await import("./recording-drawer.tsx")).RecordingDrawer }));

const ROWS_A_PAGE = 50;
const REFRESH_MS = 2_000;
const UNDER_WAY = ["QUEUED", "PROCESSING"];
const STATUSES = ["QUEUED", "PROCESSING", "COMPLETED", "FAILED"];
const FILTERS = [
  {
    name: "status",
    label: t`Status`,
    kind: "many" as const,
    options: STATUSES.map((value) => ({ value, label: formatName(value) })),
  },
  { name: "externalId", label: t`External id`, kind: "text" as const },
];

const COLUMNS: Column<RecordingSummary>[] = [
  {
    id: "fileName",
    header: t`Recording`,
    cell: (row) => <RecordingName row={row} />,
    value: ({ fileName }) => fileName,
  },
  {
    id: "status",
    header: t`Status`,
    cell: ({ status }) => <StatusBadge status={status} />,
    value: ({ status }) => status,
  },
  {
    id: "duration",
    header: t`Length`,
    cell: ({ durationSeconds }) => formatDuration(durationSeconds),
    value: ({ durationSeconds }) => durationSeconds,
    align: "right",
    isWide: true,
  },
  {
    id: "externalId",
    header: t`External id`,
    cell: ({ externalId }) => externalId ?? "–",
    value: ({ externalId }) => externalId,
    isWide: true,
  },
  {
    id: "createdAt",
    header: t`Sent`,
    cell: ({ createdAt }) => <Time at={createdAt} ago />,
    value: ({ createdAt }) => createdAt,
    isWide: true,
  },
];

/** The recordings of a job; while some wait, the list is refreshed. */
export function RecordingList({ jobId }: { jobId: string }) {
  const path = recordingsPath(jobId);
  const filters = useUrlFilters(FILTERS.map(({ name }) => name));
  const query = { status: filters.values.status ?? [], externalId: filters.values.externalId?.[0] };
  const read = useRead<ListPage<RecordingSummary>>(
    path,
    { ...query, page: filters.page, size: ROWS_A_PAGE },
    { refreshMs: (data) => (data?.content.some(({ status }) => UNDER_WAY.includes(status)) ? REFRESH_MS : false) },
  );
  const opened = useOpened("recording");
  return (
    <>
      <FilterBar screen="recordings" filters={FILTERS} {...filters}>
        <ExportButton path={path} query={query} columns={COLUMNS} fileName="recordings.csv" />
      </FilterBar>
      <ListPanel
        read={read}
        size={ROWS_A_PAGE}
        label={t`Recordings`}
        rows={read.data?.content}
        columns={COLUMNS}
        href={({ id }) => `/transcriptions/${jobId}${opened.searchFor(id)}`}
        pages={filters}
        empty={
          Object.keys(filters.values).length > 0 ? (
            <NoMatch title={t`No recording fits these filters`} clear={() => filters.setAll({})} />
          ) : (
            <EmptyState icon="audio" title={t`No recordings yet`}>
              {t`Drop audio files here, or send them over the API.`}
            </EmptyState>
          )
        }
      />
      <Suspense fallback={null}>
        {opened.id !== null && (
          <RecordingDrawer key={opened.id} path={path} recordingId={opened.id} close={opened.close} />
        )}
      </Suspense>
    </>
  );
}

function RecordingName({ row: { fileName, url, unknownMetadataKeys, warning } }: { row: RecordingSummary }) {
  const note = warning ?? (unknownMetadataKeys.length > 0 ? t`Unknown keys: ${unknownMetadataKeys.join(", ")}` : null);
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Text component="span" fz="sm" fw={550} dir="auto" style={{ overflowWrap: "anywhere" }}>
        {fileName ?? url ?? t`Unnamed`}
      </Text>
      {note && (
        <Tooltip label={note} multiline maw={320}>
          <Text component="span" c="orange" lh={0} role="img" aria-label={note}>
            <Icon name="alert" size={14} />
          </Text>
        </Tooltip>
      )}
    </Group>
  );
}
