import { Button, Group, Menu, Select, TextInput } from "@mantine/core";
import type { Results } from "@parley/sdk";
import { useState } from "react";
import { inWorkspace, type Query, withQuery } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import type { FilterValues } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { OWN_ZONE } from "./results-query.ts";

const CHANNELS = [
  { value: "OUTBOUND", label: "Outbound" },
  { value: "INBOUND", label: "Inbound" },
  { value: "WEB", label: "Web" },
];
const TABLES = ["funnel", "hours", "fields", "versions", "numbers", "outcomes", "reasons"];
/** Values of one field that are offered as a goal. */
const MOST_GOALS = 6;

interface FilterBarProps {
  values: FilterValues;
  setFilter: (name: string, values: string[]) => void;
  results: Results | undefined;
  query: Query;
}

/** Days, zone, flow, channel and goal of results, and their tables as files. */
export function ResultFilterBar({ values, setFilter, results, query }: FilterBarProps) {
  const only = (name: string) => values[name]?.[0] ?? null;
  const set = (name: string) => (value: string | null) => setFilter(name, value === null ? [] : [value]);
  const select = (name: string) => ({ size: "xs" as const, value: only(name), onChange: set(name), clearable: true });
  return (
    <Group gap="xs" align="flex-end">
      <Day label="First day" value={only("from")} change={set("from")} />
      <Day label="Last day" value={only("to")} change={set("to")} />
      <Select
        {...select("timeZone")}
        label="Time zone"
        w={180}
        placeholder={OWN_ZONE}
        data={[...new Set([OWN_ZONE, "UTC", ...Intl.supportedValuesOf("timeZone")])]}
        searchable
        limit={60}
      />
      {query.jobId === undefined && (
        <Select
          {...select("flowApiId")}
          label="Flow"
          w={170}
          placeholder="All flows"
          data={flowsOf(results, only("flowApiId"))}
        />
      )}
      {query.jobId === undefined && (
        <Select {...select("channel")} label="Channel" w={120} placeholder="All" data={CHANNELS} />
      )}
      <Select
        {...select("goal")}
        label="Success is"
        w={210}
        placeholder="Completed, all outputs valid"
        data={goalsOf(results, only("goal"))}
      />
      <SaveMenu query={query} />
    </Group>
  );
}

/** A day, kept as typed until it is a whole one, since a half-typed day is no filter. */
function Day({ label, value, change }: { label: string; value: string | null; change: (day: string | null) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      size="xs"
      type="date"
      label={label}
      min="2000-01-01"
      max="2199-12-31"
      value={typed ?? value ?? ""}
      onChange={(event) => {
        const { value: day, validity } = event.currentTarget;
        setTyped(validity.valid ? null : day);
        if (validity.valid) change(day === "" ? null : day);
      }}
    />
  );
}

function flowsOf(results: Results | undefined, chosen: string | null): string[] {
  const known = (results?.versions ?? []).flatMap(({ flowApiId }) => (flowApiId === null ? [] : [flowApiId]));
  return [...new Set([...known, ...(chosen === null ? [] : [chosen])])];
}

function goalsOf(results: Results | undefined, chosen: string | null): { value: string; label: string }[] {
  const known = (results?.fields ?? []).flatMap(({ field, type, values }) =>
    type === "BOOLEAN" || type === "TEXT" ? values.slice(0, MOST_GOALS).map(({ value }) => `${field}=${value}`) : [],
  );
  const goals = [...new Set([...(chosen === null ? [] : [chosen]), ...known])];
  return goals.map((goal) => ({ value: goal, label: goal.replace("=", " is ") }));
}

function SaveMenu({ query }: { query: Query }) {
  const { id } = useWorkspace();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Icon name="download" size={14} />}>
          Tables as CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {TABLES.map((table) => (
          <Menu.Item
            key={table}
            component="a"
            href={withQuery(inWorkspace(id, "/results/csv"), { ...query, table })}
            download={`results-${table}.csv`}
          >
            {table[0]?.toUpperCase() + table.slice(1)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
