import { ActionIcon } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useMay } from "#web/api/workspace.tsx";
import { nameOfStage } from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { PlainFieldset } from "#web/ui/form/plain-fieldset.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { EdgePanel } from "./edge-panel.tsx";
import { StageFields } from "./stage-fields.tsx";
import { outlineId } from "./stage-outline.tsx";
import type { FlowParts } from "./use-flow-parts.ts";
import type { StageEditor } from "./use-stage-editor.ts";

/** Editor of the chosen stage or edge. */
export function StagePanel({ editor, parts }: { editor: StageEditor; parts: FlowParts }) {
  const mayWrite = useMay("FLOWS_WRITE");
  const { chosen, stages } = editor;
  const stage = stages.find(({ id }) => id === chosen?.stageId);
  if (chosen === null || !stage) return null;
  const edge = stage.edges.find(({ id }) => id === chosen.edgeId);
  const title = edge ? t`Edge of ${nameOfStage(stage)}` : nameOfStage(stage);
  const close = () => {
    editor.choose(null);
    document.getElementById(outlineId(stage.id))?.focus();
  };
  return (
    <Card
      title={title}
      actions={
        <ActionIcon variant="subtle" color="gray" aria-label={t`Close ${title}`} onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      }
    >
      <PanelFocus key={`${stage.id} ${edge?.id ?? ""}`} />
      <PlainFieldset isReadOnly={!mayWrite}>
        {edge ? (
          <EdgePanel {...{ editor, stage, edge, parts }} />
        ) : (
          <StageFields key={stage.id} {...{ editor, stage, parts }} />
        )}
      </PlainFieldset>
    </Card>
  );
}

/** Takes the focus when a stage was chosen in the outline, from where the keyboard would be far away. */
function PanelFocus() {
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (document.activeElement?.closest(".stage-outline, .stage-bar, .stage-panel") == null) return;
    box.current?.focus({ preventScroll: false });
  }, []);
  return <span ref={box} tabIndex={-1} className="stage-panel-top" />;
}
