import { Button, Group, Menu, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { PhoneNumber, Results } from "@parley/sdk";
import { useState } from "react";
import { inWorkspace, type Query, withQuery } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { useFlowNames } from "#web/domain/flow/use-flow-names.ts";
import { useJobChoices } from "#web/domain/job/use-job-choices.ts";
import { NUMBERS_PATH } from "#web/domain/number/number.ts";
import { useNumberOptions } from "#web/domain/number/use-number-options.ts";
import { useFieldTitles } from "#web/domain/output/use-field-titles.ts";
import { t } from "#web/i18n/t.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { sayGoal } from "./goal.ts";
import { RESULT_FILTERS } from "./results-query.ts";

const CHANNELS = [
  { value: "OUTBOUND", label: t`Outbound` },
  { value: "INBOUND", label: t`Inbound` },
  { value: "WEB", label: t`Web` },
];
const LAST_DAYS = [
  { value: "1", label: t`Today` },
  { value: "7", label: t`The last 7` },
  { value: "30", label: t`The last 30` },
  { value: "92", label: t`The last 92` },
];
const TABLES = {
  funnel: t`Funnel`,
  hours: t`Hours`,
  fields: t`Fields`,
  versions: t`Versions`,
  numbers: t`Numbers`,
  outcomes: t`Outcomes`,
  reasons: t`Reasons`,
  tools: t`Tools`,
};
/** Filters that are folded until they are asked for. */
const MORE_FILTERS = ["from", "to", "timeZone", "flowVersion", "jobId", "phoneNumberId", "channel"];
/** Values of one field that are offered as a goal. */
const MOST_GOALS = 6;

interface FilterBarProps {
  values: FilterValues;
  setFilter: (name: string, values: string[]) => void;
  setAll: (values: FilterValues) => void;
  results: Results | undefined;
  query: Query;
  /** True on a job's page: its job is not chosen here, and has one flow and channel. */
  isOfJob: boolean;
}

/** Filters of results, most of them folded, and their tables as files; on a phone all filters are folded. */
export function ResultFilterBar(props: FilterBarProps) {
  const { values, query } = props;
  const [isOpen, { toggle }] = useDisclosure(false);
  const [hasMore, { toggle: toggleMore }] = useDisclosure(false);
  const fields = { gap: "xs", align: "flex-end", className: "filter-fields", "data-open": isOpen || undefined };
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label={t`Filters`}>
      <Button
        size="xs"
        variant="default"
        hiddenFrom="sm"
        leftSection={<Icon name="filter" size={14} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {t`Filters${sayCount(RESULT_FILTERS, values)}`}
      </Button>
      <Group {...fields}>
        <ResultFilterFields {...props} />
        <Button
          size="xs"
          variant="default"
          rightSection={<Icon name="down" size={12} />}
          aria-expanded={hasMore}
          onClick={toggleMore}
        >
          {t`More filters${sayCount(MORE_FILTERS, values)}`}
        </Button>
      </Group>
      <Group ml="auto">
        <SaveMenu query={query} />
      </Group>
      <Group {...fields} w="100%" display={hasMore ? undefined : "none"}>
        <MoreFilterFields {...props} />
      </Group>
    </Group>
  );
}

/** Days, flow and goal of results; the other filters are folded. */
function ResultFilterFields({ values, setFilter, setAll, results, query, isOfJob }: FilterBarProps) {
  const nameOf = useFlowNames();
  const titleOf = useFieldTitles();
  const { only, select } = fieldsOf({ values, setFilter });
  return (
    <>
      <Select
        {...select("lastDays")}
        label={t`Days`}
        w={130}
        placeholder={placeholderOfDays(only("from"), query)}
        data={LAST_DAYS}
        onChange={(days) => setAll({ ...values, from: [], to: [], lastDays: days === null ? [] : [days] })}
      />
      {!isOfJob && (
        <Select
          {...select("flowApiId")}
          label={t`Flow`}
          w={170}
          placeholder={t`All flows`}
          data={flowsOf(results, only("flowApiId")).map((apiId) => ({ value: apiId, label: nameOf(apiId) }))}
          onChange={(flow) => setAll({ ...values, flowApiId: flow === null ? [] : [flow], flowVersion: [] })}
        />
      )}
      <Select
        {...select("goal")}
        label={t`Success is`}
        w={300}
        maw="100%"
        placeholder={
          results?.successConditions.length ? t`As the flow says` : t`Completed, outputs valid, tools worked`
        }
        data={goalsOf(results, only("goal"), titleOf)}
      />
    </>
  );
}

/** Exact days, zone, version, job, number and channel of results. */
function MoreFilterFields({ values, setFilter, setAll, results, isOfJob }: FilterBarProps) {
  const { timeZone } = useWorkspace();
  const { only, set, select } = fieldsOf({ values, setFilter });
  return (
    <>
      <Day label={t`First day`} value={only("from")} change={set("from")} />
      <Day label={t`Last day`} value={only("to")} change={set("to")} />
      <Select
        {...select("timeZone")}
        label={t`Time zone`}
        w={180}
        placeholder={timeZone}
        data={[...new Set([timeZone, "UTC", ...Intl.supportedValuesOf("timeZone")])]}
        searchable
        limit={60}
      />
      <VersionFilter {...{ values, setAll, results, isOfJob }} />
      {!isOfJob && <JobFilter chosen={only("jobId")} change={set("jobId")} />}
      <NumberFilter values={values} setFilter={setFilter} />
      {!isOfJob && <Select {...select("channel")} label={t`Channel`} w={120} placeholder={t`All`} data={CHANNELS} />}
    </>
  );
}

/** Returns the value of a filter, how it is set, and what its drop-down list needs. */
function fieldsOf({ values, setFilter }: Pick<FilterBarProps, "values" | "setFilter">) {
  const only = (name: string) => values[name]?.[0] ?? null;
  const set = (name: string) => (value: string | null) => setFilter(name, value === null ? [] : [value]);
  const select = (name: string) => ({ size: "xs" as const, value: only(name), onChange: set(name), clearable: true });
  return { only, set, select };
}

/** Says how many of the filters are set, in brackets; nothing where none is. */
function sayCount(names: readonly string[], values: FilterValues): string {
  const count = names.filter((name) => (values[name]?.length ?? 0) > 0).length;
  return count > 0 ? ` (${count})` : "";
}

function placeholderOfDays(from: string | null, { jobId }: Query): string {
  if (from !== null) return t`From a day`;
  return jobId === undefined ? t`The last 30` : t`All days`;
}

/** Version of a flow; the flow is chosen with it. */
function VersionFilter(props: Pick<FilterBarProps, "values" | "setAll" | "results" | "isOfJob">) {
  const { values, setAll, results, isOfJob } = props;
  const [flow, version] = [values.flowApiId?.[0] ?? null, values.flowVersion?.[0] ?? null];
  const nameOf = useFlowNames();
  const known = useKnownVersions(results);
  const offered = known.filter(({ flowApiId }) => isOfJob || flow === null || flowApiId === flow);
  const areOfOne = new Set(offered.map(({ flowApiId }) => flowApiId)).size < 2;
  const options = offered.map((one) => ({
    value: toVersionName(one.flowApiId, one.version),
    label: areOfOne ? t`Version ${one.version}` : t`${nameOf(one.flowApiId)}, version ${one.version}`,
  }));
  const chosen = flow !== null && version !== null ? toVersionName(flow, version) : null;
  const isListed = chosen === null || options.some(({ value }) => value === chosen);
  return (
    <Select
      size="xs"
      label={t`Version`}
      w={150}
      placeholder={t`All versions`}
      clearable
      searchable
      data={isListed ? options : [{ value: chosen, label: t`Version ${version ?? ""}` }, ...options]}
      value={chosen}
      onChange={(name) => {
        const [nextVersion = "", nextFlow = ""] = (name ?? "").split(" ");
        const flows = name === null ? (isOfJob || flow === null ? [] : [flow]) : [nextFlow];
        setAll({ ...values, flowApiId: flows, flowVersion: name === null ? [] : [nextVersion] });
      }}
    />
  );
}

function toVersionName(flowApiId: string, version: number | string): string {
  return `${version} ${flowApiId}`;
}

/** Versions that the results have had since the screen was opened: those of one version name that one only. */
function useKnownVersions(results: Results | undefined): { flowApiId: string; version: number }[] {
  const [known, setKnown] = useState<{ flowApiId: string; version: number }[]>([]);
  const fresh = (results?.versions ?? []).flatMap(({ flowApiId, version }) =>
    flowApiId !== null &&
    version !== null &&
    !known.some((one) => one.flowApiId === flowApiId && one.version === version)
      ? [{ flowApiId, version }]
      : [],
  );
  if (fresh.length > 0) setKnown([...known, ...fresh]);
  return known.toSorted((a, b) =>
    a.flowApiId === b.flowApiId ? b.version - a.version : a.flowApiId < b.flowApiId ? -1 : 1,
  );
}

function JobFilter({ chosen, change }: { chosen: string | null; change: (jobId: string | null) => void }) {
  const choices = useJobChoices(chosen);
  return (
    <Select
      {...choices}
      size="xs"
      label={t`Call job`}
      w={170}
      placeholder={t`All jobs`}
      clearable
      value={chosen}
      onChange={change}
    />
  );
}

function NumberFilter({ values, setFilter }: Pick<FilterBarProps, "values" | "setFilter">) {
  const numbers = useRead<PhoneNumber[]>(NUMBERS_PATH).data ?? [];
  const chosen = values.phoneNumberId?.[0] ?? null;
  const { data: options, filter } = useNumberOptions(numbers, "id");
  const isListed = chosen === null || options.some(({ value }) => value === chosen);
  return (
    <Select
      size="xs"
      label={t`Number`}
      w={170}
      placeholder={t`All numbers`}
      clearable
      searchable
      data={isListed ? options : [{ value: chosen, label: t`A removed number` }, ...options]}
      filter={filter}
      value={chosen}
      onChange={(id) => setFilter("phoneNumberId", id === null ? [] : [id])}
    />
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

function goalsOf(
  results: Results | undefined,
  chosen: string | null,
  titleOf: (field: string) => string,
): { value: string; label: string }[] {
  const known = (results?.fields ?? []).flatMap(({ field, type, values }) =>
    type === "BOOLEAN" || type === "TEXT" ? values.slice(0, MOST_GOALS).map(({ value }) => `${field}=${value}`) : [],
  );
  const goals = [...new Set([...(chosen === null ? [] : [chosen]), ...known])];
  return goals.map((goal) => {
    const split = goal.indexOf("=");
    return { value: goal, label: sayGoal({ field: goal.slice(0, split), value: goal.slice(split + 1) }, titleOf) };
  });
}

function SaveMenu({ query }: { query: Query }) {
  const { id } = useWorkspace();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Icon name="download" size={14} />}>
          {t`Tables as CSV`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(TABLES).map(([table, name]) => (
          <Menu.Item
            key={table}
            component="a"
            href={withQuery(inWorkspace(id, "/results/csv"), { ...query, table })}
            download={`results-${table}.csv`}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
