import { Button, Group, MultiSelect, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { Icon } from "#web/ui/icon.tsx";
import { SavedViews } from "./saved-views.tsx";
import type { FilterValues } from "./url-state.ts";

/** One filter of a list. `day`: a day of the viewer's calendar, whose label starts with From or Until. */
export interface Filter {
  name: string;
  label: string;
  kind: "text" | "select" | "many" | "day";
  options?: { value: string; label: string }[];
  width?: number;
}

/** The filters of a list in one line, its saved views, and what else stands there. */
export function FilterBar(props: {
  /** The screen's name, under which views are saved. */
  screen: string;
  filters: Filter[];
  values: FilterValues;
  setFilter: (name: string, values: string[]) => void;
  setAll: (values: FilterValues) => void;
  children?: ReactNode;
}) {
  const { filters, values, setFilter, setAll } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const count = Object.keys(values).length;
  return (
    <Group gap="xs" mb="sm" role="search" aria-label="Filters">
      <Button
        size="xs"
        variant="default"
        hiddenFrom="sm"
        leftSection={<Icon name="filter" size={14} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        Filters{count > 0 ? ` (${count})` : ""}
      </Button>
      <Group gap="xs" className="filter-fields" data-open={isOpen || undefined}>
        {filters.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            values={values[filter.name] ?? []}
            set={(next) => setFilter(filter.name, next)}
          />
        ))}
        {count > 0 && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => setAll({})}
            leftSection={<Icon name="close" size={12} />}
          >
            Clear
          </Button>
        )}
      </Group>
      <Group gap="xs" ml="auto">
        <SavedViews screen={props.screen} values={values} open={setAll} />
        {props.children}
      </Group>
    </Group>
  );
}

interface FieldProps {
  filter: Filter;
  values: string[];
  set: (values: string[]) => void;
}

function FilterField({ filter, values, set }: FieldProps) {
  const { label, kind, options = [], width = 170 } = filter;
  const shared = { "aria-label": label, placeholder: label, size: "xs", w: width } as const;
  const only = values[0] ?? null;
  if (kind === "text") return <TextFilter filter={filter} values={values} set={set} />;
  if (kind === "many") {
    const placeholder = values.length > 0 ? "" : label;
    return (
      <MultiSelect
        {...shared}
        placeholder={placeholder}
        data={options}
        value={values}
        onChange={set}
        clearable
        searchable
        hidePickedOptions
        maw={360}
        w={values.length > 1 ? "auto" : width}
        miw={width}
      />
    );
  }
  if (kind === "day") {
    return (
      <TextInput
        {...shared}
        type="date"
        leftSection={<Text fz="xs">{label.split(" ")[0]}</Text>}
        leftSectionWidth={46}
        value={only ?? ""}
        onChange={(event) => set([event.currentTarget.value])}
        title={label}
      />
    );
  }
  return (
    <Select
      {...shared}
      data={options}
      value={only}
      onChange={(next) => set(next === null ? [] : [next])}
      clearable
      searchable
    />
  );
}

function TextFilter({ filter, values, set }: FieldProps) {
  const given = values[0] ?? "";
  const [draft, setDraft] = useState({ given, text: given });
  // Another view or the back button changed the address: what was typed is of the past.
  if (draft.given !== given) setDraft({ given, text: given });
  const later = useDebouncedCallback((next: string) => set([next.trim()]), 300);
  return (
    <TextInput
      size="xs"
      w={filter.width ?? 190}
      aria-label={filter.label}
      placeholder={filter.label}
      leftSection={<Icon name="search" size={14} />}
      value={draft.text}
      onChange={(event) => {
        setDraft({ given, text: event.currentTarget.value });
        later(event.currentTarget.value);
      }}
    />
  );
}
