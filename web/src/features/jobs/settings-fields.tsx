import { Group, MultiSelect, NumberInput, Stack, TextInput } from "@mantine/core";
import { RETRYABLE, type SettingsForm } from "#web/domain/job/job-settings.ts";
import { t } from "#web/i18n/t.ts";
import { CountField } from "#web/ui/form/count-field.tsx";
import { formatName } from "#web/ui/format/format.ts";

/** Fields of a form over settings, with the faults of each. */
export interface SettingsProps {
  value: SettingsForm;
  change: (part: Partial<SettingsForm>) => void;
  faults: Record<string, string>;
}

const OUTCOMES = RETRYABLE.map((value) => ({ value, label: formatName(value) }));

/** Fields for the number, outcomes and waits of retries. */
export function RetryFields({ value, change, faults }: SettingsProps) {
  const retries = value.maxAttempts > 1;
  return (
    <Stack gap="sm">
      <Group align="flex-start" gap="sm">
        <CountField
          label={t`Attempts a person`}
          description={t`The first one included`}
          min={1}
          max={10}
          usual={1}
          value={value.maxAttempts}
          change={(maxAttempts) => change({ maxAttempts })}
          error={faults["retryConfig.maxAttempts"]}
          w={{ base: "100%", xs: 190 }}
        />
        {retries && (
          <TextInput
            label={t`Waits between attempts`}
            description={t`The last one repeats`}
            placeholder={"30 min, 1 h, 2 h"}
            value={value.waits}
            onChange={(event) => change({ waits: event.currentTarget.value })}
            error={faults.waits ?? faults["retryConfig.delaysSeconds"]}
            style={{ flex: 1 }}
            miw={220}
          />
        )}
      </Group>
      {retries && (
        <MultiSelect
          label={t`Dial again after`}
          description={t`Somebody who was reached is never dialled again`}
          data={OUTCOMES}
          value={value.retryOn}
          onChange={(retryOn) => change({ retryOn })}
          error={faults["retryConfig.retryOn"]}
        />
      )}
    </Stack>
  );
}

/** Field for the number of simultaneous calls. */
export function ConcurrencyField({ value, change, faults }: SettingsProps) {
  return (
    <NumberInput
      label={t`Calls at once`}
      description={t`Empty: as many as the numbers allow`}
      placeholder={t`As many as allowed`}
      min={1}
      max={10_000}
      allowDecimal={false}
      value={value.maxConcurrency}
      onChange={(next) => change({ maxConcurrency: typeof next === "number" ? next : "" })}
      error={faults.maxConcurrency}
      w={{ base: "100%", xs: 260 }}
    />
  );
}
