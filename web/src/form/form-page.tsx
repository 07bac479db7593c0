import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, useEffect, useState } from "react";
import { explainError, faultsByField, isStaleSave } from "#web/api/api-error.ts";
import { showDone } from "#web/api/undo.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { FormFault } from "./form-fault.tsx";

/** A form over a saved thing; nothing that somebody else saved meanwhile is overwritten without being asked. */
export interface FormPageProps<T extends Record<string, unknown>> {
  form: UseFormReturnType<T>;
  /** Saves; a 409 or 412 says that somebody else saved first. `isForced`: the person chose to overwrite it. */
  save: (values: T, isForced: boolean) => Promise<unknown>;
  /** Reads what is stored now. */
  reload: () => Promise<T>;
  children: ReactNode;
  saveLabel?: string;
  canSave?: boolean;
}

/** See FormPageProps. The save bar appears with the first change; leaving with changes is asked about. */
export function FormPage<T extends Record<string, unknown>>(props: FormPageProps<T>) {
  const { form, children, saveLabel = "Save", canSave = true } = props;
  const [stored, setStored] = useState<T | null>(null);
  const { isSaving, fault, save } = useSave(props, setStored);
  const isDirty = form.isDirty();
  useLeaveWarning(isDirty);
  return (
    <form onSubmit={form.onSubmit((values) => void save(values, false))}>
      <Stack>
        <FormFault fault={fault} />
        {children}
        {canSave && (
          <Group className="save-bar" data-dirty={isDirty || undefined} justify="flex-end">
            {isDirty && (
              <Text fz="sm" c="dimmed" mr="auto">
                Not saved yet
              </Text>
            )}
            {isDirty && (
              <Button variant="default" onClick={() => form.reset()}>
                Discard
              </Button>
            )}
            <Button type="submit" loading={isSaving} disabled={!isDirty}>
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
  const { form, save, reload } = props;
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const saveValues = async (values: T, isForced: boolean) => {
    setSaving(true);
    setFault(null);
    try {
      await save(values, isForced);
      form.setInitialValues(values);
      form.resetDirty(values);
      showDone("Saved.");
    } catch (error) {
      form.setErrors(faultsByField(error));
      if (isStaleSave(error) && !isForced) setStored(await reload());
      else setFault(explainError(error));
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, fault, save: saveValues };
}

function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isDirty]);
}

function StaleDialog<T>(props: {
  mine: T;
  stored: T | null;
  close: () => void;
  overwrite: () => void;
  takeTheirs: (stored: T) => void;
}) {
  const { mine, stored, close, overwrite, takeTheirs } = props;
  const then = (act: () => void) => () => {
    act();
    close();
  };
  return (
    <Modal opened={stored !== null} onClose={close} size="xl" title={<Text fw={600}>Somebody else saved first</Text>}>
      <Stack>
        <Alert color="orange" variant="light">
          Your changes are still in the form. Choose which version to keep; nothing is lost until then.
        </Alert>
        <Group grow align="flex-start">
          <Stack gap={4}>
            <Text fz="sm" fw={550}>
              Yours
            </Text>
            <JsonView value={mine} label="Your version" maxHeight={320} />
          </Stack>
          <Stack gap={4}>
            <Text fz="sm" fw={550}>
              Stored now
            </Text>
            <JsonView value={stored} label="Stored version" maxHeight={320} />
          </Stack>
        </Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Back to the form
          </Button>
          <Button variant="default" onClick={then(() => stored !== null && takeTheirs(stored))}>
            Take theirs
          </Button>
          <Button color="red.9" onClick={then(overwrite)}>
            Overwrite with mine
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
