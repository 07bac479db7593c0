import { ActionIcon, Button, Chip, Group, Select, Stack, Switch, TagsInput, Text, TextInput } from "@mantine/core";
import { WEEKDAYS, type WindowForm } from "#web/domain/job/job-settings.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";

const DAY = { MON: t`Mon`, TUE: t`Tue`, WED: t`Wed`, THU: t`Thu`, FRI: t`Fri`, SAT: t`Sat`, SUN: t`Sun` };
const ZONES = Intl.supportedValuesOf("timeZone");

interface WindowProps {
  value: WindowForm;
  change: (value: WindowForm) => void;
  faults: Record<string, string>;
}

/** Fields for the days and hours in which people may be called. */
export function WindowFields({ value, change, faults }: WindowProps) {
  const set = (part: Partial<WindowForm>) => change({ ...value, ...part });
  return (
    <Stack gap="sm">
      <Switch
        label={t`Only call at certain hours`}
        description={value.isOn ? undefined : t`Off: the workspace's hours hold, if it has any.`}
        checked={value.isOn}
        onChange={(event) => set({ isOn: event.currentTarget.checked })}
      />
      {value.isOn && (
        <>
          <Spans value={value} change={change} faults={faults} />
          <ZoneFields value={value} set={set} faults={faults} />
          <TagsInput
            label={t`Days without calls`}
            description={t`Dates such as 2027-12-25; press Enter after each`}
            value={value.excludeDates}
            onChange={(excludeDates) => set({ excludeDates })}
            error={faultBelow(faults, "callingWindow.excludeDates")}
          />
        </>
      )}
    </Stack>
  );
}

function faultBelow(faults: Record<string, string>, path: string): string | undefined {
  return Object.entries(faults).find(([name]) => name.startsWith(path))?.[1];
}

function Spans({ value, change, faults }: WindowProps) {
  const setSpan = (index: number, part: Partial<WindowForm["spans"][number]>) =>
    change({ ...value, spans: value.spans.map((span, at) => (at === index ? { ...span, ...part } : span)) });
  return (
    <Stack gap="xs">
      {value.spans.map((span, index) => (
        <Stack key={index} gap={6}>
          <Group gap="xs">
            <Chip.Group
              multiple
              value={span.days}
              onChange={(days) => setSpan(index, { days: days as typeof span.days })}
            >
              <Group gap={4}>
                {WEEKDAYS.map((day) => (
                  <Chip key={day} value={day} size="xs" variant="light">
                    {DAY[day]}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
            <HourField label={t`From`} value={span.start} set={(start) => setSpan(index, { start })} />
            <HourField label={t`Until`} value={span.end} set={(end) => setSpan(index, { end })} />
            {value.spans.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`Remove these hours`}
                onClick={() => change({ ...value, spans: value.spans.filter((_, at) => at !== index) })}
              >
                <Icon name="close" />
              </ActionIcon>
            )}
          </Group>
          <Fault text={faults[`window.spans.${index}`] ?? faultBelow(faults, `callingWindow.windows.${index}`)} />
        </Stack>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        w="fit-content"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => change({ ...value, spans: [...value.spans, { days: ["SAT"], start: "10:00", end: "14:00" }] })}
      >
        {t`Add hours`}
      </Button>
    </Stack>
  );
}

function HourField({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <TextInput
      type="time"
      size="xs"
      aria-label={label}
      value={value === "24:00" ? "23:59" : value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

function Fault({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Text fz="xs" c="red" role="alert">
      {text}
    </Text>
  );
}

function ZoneFields({
  value,
  set,
  faults,
}: {
  value: WindowForm;
  set: (part: Partial<WindowForm>) => void;
  faults: Record<string, string>;
}) {
  return (
    <Group gap="sm" align="flex-start">
      <Select
        label={t`By whose clock`}
        data={[
          { value: "RECIPIENT", label: t`The person's who is called` },
          { value: "FIXED", label: t`One time zone` },
        ]}
        allowDeselect={false}
        value={value.mode}
        onChange={(mode) => set({ mode: mode === "FIXED" ? "FIXED" : "RECIPIENT" })}
        w={{ base: "100%", xs: 240 }}
      />
      {value.mode === "FIXED" && (
        <Select
          label={t`Time zone`}
          data={ZONES}
          limit={60}
          searchable
          allowDeselect={false}
          value={value.timeZone}
          onChange={(timeZone) => set({ timeZone: timeZone ?? "UTC" })}
          error={faults["callingWindow.timeZone"]}
          w={{ base: "100%", xs: 240 }}
        />
      )}
    </Group>
  );
}
