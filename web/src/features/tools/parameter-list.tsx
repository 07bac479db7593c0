import { ActionIcon, Button, Group, Paper, Select, Stack, Switch, TagsInput, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { NEW_PARAMETER, type ToolValues } from "./tool-values.ts";

type Form = UseFormReturnType<ToolValues>;

const TYPES = ["string", "number", "integer", "boolean", "array", "object"];
const SOURCES = [
  { value: "LLM", label: t`The model` },
  { value: "VARIABLE", label: t`A session variable` },
  { value: "CONSTANT", label: t`A constant` },
];

/** Fields for a tool's parameters. */
export function ParameterList({ form }: { form: Form }) {
  const { parameters } = form.getValues();
  return (
    <Card
      title={t`Parameters${parameters.length > 0 ? ` (${parameters.length})` : ""}`}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => form.insertListItem("parameters", { ...NEW_PARAMETER })}
        >
          {t`Add parameter`}
        </Button>
      }
    >
      {parameters.length === 0 ? (
        <Text fz="sm" c="dimmed">
          {t`None: the tool is called with nothing.`}
        </Text>
      ) : (
        <Stack gap="sm">
          {parameters.map((_, index) => (
            <ParameterFields key={index} form={form} index={index} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function ParameterFields({ form, index }: { form: Form; index: number }) {
  const parameter = form.getValues().parameters[index];
  const at = (name: string) => form.getInputProps(`parameters.${index}.${name}`);
  if (!parameter) return null;
  const named = parameter.name || t`parameter ${index + 1}`;
  return (
    <Paper withBorder p="sm" role="group" aria-label={named}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start" grow preventGrowOverflow={false}>
          <TextInput label={t`Name`} size="xs" required placeholder="orderId" {...at("name")} />
          <Select label={t`Type`} size="xs" data={TYPES} allowDeselect={false} {...at("type")} />
          <Select label={t`Given by`} size="xs" data={SOURCES} allowDeselect={false} {...at("source")} />
        </Group>
        <TextInput
          label={t`Description`}
          size="xs"
          placeholder={t`What it is, as the model is told.`}
          {...at("description")}
        />
        <Group gap="xs" align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            label={parameter.source === "CONSTANT" ? t`Value` : t`Default`}
            size="xs"
            {...at("defaultValue")}
          />
          <TagsInput label={t`Only these values`} size="xs" placeholder={t`Any`} {...at("enumValues")} />
        </Group>
        <Group justify="space-between">
          <Switch
            size="xs"
            label={t`Required`}
            {...form.getInputProps(`parameters.${index}.required`, { type: "checkbox" })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`Remove ${named}`}
            onClick={() => form.removeListItem("parameters", index)}
          >
            <Icon name="trash" />
          </ActionIcon>
        </Group>
      </Stack>
    </Paper>
  );
}
