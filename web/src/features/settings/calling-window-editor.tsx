import { ActionIcon, Button, Chip, Group, Pill, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { inSentence, t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { CallingWindow } from "./settings.ts";
import { TIME_ZONES } from "./time-zones.ts";

const DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
const DAY_NAMES: Record<string, string> = {
  MON: t`Mon`,
  TUE: t`Tue`,
  WED: t`Wed`,
  THU: t`Thu`,
  FRI: t`Fri`,
  SAT: t`Sat`,
  SUN: t`Sun`,
};

type Hours = CallingWindow["windows"][number];

/** Window of a new setting, the same as in new LIVE workspaces: it opens in every country. */
export const USUAL_WINDOW: CallingWindow = {
  timeZoneMode: "RECIPIENT",
  timeZone: null,
  windows: [{ days: DAYS, start: "08:00", end: "21:00" }],
  excludeDates: [],
};

/** Editor for the time zone, the hours by weekday, and the days without calls. */
export function CallingWindowEditor(props: {
  value: CallingWindow;
  onChange: (value: CallingWindow) => void;
  /** Faults by path below the window. */
  faultAt: (path: string) => string | undefined;
}) {
  const { value, onChange, faultAt } = props;
  const setHours = (index: number, next: Hours | null) =>
    onChange({
      ...value,
      windows: value.windows.flatMap((hours, i) => (i === index ? (next ? [next] : []) : [hours])),
    });
  return (
    <Stack>
      <Clock {...props} />
      <Stack gap="xs" role="group" aria-label={t`Hours`}>
        {value.windows.map((hours, index) => (
          <HoursRow
            key={index}
            index={index}
            hours={hours}
            fault={faultAt(`windows.${index}.end`) ?? faultAt(`windows.${index}.days`)}
            onChange={(next) => setHours(index, next)}
            {...(value.windows.length > 1 ? { remove: () => setHours(index, null) } : {})}
          />
        ))}
        <Button
          size="compact-sm"
          variant="default"
          w="fit-content"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() =>
            onChange({ ...value, windows: [...value.windows, { days: ["SAT"], start: "10:00", end: "14:00" }] })
          }
        >
          {t`Other hours`}
        </Button>
      </Stack>
      <DaysOff dates={value.excludeDates} onChange={(excludeDates) => onChange({ ...value, excludeDates })} />
    </Stack>
  );
}

function Clock({ value, onChange, faultAt }: Parameters<typeof CallingWindowEditor>[0]) {
  const isFixed = value.timeZoneMode === "FIXED";
  return (
    <Group align="flex-start">
      <Select
        label={t`By whose clock`}
        w={{ base: "100%", sm: 280 }}
        allowDeselect={false}
        data={[
          { value: "RECIPIENT", label: t`The called person's` },
          { value: "FIXED", label: t`Of one time zone` },
        ]}
        value={value.timeZoneMode}
        onChange={(mode) =>
          onChange(
            mode === "FIXED"
              ? { ...value, timeZoneMode: "FIXED", timeZone: value.timeZone ?? "UTC" }
              : { ...value, timeZoneMode: "RECIPIENT", timeZone: null },
          )
        }
      />
      {isFixed && (
        <Select
          label={t`Time zone`}
          w={{ base: "100%", sm: 260 }}
          data={TIME_ZONES}
          searchable
          allowDeselect={false}
          limit={60}
          value={value.timeZone}
          error={faultAt("timeZone")}
          onChange={(timeZone) => onChange({ ...value, timeZone })}
        />
      )}
    </Group>
  );
}

function HoursRow(props: {
  index: number;
  hours: Hours;
  fault: string | undefined;
  onChange: (hours: Hours) => void;
  remove?: () => void;
}) {
  const { index, hours, fault, onChange, remove } = props;
  const name = t`Hours ${index + 1}`;
  return (
    <Stack gap={4}>
      <Group gap="xs" className="hours-row">
        <Chip.Group multiple value={hours.days} onChange={(days) => onChange({ ...hours, days: sortDays(days) })}>
          <Group gap={4}>
            {DAYS.map((day) => (
              <Chip key={day} value={day} size="xs" radius="sm" variant="light">
                {DAY_NAMES[day]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Group gap={6} wrap="nowrap">
          <TextInput
            type="time"
            size="xs"
            aria-label={t`${name}: from`}
            value={hours.start}
            onChange={(event) => onChange({ ...hours, start: event.currentTarget.value })}
          />
          <Text fz="sm" c="dimmed">
            {t`to`}
          </Text>
          <TextInput
            type="time"
            size="xs"
            aria-label={t`${name}: until`}
            value={hours.end === "24:00" ? "00:00" : hours.end}
            onChange={(event) => onChange({ ...hours, end: readEnd(event.currentTarget.value) })}
          />
          {remove && (
            <ActionIcon variant="subtle" color="gray" aria-label={t`Remove ${inSentence(name)}`} onClick={remove}>
              <Icon name="close" size={14} />
            </ActionIcon>
          )}
        </Group>
      </Group>
      {(fault ?? (hours.days.length === 0 ? t`Choose at least one day.` : undefined)) !== undefined && (
        <Text fz="xs" c="red">
          {fault ?? t`Choose at least one day.`}
        </Text>
      )}
    </Stack>
  );
}

function DaysOff({ dates, onChange }: { dates: string[]; onChange: (dates: string[]) => void }) {
  const [date, setDate] = useState("");
  const add = () => {
    onChange([...new Set([...dates, date])].toSorted());
    setDate("");
  };
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap="xs">
        <TextInput
          type="date"
          label={t`Days without calls`}
          value={date}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        <Button variant="default" disabled={date === ""} onClick={add}>
          {t`Add day`}
        </Button>
      </Group>
      {dates.length > 0 && (
        <Pill.Group>
          {dates.map((one) => (
            <Pill
              key={one}
              withRemoveButton
              removeButtonProps={{ "aria-label": t`Remove ${one}`, "aria-hidden": false, tabIndex: 0 }}
              onRemove={() => onChange(dates.filter((other) => other !== one))}
            >
              {one}
            </Pill>
          ))}
        </Pill.Group>
      )}
    </Stack>
  );
}

function sortDays(days: string[]): string[] {
  return DAYS.filter((day) => days.includes(day));
}

/** Returns the end of a span: 00:00 means 24:00, the end of the day. */
function readEnd(time: string): string {
  return time === "00:00" ? "24:00" : time;
}
