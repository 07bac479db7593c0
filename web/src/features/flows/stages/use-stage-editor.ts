import { useMemo, useState } from "react";
import type { StageChoice } from "#web/domain/stage/stage-canvas.tsx";
import { layOut } from "#web/domain/stage/stage-layout.ts";
import { findStageWarnings } from "#web/domain/stage/stage-warnings.ts";
import type { Place, Stage } from "#web/domain/stage/stage.ts";
import type { FlowFormType } from "#web/features/flows/sections/flow-values.ts";
import { type EditHistory, followHistory, recordEdit, redoEdit, startHistory, undoEdit } from "./edit-history.ts";
import { editStages, findMade, type StageEdit } from "./stage-edits.ts";

/** The stages of a form with what is chosen, and their changes with steps back and forth. */
export interface StageEditor {
  stages: Stage[];
  places: Map<string, Place>;
  /** Warnings, and the faults of the last save, by the id of the stage. */
  warnings: Map<string, string[]>;
  /** Null when nothing is chosen, or what was chosen is gone. */
  chosen: StageChoice | null;
  choose: (choice: StageChoice | null) => void;
  /** Changes the stages and chooses what the change made. Changes in a row with the same tag are one step. */
  edit: (edit: StageEdit, tag?: string) => void;
  /** Null when there is no step back. */
  undo: (() => void) | null;
  /** Null when no step was undone. */
  redo: (() => void) | null;
}

/** Returns the editor of the stages of a flow's form. */
export function useStageEditor(form: FlowFormType): StageEditor {
  const { stages } = form.getValues();
  const [kept, keep] = useState<EditHistory<Stage[]>>(() => startHistory(stages));
  const [choice, choose] = useState<StageChoice | null>(null);
  const history = followHistory(kept, stages);
  const go = (next: EditHistory<Stage[]>) => {
    keep(next);
    if (next.present === stages) return;
    // The faults of the last save name stages by their place, which may be another one now.
    for (const path of Object.keys(form.errors)) if (path.startsWith("stages.")) form.clearFieldError(path);
    form.setFieldValue("stages", next.present);
  };
  const places = useMemo(() => layOut(stages), [stages]);
  const warnings = useMemo(() => collectWarnings(stages, form.errors), [stages, form.errors]);
  const chosen = useMemo(() => (choice && isThere(stages, choice) ? choice : null), [stages, choice]);
  return {
    stages,
    places,
    warnings,
    chosen,
    choose,
    edit: (edit, tag) => {
      const next = editStages(stages, edit);
      if (next === stages) return;
      go(recordEdit(history, next, tag ?? null));
      const made = findMade(stages, next, edit);
      if (made) choose(made);
    },
    undo: history.past.length === 0 ? null : () => go(undoEdit(history)),
    redo: history.future.length === 0 ? null : () => go(redoEdit(history)),
  };
}

function isThere(stages: Stage[], { stageId, edgeId }: StageChoice): boolean {
  const stage = stages.find(({ id }) => id === stageId);
  return stage !== undefined && (edgeId === null || stage.edges.some(({ id }) => id === edgeId));
}

function collectWarnings(stages: Stage[], errors: FlowFormType["errors"]): Map<string, string[]> {
  const warnings = new Map([...findStageWarnings(stages)].map(([id, found]) => [id, found.map((one) => one.message)]));
  for (const [path, message] of Object.entries(errors)) {
    const [, index, member] = /^stages\.(\d+)\.?(.*)$/.exec(path) ?? [];
    const id = stages[Number(index)]?.id;
    if (index === undefined || id === undefined) continue;
    warnings.set(id, [...(warnings.get(id) ?? []), [member, message as string].filter(Boolean).join(": ")]);
  }
  return warnings;
}
