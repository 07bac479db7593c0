import { Button, Drawer, Radio, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { StaleNote } from "#web/pages/jobs/stale-note.tsx";
import { type AutomationForm, toForm, toInput } from "./automation-form.ts";
import { type Automation, KINDS } from "./automation.ts";
import { ExportFields } from "./export-fields.tsx";
import { JobField } from "./job-field.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";

interface DrawerProps {
  /** None: a new one is made. */
  automation?: Automation;
  close: () => void;
  onSaved: (automation: Automation) => void;
}

/** Makes or changes what makes reports. */
export function AutomationDrawer(props: DrawerProps) {
  const { automation, close } = props;
  const form = useForm<AutomationForm>({
    initialValues: toForm(automation),
    validate: { name: (name) => (name.trim() === "" ? "Give it a name." : null) },
  });
  const { save, stale, takeTheirs, overwrite } = useSave(props, form.setValues);
  const { isSending, fault, submit } = useSubmit(form, save);
  const { kind } = form.getValues();
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={480}
      title={<Text fw={600}>{automation ? "Change report" : "New report"}</Text>}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={form.onSubmit((values) => void submit(values))}>
        <Stack>
          <FormFault fault={fault} />
          {stale && <StaleNote overwrite={() => void overwrite(form.getValues())} takeTheirs={takeTheirs} />}
          {!automation && (
            <Radio.Group label="What it makes" {...form.getInputProps("kind")}>
              <Stack gap="xs" mt="xs">
                {Object.entries(KINDS).map(([value, { label, lead }]) => (
                  <Radio key={value} value={value} label={label} description={lead} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <TextInput label="Name" required maxLength={200} {...form.getInputProps("name")} />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            maxLength={10_000}
            {...form.getInputProps("description")}
          />
          {kind === "DAILY_DIGEST" ? <ScheduleFields form={form} /> : <JobField form={form} />}
          {kind === "EXPORT" && <ExportFields form={form} />}
          {kind !== "EXPORT" && (
            <Switch
              label="Runs by itself"
              description="Off: only when you press Run now"
              {...form.getInputProps("enabled", { type: "checkbox" })}
            />
          )}
          <Button type="submit" loading={isSending}>
            {automation ? "Save" : "Create"}
          </Button>
        </Stack>
      </form>
    </Drawer>
  );
}

/** Saves; when somebody else saved since the form was opened, that is told first. */
function useSave({ automation, close, onSaved }: DrawerProps, setValues: (values: AutomationForm) => void) {
  const { id: workspaceId } = useWorkspace();
  const [known, setKnown] = useState(automation?.version);
  const [stale, setStale] = useState<Automation | null>(null);
  const path = automation ? `/automations/${automation.id}` : "/automations";
  const write = useWrite<Automation, AutomationForm>({
    method: automation ? "PUT" : "POST",
    path,
    body: toInput,
    refreshes: ["/automations"],
  });
  const store = async (values: AutomationForm) => {
    const saved = await write.mutateAsync(values);
    showDone("Saved.");
    close();
    onSaved(saved);
  };
  const save = async (values: AutomationForm) => {
    if (automation) {
      const stored = await send<Automation>("GET", inWorkspace(workspaceId, path));
      if (stored.version !== known) return setStale(stored);
    }
    await store(values);
  };
  const takeTheirs = () => {
    if (!stale) return;
    setValues(toForm(stale));
    setKnown(stale.version);
    setStale(null);
  };
  return { save, stale, takeTheirs, overwrite: store };
}
