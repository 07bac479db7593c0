import { Button, Group, Popover, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import type { FilterFieldsProps } from "./filter.ts";

/**
 * Filters for the first and last day of a list, behind one button, because two date fields are as wide as all others.
 */
export function DayFilters({ filters, values, setFilter }: FilterFieldsProps) {
  if (filters.length === 0) return null;
  const chosen = filters.flatMap(({ name, label }) => {
    const day = values[name]?.[0];
    return day ? [`${label.split(" ")[0]?.toLowerCase()} ${day}`] : [];
  });
  return (
    <Popover position="bottom-start" shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button size="xs" variant="default" fw={400}>
          {chosen.length === 0 ? t`Any day` : chosen.join(" ")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Group gap="xs">
          {filters.map(({ name, label }) => (
            <TextInput
              key={name}
              size="xs"
              type="date"
              label={label}
              value={values[name]?.[0] ?? ""}
              onChange={(event) => setFilter(name, [event.currentTarget.value])}
            />
          ))}
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
