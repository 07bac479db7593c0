import { Button, Group, Stack, Text } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, Suspense, useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showUndo, notifyResult } from "#web/api/undo.tsx";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { formatBytes, formatNumber } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { type RowAction, RowMenu } from "#web/ui/row-menu.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { ExportButton } from "#web/ui/table/export-button.tsx";
import { useBulkDelete, useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";
import { itemsPath, type KnowledgeItem } from "./agent.ts";

const ItemDrawer = lazy(async () => ({ default: (await import("./item-drawer.tsx")).ItemDrawer }));

const ROWS_A_PAGE = 50;
const REFRESH_MS = 2_000;
const UNDER_WAY = ["PENDING", "INDEXING"];

/** The sources of an agent's knowledge; while a source is being read, the list is refreshed. */
export function ItemList({ agentId, mayWrite }: { agentId: string; mayWrite: boolean }) {
  const path = itemsPath(agentId);
  const { page, setPage } = useUrlFilters([]);
  const read = useRead<ListPage<KnowledgeItem>>(
    path,
    { page, size: ROWS_A_PAGE },
    { refreshMs: (data) => (data?.content.some(({ status }) => UNDER_WAY.includes(status)) ? REFRESH_MS : false) },
  );
  const [edited, setEdited] = useState<KnowledgeItem | "new" | null>(null);
  const actionsOf = useItemActions(agentId, setEdited);
  useShortcutKeys(
    mayWrite ? [{ keys: "n", label: t`Add knowledge`, group: t`Knowledge`, run: () => setEdited("new") }] : [],
  );
  const columns = itemColumns(mayWrite ? actionsOf : () => []);
  const bulk = useItemBulk(path);
  const add = mayWrite && (
    <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setEdited("new")}>
      {t`Add knowledge`}
    </Button>
  );
  return (
    <Card
      title={t`Knowledge base`}
      padded={false}
      actions={
        <Group gap="xs">
          <ExportButton path={path} query={{}} columns={columns} fileName="knowledge.csv" />
          {add}
        </Group>
      }
    >
      <ReadFault read={read} />
      <DataTable
        label={t`Knowledge`}
        rows={read.data?.content}
        columns={columns}
        bulkActions={mayWrite ? bulk : []}
        {...(mayWrite ? { onOpen: setEdited } : {})}
        pager={{ page, size: ROWS_A_PAGE, totals: read.data, setPage }}
        empty={
          <EmptyState icon="book" title={t`It knows nothing yet`}>
            {t`Add a document, a text or the address of a web page. It is cut into passages that a search finds.`}
          </EmptyState>
        }
      />
      <Suspense fallback={null}>
        {edited !== null && (
          <ItemDrawer agentId={agentId} item={edited === "new" ? null : edited} close={() => setEdited(null)} />
        )}
      </Suspense>
    </Card>
  );
}

function itemColumns(actionsOf: (item: KnowledgeItem) => RowAction[]): Column<KnowledgeItem>[] {
  return [
    { id: "title", header: t`Title`, cell: (item) => <ItemTitle item={item} />, value: ({ title }) => title },
    {
      id: "status",
      header: t`Status`,
      cell: ({ status }) => <StatusBadge status={status} />,
      value: ({ status }) => status,
    },
    {
      id: "chunks",
      header: t`Passages`,
      cell: ({ chunkCount }) => formatNumber(chunkCount),
      value: ({ chunkCount }) => chunkCount,
      align: "right",
      isWide: true,
    },
    {
      id: "size",
      header: t`Size`,
      cell: ({ sizeBytes }) => formatBytes(sizeBytes),
      value: ({ sizeBytes }) => sizeBytes,
      align: "right",
      isWide: true,
    },
    {
      id: "actions",
      header: "",
      width: 50,
      align: "right",
      cell: (item) => <RowMenu label={t`Actions for ${item.title}`} actions={actionsOf(item)} />,
    },
  ];
}

function ItemTitle({ item: { title, type, url, statusMessage, status } }: { item: KnowledgeItem }) {
  const below = status === "FAILED" ? statusMessage : (url ?? { TEXT: t`Text`, FILE: t`Document`, URL: t`Page` }[type]);
  return (
    <Stack gap={0} py={6}>
      <Text component="span" fz="sm" fw={550} dir="auto" style={{ overflowWrap: "anywhere" }}>
        {title}
      </Text>
      <Text
        component="span"
        fz="xs"
        lineClamp={2}
        c={status === "FAILED" ? "red" : "dimmed"}
        style={{ overflowWrap: "anywhere" }}
      >
        {below}
      </Text>
    </Stack>
  );
}

function useItemBulk(path: string): BulkAction<KnowledgeItem>[] {
  const make = useBulkWrites<KnowledgeItem>();
  return [
    make({
      label: t`Read again`,
      icon: "refresh",
      method: "POST",
      path: ({ id }) => `${path}/${id}/reindex`,
      refreshes: [path],
      only: ({ enabled }) => enabled,
    }),
    useBulkDelete<KnowledgeItem>({
      list: path,
      counted: (count) => plural(count, "{n} item", "{n} items"),
      body: t`Searches no longer find them. This cannot be taken back.`,
    }),
  ];
}

function useItemActions(agentId: string, edit: (item: KnowledgeItem) => void): (item: KnowledgeItem) => RowAction[] {
  const path = itemsPath(agentId);
  const remove = useUndoableRemoval<KnowledgeItem>({
    list: path,
    message: ({ title }) => t`${title} is deleted.`,
    failed: ({ title }) => t`${title} was not deleted`,
  });
  const reindex = useWrite<void, string>({
    failed: t`It was not read again`,
    method: "POST",
    path: (id) => `${path}/${id}/reindex`,
    body: () => undefined,
    refreshes: [path],
  });
  const enable = useWrite<void, KnowledgeItem>({
    failed: ({ title, enabled }) => t`${title} was not turned ${enabled ? t`off` : t`on`}`,
    method: "PUT",
    path: ({ id }) => `${path}/${id}`,
    body: ({ enabled }) => ({ enabled: !enabled }),
    refreshes: [path],
  });
  return (item) => [
    { label: t`Edit`, icon: "edit", run: () => edit(item) },
    ...(item.enabled
      ? [
          {
            label: t`Read again`,
            icon: "refresh" as const,
            run: () => notifyResult(reindex.mutateAsync(item.id), t`It is read again.`),
          },
        ]
      : []),
    {
      label: item.enabled ? t`Hide from searches` : t`Show in searches`,
      icon: item.enabled ? "pause" : "play",
      run: () => {
        const done = item.enabled ? t`Searches no longer find it.` : t`It is read again.`;
        const undo = () => enable.mutateAsync({ ...item, enabled: !item.enabled });
        notifyResult(enable.mutateAsync(item), () => showUndo(done, undo));
      },
    },
    { label: t`Delete`, icon: "trash", isDangerous: true, run: () => remove(item) },
  ];
}
