import { Badge, Group, Text } from "@mantine/core";
import type { Flow, FlowChange } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { formatNumber } from "#web/ui/format/format.ts";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";
import { Words } from "#web/ui/words.tsx";

/** A flow with its last change; undefined until that is read. */
export type ListedFlow = Flow & { change: FlowChange | undefined };

/** The columns of the list of flows. */
export function flowColumns(defaultFlowId: string | null): Column<ListedFlow>[] {
  return [
    {
      id: "name",
      header: t`Name`,
      cell: (flow) => <FlowName flow={flow} isDefault={flow.id === defaultFlowId} />,
      value: (flow) => flow.name,
    },
    {
      id: "apiId",
      header: t`API id`,
      cell: ({ apiId }) => (
        <Text component="span" ff="monospace" fz="xs" c="dimmed">
          {apiId}
        </Text>
      ),
      value: ({ apiId }) => apiId,
      isWide: true,
    },
    { id: "version", header: t`Version`, cell: ({ version }) => `v${version}`, value: ({ version }) => version },
    {
      id: "language",
      header: t`Language`,
      cell: ({ language }) => language ?? "—",
      value: ({ language }) => language,
      isWide: true,
    },
    countColumn("tools", t`Tools`, ({ toolIds }) => toolIds?.length ?? 0),
    countColumn(
      "outputs",
      t`Outputs`,
      ({ structuredOutputIds, structuredOutputs }) =>
        (structuredOutputIds?.length ?? 0) + (structuredOutputs?.length ?? 0),
    ),
    {
      id: "updatedAt",
      header: t`Published`,
      cell: ({ updatedAt }) => <Time at={updatedAt} ago />,
      value: ({ updatedAt }) => updatedAt,
      isWide: true,
    },
    {
      id: "changedAt",
      header: t`Last change`,
      cell: ({ change }) => <Time at={change?.changedAt ?? null} ago />,
      value: ({ change }) => change?.changedAt ?? null,
    },
    {
      id: "changedBy",
      header: t`By`,
      cell: ({ change }) => <Words className="cell-text">{change?.changedBy ?? "–"}</Words>,
      value: ({ change }) => change?.changedBy ?? null,
      isWide: true,
    },
  ];
}

function FlowName({ flow, isDefault }: { flow: ListedFlow; isDefault: boolean }) {
  return (
    <Group gap={6}>
      <Words className="cell-text">{flow.name}</Words>
      {flow.change?.differs && (
        <Badge size="sm" radius="sm" variant="light" color="orange" tt="none" miw="max-content">
          {t`Draft`}
        </Badge>
      )}
      {isDefault && (
        <Badge size="sm" radius="sm" variant="light" tt="none" miw="max-content">
          {t`Default`}
        </Badge>
      )}
    </Group>
  );
}

function countColumn(id: string, header: string, value: (flow: Flow) => number): Column<ListedFlow> {
  return { id, header, cell: (flow) => formatNumber(value(flow)), value, align: "right", isWide: true };
}
