import { Badge, Group, Text } from "@mantine/core";
import { describeUsers, type FlowUser } from "#web/domain/flow/flow-users.ts";
import { t } from "#web/i18n/t.ts";
import { RowMenu } from "#web/ui/row-menu.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { Time } from "#web/ui/time.tsx";
import { type Tool, typeLabel } from "./tool.ts";

interface Actions {
  remove: (tool: Tool) => void;
  copy: (tool: Tool) => void;
}

/** The columns of the list of tools; without actions for people who may only read. */
export function toolColumns(actions: Actions | null, usersOf: (toolId: string) => FlowUser[]): Column<Tool>[] {
  const columns: Column<Tool>[] = [
    { id: "name", header: t`Name`, cell: (tool) => <ToolName tool={tool} />, value: (tool) => tool.name },
    {
      id: "type",
      header: t`Type`,
      cell: (tool) => <span style={{ whiteSpace: "nowrap" }}>{typeLabel(tool.toolType)}</span>,
      value: (tool) => tool.toolType,
      isWide: true,
    },
    {
      id: "description",
      header: t`Description`,
      cell: (tool) => (
        <Text component="span" fz="sm" c="dimmed" lineClamp={1} maw={520}>
          {tool.description}
        </Text>
      ),
      value: (tool) => tool.description,
      isWide: true,
    },
    {
      id: "used",
      header: t`Used by`,
      cell: ({ id }) => describeUsers(usersOf(id)),
      value: ({ id }) => usersOf(id).length,
      isWide: true,
    },
    {
      id: "parameters",
      header: t`Parameters`,
      cell: (tool) => tool.parameters?.length ?? 0,
      value: (tool) => tool.parameters?.length ?? 0,
      align: "right",
      isWide: true,
    },
    {
      id: "updatedAt",
      header: t`Changed`,
      cell: (tool) => (tool.isSystem ? "–" : <Time at={tool.updatedAt} ago />),
      value: (tool) => tool.updatedAt,
      isWide: true,
    },
  ];
  if (!actions) return columns;
  return [...columns, actionColumn(actions)];
}

function actionColumn(actions: Actions): Column<Tool> {
  return {
    id: "actions",
    header: "",
    width: 50,
    align: "right",
    cell: (tool) => (
      <RowMenu
        label={t`Actions for ${tool.name}`}
        actions={
          tool.isSystem
            ? []
            : [
                { label: t`Duplicate`, icon: "copy", run: () => actions.copy(tool) },
                { label: t`Delete`, icon: "trash", isDangerous: true, run: () => actions.remove(tool) },
              ]
        }
      />
    ),
  };
}

function ToolName({ tool }: { tool: Tool }) {
  return (
    <Group gap={6} component="span">
      {/* A name of usual length stays in one line; the description gives way. */}
      <Text component="span" fz="sm" fw={550} ff="monospace" miw="min(20ch, 50vw)" style={{ overflowWrap: "anywhere" }}>
        {tool.name}
      </Text>
      {tool.isAsync && (
        <Badge size="xs" variant="light" color="grape">
          {t`async`}
        </Badge>
      )}
      {tool.mockConfig?.enabled === true && (
        <Badge size="xs" variant="light" color="orange">
          {t`mocked`}
        </Badge>
      )}
    </Group>
  );
}
