import { Button, Group, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { explainError, faultsByField, isStaleSave } from "#web/api/api-error.ts";
import { markReported } from "#web/api/fault-notes.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { COMMAND_KEY, useListedKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { FormFault } from "./form-fault.tsx";
import { mergeFields } from "./merge-fields.ts";
import { StaleDialog } from "./stale-dialog.tsx";
import { useLeaveWarning } from "./unsaved.ts";
import { useOneAtATime } from "./use-one-at-a-time.ts";

/**
 * Props of a form for a saved item. A change saved by another person meanwhile is never overwritten without
 * confirmation.
 */
export interface FormPageProps<T extends Record<string, unknown>> {
  form: UseFormReturnType<T>;
  /** Saves. A 409 with the code STALE means that another person saved first. `isForced`: overwrite that version. */
  save: (values: T, isForced: boolean) => Promise<unknown>;
  /** Reads the stored values. */
  reload: () => Promise<T>;
  children: ReactNode;
  /** Shows the differences between two versions more readably than their JSON. */
  compare?: (stored: T, mine: T) => ReactNode;
  saveLabel?: string;
  /** True for a new item: it is saved as it is, too, and opening it reports the save, so the form shows no toast. */
  isNew?: boolean;
  canSave?: boolean;
}

/** See FormPageProps. The save bar shows unsaved changes; the browser asks before the page is closed with them. */
export function FormPage<T extends Record<string, unknown>>(props: FormPageProps<T>) {
  const { form, children, saveLabel = t`Save`, canSave = true } = props;
  const [stored, setStored] = useState<T | null>(null);
  const { isSaving, fault, save } = useSave(props, setStored);
  const isDirty = form.isDirty();
  useLeaveWarning(isDirty);
  const box = useSaveKey(isDirty && canSave);
  return (
    <form ref={box} onSubmit={form.onSubmit((values) => void save(values, false))}>
      <Stack>
        <FormFault fault={fault} />
        {children}
        {canSave && (
          <Group className="save-bar" data-dirty={isDirty || undefined} justify="flex-end">
            {isDirty && (
              <Text fz="sm" c="dimmed" mr="auto">
                {t`Not saved yet`}
              </Text>
            )}
            {isDirty && (
              <Button variant="default" onClick={() => form.reset()}>
                {t`Discard`}
              </Button>
            )}
            <Button type="submit" loading={isSaving} disabled={!isDirty && !props.isNew}>
              {saveLabel}
            </Button>
          </Group>
        )}
      </Stack>
      <StaleDialog
        mine={form.getValues()}
        stored={stored}
        close={() => setStored(null)}
        overwrite={() => void save(form.getValues(), true)}
        keepBoth={(theirs) => {
          const merged = mergeFields(form.getInitialValues(), form.getValues(), theirs);
          form.setValues(merged);
          void save(merged, true);
        }}
        compare={props.compare}
        takeTheirs={(theirs) => {
          form.setInitialValues(theirs);
          form.setValues(theirs);
          form.resetDirty(theirs);
        }}
      />
    </form>
  );
}

function useSave<T extends Record<string, unknown>>(props: FormPageProps<T>, setStored: (stored: T) => void) {
  const { form, save, reload, isNew = false } = props;
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const notify = useFaultNotice();
  const showFaults = (error: unknown) =>
    notify(error, () => {
      form.setErrors(faultsByField(error));
      setFault(explainError(error));
    });
  const showStored = async (stale: unknown) => {
    markReported(stale);
    const stored = await reload();
    notify(stale, () => setStored(stored));
  };
  const saveValues = useOneAtATime(async (values: T, isForced: boolean) => {
    setSaving(true);
    setFault(null);
    try {
      await save(values, isForced);
      form.setInitialValues(values);
      form.resetDirty(values);
      if (!isNew) showDone(t`Saved.`);
    } catch (error) {
      if (isStaleSave(error) && !isForced) await showStored(error).catch(showFaults);
      else showFaults(error);
    } finally {
      setSaving(false);
    }
  });
  return { isSaving, fault, save: saveValues };
}

/** Ctrl+S, or Cmd+S, saves the form with this reference. */
function useSaveKey(canSave: boolean): RefObject<HTMLFormElement | null> {
  const box = useRef<HTMLFormElement>(null);
  useListedKeys(canSave ? [{ keys: `${COMMAND_KEY} s`, label: t`Save`, group: t`Form` }] : []);
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      if (event.key !== "s" || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (canSave) box.current?.requestSubmit();
    };
    window.addEventListener("keydown", take);
    return () => window.removeEventListener("keydown", take);
  }, [canSave]);
  return box;
}
