import { Group, Text, UnstyledButton } from "@mantine/core";
import { describeFacts } from "#web/domain/stage/stage-node.tsx";
import { describeEdge } from "#web/domain/stage/stage-words.ts";
import { nameOfId, nameOfStage, type Stage, STAGE_TYPES, startOf } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { RowMenu } from "#web/ui/row-menu.tsx";
import { Words } from "#web/ui/words.tsx";
import type { FlowParts } from "./use-flow-parts.ts";
import type { StageEditor } from "./use-stage-editor.ts";

interface OutlineProps {
  editor: StageEditor;
  parts: FlowParts;
  isReadOnly: boolean;
}

/** Returns the id of the element of a stage in the outline, where the focus goes when its form is closed. */
export function outlineId(stageId: string): string {
  return `outline-${stageId}`;
}

/** All stages with their edges as a list, for the keyboard, screen readers and small screens. */
export function StageOutline({ editor, parts, isReadOnly }: OutlineProps) {
  const start = startOf(editor.stages);
  return (
    <ol className="stage-outline" aria-label={t`Outline of the stages`}>
      {editor.stages.map((stage) => (
        <OutlineStage key={stage.id} isStart={stage === start} {...{ stage, editor, parts, isReadOnly }} />
      ))}
    </ol>
  );
}

function OutlineStage({
  stage,
  isStart,
  editor,
  parts,
  isReadOnly,
}: OutlineProps & { stage: Stage; isStart: boolean }) {
  const { chosen, choose, warnings } = editor;
  const isChosen = chosen?.stageId === stage.id;
  const name = nameOfStage(stage);
  return (
    <li>
      <Group gap={8} wrap="nowrap" justify="space-between" className="outline-row">
        <UnstyledButton
          id={outlineId(stage.id)}
          className="outline-stage"
          {...(isChosen && chosen.edgeId === null ? { "aria-current": true as const } : {})}
          onClick={() => choose({ stageId: stage.id, edgeId: null })}
        >
          <Icon name={STAGE_TYPES[stage.type].icon} size={15} />
          <Words className="outline-name">{name}</Words>
          <Text span fz="xs" c="dimmed">
            {describeFacts(stage, isStart).join(" · ")}
          </Text>
        </UnstyledButton>
        {!isReadOnly && <StageMenu {...{ stage, editor, name, isStart }} />}
      </Group>
      {(warnings.get(stage.id) ?? []).map((message) => (
        <Text key={message} fz="xs" className="outline-warning">
          <Icon name="alert" size={13} /> {message}
        </Text>
      ))}
      {stage.edges.length > 0 && (
        <ul className="outline-edges" aria-label={t`Edges of ${name}`}>
          {stage.edges.map((edge) => (
            <li key={edge.id}>
              <UnstyledButton
                className="outline-edge"
                {...(isChosen && chosen.edgeId === edge.id ? { "aria-current": true as const } : {})}
                onClick={() => choose({ stageId: stage.id, edgeId: edge.id })}
              >
                → <Words>{nameOfId(editor.stages, edge.to)}</Words>
                <Text span fz="xs" c="dimmed">
                  {" "}
                  {describeEdge(edge, parts.nameOf)}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function StageMenu(props: { stage: Stage; editor: StageEditor; name: string; isStart: boolean }) {
  const { stage, editor, name, isStart } = props;
  const { edit } = editor;
  return (
    <RowMenu
      label={t`Actions for ${name}`}
      actions={[
        { label: t`Add a stage after it`, icon: "plus", run: () => edit({ type: "ADD", after: stage.id, at: null }) },
        { label: t`Duplicate`, icon: "copy", run: () => edit({ type: "DUPLICATE", id: stage.id }) },
        ...(isStart
          ? []
          : [{ label: t`Begin here`, icon: "play" as const, run: () => edit({ type: "START", id: stage.id }) }]),
        {
          label: t`Delete`,
          icon: "trash",
          isDangerous: true,
          run: () => edit({ type: "REMOVE", ids: [stage.id] }),
        },
      ]}
    />
  );
}
