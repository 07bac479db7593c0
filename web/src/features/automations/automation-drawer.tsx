import { Button, Drawer, Radio, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { type AutomationForm, toForm, toInput } from "./automation-form.ts";
import { type Automation, KINDS } from "./automation.ts";
import { ExportFields } from "./export-fields.tsx";
import { JobField } from "./job-field.tsx";
import { ScheduleFields } from "./schedule-fields.tsx";

interface DrawerProps {
  /** Undefined: a new one is created. */
  automation?: Automation;
  close: () => void;
}

/** Creates or changes an automation. */
export function AutomationDrawer(props: DrawerProps) {
  const { automation, close } = props;
  const { timeZone } = useWorkspace();
  const form = useForm<AutomationForm>({
    initialValues: toForm(automation, timeZone),
    validate: { name: (name) => (name.trim() === "" ? t`Give it a name.` : null) },
  });
  const { isSending, fault, submit, staleDialog } = useSave(props, form);
  const { kind } = form.getValues();
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={480}
      title={<Text fw={600}>{automation ? t`Change report` : t`New report`}</Text>}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <form onSubmit={form.onSubmit((values) => void submit(values))}>
        <Stack>
          <FormFault fault={fault} />
          {staleDialog}
          {!automation && (
            <Radio.Group label={t`What it makes`} {...form.getInputProps("kind")}>
              <Stack gap="xs" mt="xs">
                {Object.entries(KINDS).map(([value, { label, lead }]) => (
                  <Radio key={value} value={value} label={label} description={lead} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <TextInput label={t`Name`} required maxLength={200} {...form.getInputProps("name")} />
          <Textarea
            label={t`Description`}
            autosize
            minRows={2}
            maxLength={10_000}
            {...form.getInputProps("description")}
          />
          {kind === "DAILY_DIGEST" ? <ScheduleFields form={form} /> : <JobField form={form} />}
          {kind === "EXPORT" && <ExportFields form={form} />}
          {kind !== "EXPORT" && (
            <Switch
              label={t`Runs by itself`}
              description={t`Off: only when you press Run now`}
              {...form.getInputProps("enabled", { type: "checkbox" })}
            />
          )}
          <Button type="submit" loading={isSending}>
            {automation ? t`Save` : t`Create`}
          </Button>
        </Stack>
      </form>
    </Drawer>
  );
}

function useSave({ automation, close }: DrawerProps, form: UseFormReturnType<AutomationForm>) {
  const { timeZone } = useWorkspace();
  const openMade = useOpenMade();
  const path = automation ? `/automations/${automation.id}` : "/automations";
  const write = useWrite<Automation, Based<Automation, AutomationForm>>({
    failed: t`The report was not saved`,
    method: automation ? "PUT" : "POST",
    path: ({ base }) => path + ifUnchanged(base),
    body: ({ body, base }) => toInput(body, base),
    refreshes: ["/automations"],
  });
  const guard = { stored: automation ?? null, toValues: (kept: Automation) => toForm(kept, timeZone), path };
  return useGuardedSubmit<Automation, AutomationForm>(form, guard, async (body, base) => {
    const saved = await write.mutateAsync({ body, base });
    if (!automation) {
      openMade({ path: `/automations/${saved.id}`, done: t`Saved.`, close });
      return saved;
    }
    showDone(t`Saved.`);
    close();
    return saved;
  });
}
