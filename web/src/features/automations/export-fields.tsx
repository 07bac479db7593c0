import { Group, MultiSelect, SegmentedControl, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { CALL_FILTERS } from "#web/domain/call/call-filters.ts";
import { t } from "#web/i18n/t.ts";
import type { AutomationForm } from "./automation-form.ts";

const optionsOf = (name: string) => CALL_FILTERS.find((filter) => filter.name === name)?.options ?? [];

/** Fields for the format of an export and the filters of its calls. */
export function ExportFields({ form }: { form: UseFormReturnType<AutomationForm> }) {
  return (
    <Stack>
      <SegmentedControl aria-label={t`Format`} data={["CSV", "JSON"]} {...form.getInputProps("format")} />
      <MultiSelect
        label={t`Status`}
        placeholder={form.getValues().status.length === 0 ? t`Any` : ""}
        data={optionsOf("status")}
        searchable
        clearable
        {...form.getInputProps("status")}
      />
      <MultiSelect
        label={t`Outcome`}
        placeholder={form.getValues().outcome.length === 0 ? t`Any` : ""}
        data={optionsOf("outcome")}
        searchable
        clearable
        {...form.getInputProps("outcome")}
      />
      <Group grow>
        <TextInput type="date" label={t`From day`} {...form.getInputProps("from")} />
        <TextInput type="date" label={t`Until day`} {...form.getInputProps("until")} />
      </Group>
    </Stack>
  );
}
