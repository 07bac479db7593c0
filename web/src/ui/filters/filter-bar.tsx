import { Button, Group, MultiSelect, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { DayFilters } from "./day-filters.tsx";
import type { Filter, FilterFieldsProps } from "./filter.ts";
import { SavedViews } from "./saved-views.tsx";
import type { FilterValues } from "./url-state.ts";

/** The filters of a list in one line, its saved views, and further buttons. */
export function FilterBar(props: {
  /** Name of the screen, under which views are saved. */
  screen: string;
  filters: Filter[];
  values: FilterValues;
  setFilter: (name: string, values: string[]) => void;
  setAll: (values: FilterValues) => void;
  /** True when the list is filtered even without a choice, as in an inbox that shows open chats by default. */
  staysWhenEmpty?: boolean;
  children?: ReactNode;
}) {
  const { filters, values, setFilter, setAll } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const count = Object.keys(values).length;
  return (
    <Group
      gap="xs"
      mb="sm"
      role="search"
      aria-label={t`Filters`}
      className="filter-bar"
      data-idle={(count === 0 && !props.staysWhenEmpty) || undefined}
    >
      <Button
        size="xs"
        variant="default"
        hiddenFrom="sm"
        leftSection={<Icon name="filter" size={14} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {t`Filters${count > 0 ? ` (${count})` : ""}`}
      </Button>
      <Group gap="xs" className="filter-fields" data-open={isOpen || undefined}>
        <FilterFields filters={filters} values={values} setFilter={setFilter} />
        {count > 0 && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => setAll({})}
            leftSection={<Icon name="close" size={12} />}
          >
            {t`Clear`}
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

function FilterFields({ filters, values, setFilter }: FilterFieldsProps) {
  return (
    <>
      {filters
        .filter(({ kind }) => kind !== "day")
        .map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            values={values[filter.name] ?? []}
            set={(next) => setFilter(filter.name, next)}
          />
        ))}
      <DayFilters filters={filters.filter(({ kind }) => kind === "day")} values={values} setFilter={setFilter} />
    </>
  );
}

/** Room for the icons and the padding of a field. */
const SIDES_PX = 54;
/** Width of a letter of a field, rather too much than too little. */
const LETTER_PX = 7;

interface FieldProps {
  filter: Filter;
  values: string[];
  set: (values: string[]) => void;
}

/** A field is as wide as its label, which other languages say with longer words. */
function widthOf({ label, width = 170 }: Filter): number {
  return Math.max(width, SIDES_PX + label.length * LETTER_PX);
}

function FilterField({ filter, values, set }: FieldProps) {
  const { label, kind, options = [] } = filter;
  const width = widthOf(filter);
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
        maw={values.length > 1 ? 360 : Math.max(220, width)}
        w={values.length > 0 ? "auto" : width}
        miw={width}
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
  // Another view or the back button changed the address, so the typed text is outdated. Its own text comes back trimmed.
  if (draft.given !== given) setDraft({ given, text: draft.text.trim() === given ? draft.text : given });
  const later = useDebouncedCallback((next: string) => set([next.trim()]), 300);
  return (
    <TextInput
      size="xs"
      w={widthOf({ width: 190, ...filter })}
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
