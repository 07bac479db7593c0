import { ActionIcon, Group, Paper, Stack, Text } from "@mantine/core";
import "#web/domain/job/jobs.css";
import type { Page as ListPage } from "@parley/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { keyOf, useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useOpened } from "#web/ui/filters/use-opened.ts";
import { useUrlPage } from "#web/ui/filters/use-url-page.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";
import { type Artifact, type Automation, contentOf, formatBytes } from "./automation.ts";

const ArtifactDialog = lazy(async () => ({ default: (await import("./artifact-dialog.tsx")).ArtifactDialog }));
const FILES_A_PAGE = 25;
const LABELS = { TEXT: t`Text`, JSON: "JSON", FILE: t`File`, HTML: t`Page`, TABLE: t`Table (CSV)` };

/** The files of an automation, newest first; each can be viewed or saved. */
export function ArtifactList(props: { automation: Automation; runsEnded: number; isUnderWay: boolean }) {
  const { automation, runsEnded, isUnderWay } = props;
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const [page, setPage] = useUrlPage("files");
  const opened = useOpened("file");
  const path = `/automations/${automation.id}/artifacts`;
  const read = useRead<ListPage<Artifact>>(path, { page, size: FILES_A_PAGE });
  useEffect(() => {
    void client.invalidateQueries({ queryKey: keyOf(workspaceId, path) });
  }, [client, workspaceId, path, runsEnded]);
  const columns = columnsOf(workspaceId);
  if (read.error) return <ReadFault read={read} />;
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <Group justify="flex-end" p="xs">
        <ExportButton path={path} query={{}} columns={columns} fileName="files.csv" />
      </Group>
      <DataTable
        label={t`Files`}
        rows={read.data?.content}
        columns={columns}
        href={({ id }) => `/automations/${automation.id}${opened.searchFor(id)}`}
        pager={{ page, size: FILES_A_PAGE, totals: read.data, setPage }}
        empty={
          <EmptyState icon="report" title={isUnderWay ? t`The first files are being made` : t`No files yet`}>
            {automation.kind === "EXPORT" ? t`Press Run now to make one.` : t`They appear with each run.`}
          </EmptyState>
        }
      />
      <Suspense fallback={null}>
        {opened.id !== null && <ArtifactDialog artifactId={opened.id} close={opened.close} />}
      </Suspense>
    </Paper>
  );
}

function columnsOf(workspaceId: string): Column<Artifact>[] {
  return [
    { id: "title", header: t`File`, cell: (file) => <Title file={file} />, value: ({ title }) => title },
    { id: "type", header: t`Kind`, cell: ({ type }) => LABELS[type], value: ({ type }) => type, isWide: true },
    {
      id: "sizeBytes",
      header: t`Size`,
      cell: ({ sizeBytes }) => formatBytes(sizeBytes),
      value: ({ sizeBytes }) => sizeBytes,
      align: "right",
      isWide: true,
    },
    {
      id: "createdAt",
      header: t`Made`,
      cell: ({ createdAt }) => <Time at={createdAt} />,
      value: ({ createdAt }) => createdAt,
    },
    {
      id: "save",
      header: "",
      cell: ({ id, name }) => (
        <ActionIcon
          component="a"
          href={contentOf(workspaceId, id)}
          download={name}
          variant="subtle"
          color="gray"
          aria-label={t`Save ${name}`}
        >
          <Icon name="download" />
        </ActionIcon>
      ),
      align: "right",
    },
  ];
}

function Title({ file: { title, name } }: { file: Artifact }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Icon name="report" />
      <Stack gap={0} miw={0}>
        <Text component={Words} fz="sm" fw={550} className="breaks" lineClamp={2}>
          {title}
        </Text>
        <Text component={Words} fz="xs" c="dimmed" className="breaks wide-only">
          {name}
        </Text>
      </Stack>
    </Group>
  );
}
