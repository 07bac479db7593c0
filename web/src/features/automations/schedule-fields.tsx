import { Chip, Group, InputWrapper, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { WEEKDAYS } from "#web/domain/job/job-settings.ts";
import { t } from "#web/i18n/t.ts";
import { formatName } from "#web/ui/format/format.ts";
import type { AutomationForm } from "./automation-form.ts";

const ZONES = Intl.supportedValuesOf("timeZone");

/** Fields for the time and days of a digest. */
export function ScheduleFields({ form }: { form: UseFormReturnType<AutomationForm> }) {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput type="time" label={t`Time`} required {...form.getInputProps("time")} />
        <Select
          label={t`Time zone`}
          data={ZONES}
          limit={60}
          searchable
          allowDeselect={false}
          {...form.getInputProps("timeZone")}
        />
      </Group>
      <InputWrapper label={t`Days`} labelElement="div" description={t`None chosen: every day`}>
        <Chip.Group multiple {...form.getInputProps("days")}>
          <Group gap={4} mt={6}>
            {WEEKDAYS.map((day) => (
              <Chip key={day} value={day} size="xs" variant="light">
                {formatName(day)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </InputWrapper>
    </>
  );
}
