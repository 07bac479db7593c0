import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import type { FlowFormType } from "./flow-values.ts";

const TYPES = ["string", "number", "boolean", "date", "object", "array"];

/** Fields for the variables that a call fills from its rowData, with their defaults. */
export function VariableSection({ form }: { form: FlowFormType }) {
  const variables = form.getValues().localVariables;
  const add = () => form.insertListItem("localVariables", { variableName: "", type: "string", defaultValue: "" });
  return (
    <Card
      title={t`Variables`}
      actions={
        <Button size="compact-sm" variant="default" leftSection={<Icon name="plus" size={14} />} onClick={add}>
          {t`Add a variable`}
        </Button>
      }
    >
      <Stack gap="xs">
        {variables.length === 0 && (
          <Text fz="sm" c="dimmed">
            {t`None yet. A variable is filled by the rowData of a call or by a column of a job; ${"{{contactName}}"} and the other facts of a contact are always there.`}
          </Text>
        )}
        {variables.map((_, index) => (
          <VariableRow key={index} form={form} index={index} />
        ))}
      </Stack>
    </Card>
  );
}

function VariableRow({ form, index }: { form: FlowFormType; index: number }) {
  const at = `localVariables.${index}`;
  const { variableName, type } = form.getValues().localVariables[index] ?? { variableName: "", type: "string" };
  const types = TYPES.includes(type) ? TYPES : [...TYPES, type];
  const number = index + 1;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" className="field-row">
      <TextInput
        aria-label={t`Name of variable ${number}`}
        placeholder={t`name`}
        required
        maxLength={100}
        classNames={{ input: "mono" }}
        {...form.getInputProps(`${at}.variableName`)}
      />
      <Select
        aria-label={t`Type of variable ${number}`}
        data={types}
        allowDeselect={false}
        {...form.getInputProps(`${at}.type`)}
      />
      <TextInput
        aria-label={t`Default of variable ${number}`}
        placeholder={t`Default, when a call names none`}
        {...form.getInputProps(`${at}.defaultValue`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={t`Remove ${variableName || t`variable ${number}`}`}
        onClick={() => form.removeListItem("localVariables", index)}
      >
        <Icon name="trash" />
      </ActionIcon>
    </Group>
  );
}
