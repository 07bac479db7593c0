import { ActionIcon, Button, Group, Stack, Text, Tooltip } from "@mantine/core";
import "./stage-tab.css";
import { useMediaQuery } from "@mantine/hooks";
import { type ClipboardEvent, type KeyboardEvent, lazy, Suspense, useMemo } from "react";
import { showDone, showFault } from "#web/api/undo.tsx";
import type { MapEdits } from "#web/domain/stage/stage-canvas.tsx";
import { type StageRun, toRunMarks } from "#web/domain/stage/stage-run.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { LoadingBars } from "#web/ui/load-state.tsx";
import { BREAKPOINTS } from "#web/ui/theme/breakpoints.ts";
import { readClipboard, toClipboard } from "./stage-clipboard.ts";
import { StageOutline } from "./stage-outline.tsx";
import type { FlowParts } from "./use-flow-parts.ts";
import type { StageEditor } from "./use-stage-editor.ts";

const StageCanvas = lazy(async () => ({
  default: (await import("#web/domain/stage/stage-canvas.tsx")).StageCanvas,
}));

interface StageTabProps {
  editor: StageEditor;
  parts: FlowParts;
  isReadOnly: boolean;
  /** Test that is marked on the map; null: none. */
  run: StageRun | null;
}

/** The stages of a flow: a map on wide screens, and an outline that does everything without it. */
export function StageTab({ editor, parts, isReadOnly, run }: StageTabProps) {
  const isWide = useMediaQuery(`(min-width: ${BREAKPOINTS.sm}em)`, true) ?? true;
  const { stages, places, warnings, chosen, choose } = editor;
  const marks = useMemo(() => (run === null ? undefined : toRunMarks(run)), [run]);
  const isEmpty = stages.length === 0;
  return (
    <div {...useStageKeys(editor, isReadOnly)}>
      <Stack gap="lg">
        <Card title={t`Stages`} padded={false} actions={isReadOnly ? null : <StageBar editor={editor} />}>
          {isEmpty ? (
            <NoStages />
          ) : (
            isWide && (
              <Suspense fallback={<LoadingBars />}>
                <StageCanvas
                  label={t`Map of the stages`}
                  {...{ stages, places, warnings, chosen, choose, marks }}
                  nameOf={parts.nameOf}
                  edits={isReadOnly ? undefined : toEdits(editor)}
                />
              </Suspense>
            )
          )}
          {!isEmpty && !isWide && <StageOutline {...{ editor, parts, isReadOnly }} />}
        </Card>
        {!isEmpty && isWide && (
          <Card title={t`Outline`} padded={false}>
            <StageOutline {...{ editor, parts, isReadOnly }} />
          </Card>
        )}
      </Stack>
    </div>
  );
}

function NoStages() {
  return (
    <Text fz="sm" c="dimmed" p="md">
      {t`This flow is one prompt. With stages, the dialogue goes from stage to stage, each with its own prompt, fields and tools, along edges whose conditions the service decides.`}
    </Text>
  );
}

function StageBar({ editor }: { editor: StageEditor }) {
  const { stages, chosen, edit, undo, redo } = editor;
  return (
    <Group gap={4} className="stage-bar">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => edit({ type: "ADD", after: chosen?.stageId ?? null, at: null })}
      >
        {t`Add a stage`}
      </Button>
      <BarButton label={t`Undo`} icon="undo" run={undo} />
      <BarButton label={t`Redo`} icon="redo" run={redo} />
      <BarButton label={t`Lay out anew`} icon="refresh" run={stages.length > 0 ? () => edit({ type: "TIDY" }) : null} />
      <BarButton
        label={chosen === null ? t`Copy all stages` : t`Copy the stage`}
        icon="copy"
        run={stages.length > 0 ? () => void copy(editor).catch(showFault) : null}
      />
      <BarButton label={t`Paste stages`} icon="note" run={() => void pasteFromButton(editor).catch(showFault)} />
    </Group>
  );
}

function BarButton({ label, icon, run }: { label: string; icon: IconName; run: (() => void) | null }) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        {...(run === null ? { "data-disabled": true, "aria-disabled": true } : { onClick: run })}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}

function toEdits({ edit }: StageEditor): MapEdits {
  return {
    move: (moved) => edit({ type: "MOVE", places: moved }, t`move ${[...moved.keys()].join(" ")}`),
    connect: (from, to) => edit({ type: "CONNECT", from, to }),
    remove: ({ stageId, edgeId }) =>
      edit(edgeId === null ? { type: "REMOVE", ids: [stageId] } : { type: "REMOVE_EDGE", from: stageId, id: edgeId }),
  };
}

/** Handlers for Ctrl+Z, Ctrl+Shift+Z, copy, paste and Escape outside text fields. */
function useStageKeys(editor: StageEditor, isReadOnly: boolean) {
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) editor.choose(null);
      if (isReadOnly || isText(event.target) || !(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      const run = key === "y" || (key === "z" && event.shiftKey) ? editor.redo : key === "z" ? editor.undo : null;
      if (run === null) return;
      event.preventDefault();
      run();
    },
    onCopy: (event: ClipboardEvent) => {
      if (isText(event.target) || !document.getSelection()?.isCollapsed || editor.stages.length === 0) return;
      event.clipboardData.setData("text/plain", toClipboard(toCopy(editor)));
      event.preventDefault();
    },
    onPaste: (event: ClipboardEvent) => {
      if (isReadOnly || isText(event.target)) return;
      event.preventDefault();
      paste(editor, event.clipboardData.getData("text/plain"));
    },
  };
}

function isText(target: EventTarget): boolean {
  return target instanceof Element && target.closest("input, textarea, [contenteditable=true]") !== null;
}

function toCopy({ stages, chosen }: StageEditor) {
  return chosen === null ? stages : stages.filter(({ id }) => id === chosen.stageId);
}

async function copy(editor: StageEditor): Promise<void> {
  await clipboard().writeText(toClipboard(toCopy(editor)));
  showDone(t`Copied. Paste it here or into another flow.`);
}

async function pasteFromButton(editor: StageEditor): Promise<void> {
  paste(editor, await clipboard().readText());
}

function paste(editor: StageEditor, text: string): void {
  const pasted = readClipboard(text, editor.stages);
  if (pasted === null) showFault(new Error(t`The clipboard holds no stages, or more than the flow has room for.`));
  else editor.edit({ type: "INSERT", stages: pasted });
}

/** Returns the clipboard, which browsers give only to pages from HTTPS or this machine. */
function clipboard(): Clipboard {
  const { clipboard: found } = navigator as { clipboard?: Clipboard };
  if (!found) throw new Error(t`The browser keeps the clipboard from this page. Use Ctrl+C and Ctrl+V on the map.`);
  return found;
}
