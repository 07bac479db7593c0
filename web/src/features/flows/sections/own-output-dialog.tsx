import { Button, Fieldset, Group, Modal, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useLocation } from "wouter";
import { OutputFields } from "#web/domain/output/output-fields.tsx";
import { findOutputFaults, type OutputValues } from "#web/domain/output/output-values.ts";
import { readSchema } from "#web/domain/output/output.ts";
import { SchemaPreview } from "#web/domain/output/schema-preview.tsx";
import { t } from "#web/i18n/t.ts";
import { useKeptForm } from "#web/ui/form/use-kept-form.ts";

/** Edits one of the flow's own outputs in the flow's form; it is stored with the draft. */
export function OwnOutputDialog(props: {
  initial: OutputValues;
  /** Names of the other outputs. */
  taken: string[];
  keep: (values: OutputValues) => void;
  close: () => void;
}) {
  const { initial, taken, keep, close } = props;
  const form = useForm<OutputValues>({
    initialValues: initial,
    validate: (values) => ({ ...findOutputFaults(values), ...findNameFault(values, taken) }),
  });
  const [path] = useLocation();
  useKeptForm(form, { key: `own output ${path} ${initial.name}` });
  const done = () => {
    if (!form.validate().hasErrors) keep(form.getValues());
  };
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>{initial.name || t`A flow-only output`}</Text>}>
      <Stack>
        <OutputFields form={form} />
        <Fieldset legend={t`As a form`}>
          <SchemaPreview schema={readSchema(form.getValues().schema)} />
        </Fieldset>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t`Cancel`}
          </Button>
          <Button onClick={done}>{t`Done`}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function findNameFault({ name }: OutputValues, taken: string[]): { name?: string } {
  if (name.trim() === "") return { name: t`It needs a name.` };
  return taken.includes(name.trim()) ? { name: t`Another one of this flow is called so.` } : {};
}
