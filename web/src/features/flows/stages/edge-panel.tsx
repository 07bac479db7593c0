import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { nameOfStage, type Stage, type StageEdge } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import type { FlowParts } from "./use-flow-parts.ts";
import type { StageEditor } from "./use-stage-editor.ts";

/** Fields of one edge. */
export function EdgePanel(props: { editor: StageEditor; stage: Stage; edge: StageEdge; parts: FlowParts }) {
  const { editor, stage, edge, parts } = props;
  const { stages, edit } = editor;
  const at = stage.edges.findIndex(({ id }) => id === edge.id);
  const change = (to: Partial<Omit<StageEdge, "id">>, tag?: string) =>
    edit({ type: "CHANGE_EDGE", from: stage.id, id: edge.id, to }, tag && `${tag} ${stage.id}.${edge.id}`);
  const shift = (by: -1 | 1) => edit({ type: "SHIFT_EDGE", from: stage.id, id: edge.id, by });
  return (
    <Stack gap="sm">
      <Button
        size="compact-sm"
        variant="subtle"
        w="fit-content"
        leftSection={<Icon name="left" size={14} />}
        onClick={() => editor.choose({ stageId: stage.id, edgeId: null })}
      >
        {t`Back to ${nameOfStage(stage)}`}
      </Button>
      <Select
        label={t`Leads to`}
        data={stages.map((one) => ({ value: one.id, label: nameOfStage(one) }))}
        searchable
        allowDeselect={false}
        value={edge.to}
        onChange={(to) => to !== null && change({ to })}
      />
      <TextInput
        label={t`Label`}
        description={t`Shown on the map, on the page of a call and in reports.`}
        maxLength={200}
        value={edge.label ?? ""}
        onChange={(event) => change({ label: event.currentTarget.value || null }, "label")}
      />
      <ConditionFields when={edge.when} change={(when) => change({ when }, "when")} parts={parts} />
      <Group gap={6}>
        <Button size="compact-sm" variant="default" disabled={at <= 0} onClick={() => shift(-1)}>
          {t`Try earlier`}
        </Button>
        <Button size="compact-sm" variant="default" disabled={at >= stage.edges.length - 1} onClick={() => shift(1)}>
          {t`Try later`}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          c="red"
          onClick={() => {
            edit({ type: "REMOVE_EDGE", from: stage.id, id: edge.id });
            editor.choose({ stageId: stage.id, edgeId: null });
          }}
        >
          {t`Delete this edge`}
        </Button>
      </Group>
    </Stack>
  );
}
