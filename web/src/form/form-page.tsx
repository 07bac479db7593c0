import { Alert, Button, Group, Modal, SimpleGrid, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { explainError, faultsByField, isStaleSave } from "#web/api/api-error.ts";
import { showDone } from "#web/api/undo.tsx";
import { JsonView } from "#web/ui/json-view.tsx";
import { FormFault } from "./form-fault.tsx";
import { mergeFields } from "./merge-fields.ts";

/** A form over a saved thing; nothing that somebody else saved meanwhile is overwritten without being asked. */
export interface FormPageProps<T extends Record<string, unknown>> {
  form: UseFormReturnType<T>;
  /** Saves; a 409 or 412 says that somebody else saved first. `isForced`: the person chose to overwrite it. */
  save: (values: T, isForced: boolean) => Promise<unknown>;
  /** Reads what is stored now. */
  reload: () => Promise<T>;
  children: ReactNode;
  /** Shows how two versions differ, better than their JSON does. */
  compare?: (stored: T, mine: T) => ReactNode;
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
        keepBoth={(theirs) => {
          const merged = mergeFields(form.getInitialValues(), form.getValues(), theirs);
          form.setValues(merged);
          void save(merged, true);
        }}
        {...(props.compare ? { compare: props.compare } : {})}
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

/** Ctrl+S, or Cmd+S, saves the form with this reference. */
function useSaveKey(canSave: boolean): RefObject<HTMLFormElement | null> {
  const box = useRef<HTMLFormElement>(null);
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

function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isDirty]);
}

interface StaleProps<T> {
  mine: T;
  stored: T | null;
  close: () => void;
  overwrite: () => void;
  keepBoth: (stored: T) => void;
  takeTheirs: (stored: T) => void;
  compare?: (stored: T, mine: T) => ReactNode;
}

function StaleDialog<T>({ mine, stored, close, overwrite, keepBoth, takeTheirs, compare }: StaleProps<T>) {
  const then = (act: (theirs: T) => void) => () => {
    if (stored !== null) act(stored);
    close();
  };
  return (
    <Modal opened={stored !== null} onClose={close} size="xl" title={<Text fw={600}>Somebody else saved first</Text>}>
      <Stack>
        <Alert color="orange" variant="light">
          Your changes are still in the form, and nothing is lost until you choose. Keep both takes yours where you
          changed something and theirs everywhere else.
        </Alert>
        {stored !== null && (compare ? compare(stored, mine) : <SideBySide mine={mine} stored={stored} />)}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Back to the form
          </Button>
          <Button variant="default" onClick={then(takeTheirs)}>
            Take theirs
          </Button>
          <Button variant="default" c="red" onClick={then(overwrite)}>
            Overwrite with mine
          </Button>
          <Button onClick={then(keepBoth)}>Keep both</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function SideBySide({ mine, stored }: { mine: unknown; stored: unknown }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
    </SimpleGrid>
  );
}
