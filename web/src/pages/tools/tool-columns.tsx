import { Badge, Group, Text } from "@mantine/core";
import type { Column } from "#web/table/columns.ts";
import { RowMenu } from "#web/ui/row-menu.tsx";
import { Time } from "#web/ui/time.tsx";
import { type Tool, typeLabel } from "./tool.ts";

interface Actions {
  remove: (tool: Tool) => void;
  copy: (tool: Tool) => void;
}

/** The columns of the list of tools; without actions for those who may only read. */
export function toolColumns(actions: Actions | null): Column<Tool>[] {
  const columns: Column<Tool>[] = [
    { id: "name", header: "Name", cell: (tool) => <ToolName tool={tool} />, value: (tool) => tool.name },
    { id: "type", header: "Type", cell: (tool) => typeLabel(tool.toolType), value: (tool) => tool.toolType },
    {
      id: "description",
      header: "Description",
      cell: (tool) => (
        <Text component="span" fz="sm" c="dimmed" lineClamp={1} maw={520}>
          {tool.description}
        </Text>
      ),
      value: (tool) => tool.description,
      isWide: true,
    },
    {
      id: "parameters",
      header: "Parameters",
      cell: (tool) => tool.parameters?.length ?? 0,
      value: (tool) => tool.parameters?.length ?? 0,
      align: "right",
      isWide: true,
    },
    {
      id: "updatedAt",
      header: "Changed",
      cell: (tool) => (tool.isSystem ? "–" : <Time at={tool.updatedAt} ago />),
      value: (tool) => tool.updatedAt,
      isWide: true,
    },
  ];
  if (!actions) return columns;
  return [
    ...columns,
    {
      id: "actions",
      header: "",
      width: 50,
      align: "right",
      cell: (tool) => (
        <RowMenu
          label={`Actions for ${tool.name}`}
          actions={
            tool.isSystem
              ? []
              : [
                  { label: "Duplicate", icon: "copy", run: () => actions.copy(tool) },
                  { label: "Delete", icon: "trash", isDangerous: true, run: () => actions.remove(tool) },
                ]
          }
        />
      ),
    },
  ];
}

function ToolName({ tool }: { tool: Tool }) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Text component="span" fz="sm" fw={550} ff="monospace" style={{ overflowWrap: "anywhere" }}>
        {tool.name}
      </Text>
      {tool.isAsync && (
        <Badge size="xs" variant="light" color="grape">
          async
        </Badge>
      )}
      {tool.mockConfig?.enabled === true && (
        <Badge size="xs" variant="light" color="orange">
          mocked
        </Badge>
      )}
    </Group>
  );
}
