import { Select, Stack, Text, UnstyledButton } from "@mantine/core";
import { describeEdge } from "#web/domain/stage/stage-words.ts";
import { MOST, nameOfId, nameOfStage, type Stage } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { Words } from "#web/ui/words.tsx";
import type { FlowParts } from "./use-flow-parts.ts";
import type { StageEditor } from "./use-stage-editor.ts";

/** The edges of a stage in the order in which they are tried, and a field that adds one. */
export function EdgeList({ editor, stage, parts }: { editor: StageEditor; stage: Stage; parts: FlowParts }) {
  return (
    <Stack gap={6} role="group" aria-label={t`Edges`}>
      <Text fz="sm" fw={600}>
        {t`Edges`}
      </Text>
      {stage.edges.map((edge, index) => (
        <UnstyledButton
          key={edge.id}
          className="stage-edge"
          onClick={() => editor.choose({ stageId: stage.id, edgeId: edge.id })}
        >
          {index + 1}. → <Words>{nameOfId(editor.stages, edge.to)}</Words>
          <Text span fz="xs" c="dimmed" display="block">
            {describeEdge(edge, parts.nameOf)}
          </Text>
        </UnstyledButton>
      ))}
      {stage.edges.length < MOST.edges && (
        <Select
          aria-label={t`Add an edge to`}
          placeholder={t`Add an edge to …`}
          data={editor.stages.map((one) => ({ value: one.id, label: nameOfStage(one) }))}
          searchable
          value={null}
          onChange={(to) => to !== null && editor.edit({ type: "CONNECT", from: stage.id, to })}
        />
      )}
    </Stack>
  );
}
