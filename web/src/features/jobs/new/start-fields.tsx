import { Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { ownZone } from "#web/ui/own-zone.ts";
import type { StepProps } from "./step-props.ts";

const ZONE = ownZone();

/** Fields for the start: now, or at a time in the viewer's time zone. */
export function StartFields({ form, change, faults }: StepProps) {
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label={t`Start`}
          value={form.startsLater ? "later" : "now"}
          onChange={(next) => change({ startsLater: next === "later", startAt: form.startAt || tomorrowMorning() })}
          data={[
            { value: "now", label: t`Start now` },
            { value: "later", label: t`Start later` },
          ]}
        />
        {form.startsLater && (
          <TextInput
            type="datetime-local"
            label={t`Starts (${ZONE})`}
            value={form.startAt}
            error={faults.startAt}
            onChange={(event) => change({ startAt: event.currentTarget.value })}
          />
        )}
      </Group>
    </Stack>
  );
}

function tomorrowMorning(): string {
  const at = new Date();
  at.setDate(at.getDate() + 1);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T09:00`;
}
