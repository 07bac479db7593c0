import { Button, Drawer, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { type LeadSource, SOURCES_PATH } from "./lead-source.ts";
import { MappingFields } from "./mapping-fields.tsx";
import { RuleFields } from "./rule-fields.tsx";
import { type SourceForm, toForm, toInput } from "./source-form.ts";

interface DrawerProps {
  /** Null: a new one is created. */
  source: LeadSource | null;
  close: () => void;
  onMade: (source: LeadSource) => void;
}

/** Creates or changes a lead source. */
export function SourceDrawer({ source, close, onMade }: DrawerProps) {
  const form = useForm<SourceForm>({
    initialValues: toForm(source),
    validate: { paths: { customerNumber: (path) => (path?.trim() === "" ? t`Say where the number is.` : null) } },
  });
  const path = source === null ? SOURCES_PATH : `${SOURCES_PATH}/${source.id}`;
  const write = useWrite<LeadSource, Based<LeadSource, SourceForm>>({
    failed: t`The lead source was not saved`,
    method: source === null ? "POST" : "PUT",
    path: ({ base }) => path + ifUnchanged(base),
    body: ({ body, base }) => toInput(body, base),
    refreshes: [SOURCES_PATH],
  });
  const hidesChange = ({ signingSecret, sample }: SourceForm) => signingSecret !== "" || sample !== "";
  const guard = { stored: source, toValues: toForm, hidesChange, path };
  const sending = useGuardedSubmit<LeadSource, SourceForm>(form, guard, async (body, base) => {
    const saved = await write.mutateAsync({ body, base });
    if (source === null) onMade(saved);
    else {
      showDone(t`Saved. It holds from the next lead on.`);
      close();
    }
    return saved;
  });
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={560}
      title={<Text fw={600}>{source === null ? t`New lead source` : t`Change lead source`}</Text>}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <form onSubmit={form.onSubmit((values) => void sending.submit(values))}>
        <Stack>
          <FormFault fault={sending.fault} />
          {sending.staleDialog}
          <TextInput
            label={t`Name`}
            placeholder={t`Contact form`}
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps("name")}
          />
          {source !== null && <Switch label={t`Takes leads`} {...form.getInputProps("active", { type: "checkbox" })} />}
          <MappingFields form={form} source={source} />
          <RuleFields form={form} hasSecret={source?.signingSecret !== undefined && source.signingSecret !== null} />
          <Button type="submit" loading={sending.isSending}>
            {source === null ? t`Create` : t`Save`}
          </Button>
        </Stack>
      </form>
    </Drawer>
  );
}
