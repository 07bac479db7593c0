import { Button, Group, Paper } from "@mantine/core";
import type { PhoneNumber } from "@parley/sdk";
import { lazy, Suspense, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { useProviderOptions } from "#web/domain/number/carrier-providers.ts";
import { NUMBERS_PATH } from "#web/domain/number/number.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterBar } from "#web/ui/filters/filter-bar.tsx";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { useOpened } from "#web/ui/filters/use-opened.ts";
import { formatName } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { NoMatch } from "#web/ui/no-match.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { useBulkWrites } from "#web/ui/table/use-bulk-write.ts";
import { NUMBER_COLUMNS } from "./number-columns.tsx";

const NumberDrawer = lazy(async () => ({ default: (await import("./number-drawer.tsx")).NumberDrawer }));
const AddNumberDrawer = lazy(async () => ({ default: (await import("./add-number-drawer.tsx")).AddNumberDrawer }));

const REFRESH_MS = 10_000;
const FILTERS = [
  { name: "q", label: t`Number or label`, kind: "text" as const },
  {
    name: "status",
    label: t`Status`,
    kind: "many" as const,
    options: ["ACTIVE", "PENDING", "SUSPENDED", "FAILED"].map((value) => ({
      value,
      label: formatName(value),
    })),
  },
];

/** The numbers of the workspace with their current activity. */
export function NumberList() {
  const read = useRead<PhoneNumber[]>(NUMBERS_PATH, undefined, { refreshMs: REFRESH_MS });
  const shownFilters = [
    ...FILTERS,
    { name: "provider", label: t`Provider`, kind: "many" as const, options: useProviderOptions() },
  ];
  const filters = useUrlFilters(shownFilters.map(({ name }) => name));
  const opened = useOpened("number");
  const [isAdding, setAdding] = useState(false);
  const mayWrite = useMay("PHONE_NUMBERS_WRITE");
  useShortcutKeys(
    mayWrite ? [{ keys: "n", label: t`Add a number`, group: t`Phone numbers`, run: () => setAdding(true) }] : [],
  );
  const bulk = useNumberActions();
  const shown = read.data?.filter((number) => fits(number, filters.values));
  const number = read.data?.find(({ id }) => id === opened.id);
  const add = mayWrite && (
    <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
      {t`Add number`}
    </Button>
  );
  return (
    <>
      <FilterBar screen="numbers" filters={shownFilters} {...filters}>
        <Group gap="xs">
          <SaveRowsButton rows={shown} columns={NUMBER_COLUMNS} fileName="phone-numbers.csv" />
          {add}
        </Group>
      </FilterBar>
      <ReadFault read={read} />
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Phone numbers`}
          rows={shown}
          columns={NUMBER_COLUMNS}
          href={({ id }) => `/numbers${opened.searchFor(id)}`}
          bulkActions={mayWrite ? bulk : []}
          empty={
            Object.keys(filters.values).length > 0 ? (
              <NoMatch title={t`No number fits these filters`} clear={() => filters.setAll({})} />
            ) : (
              <EmptyState icon="number" title={t`No phone numbers yet`} action={add} docs="/docs">
                {t`Take a sandbox number to try things out: calls from it ring no phone and cost nothing.`}
              </EmptyState>
            )
          }
        />
      </Paper>
      <Suspense fallback={null}>
        {number && <NumberDrawer key={number.id} number={number} close={opened.close} />}
        {isAdding && <AddNumberDrawer close={() => setAdding(false)} />}
      </Suspense>
    </>
  );
}

function useNumberActions(): BulkAction<PhoneNumber>[] {
  const make = useBulkWrites<PhoneNumber>();
  const change = {
    method: "PUT",
    path: ({ id }: PhoneNumber) => `${NUMBERS_PATH}/${id}`,
    refreshes: [NUMBERS_PATH],
  } as const;
  return [
    make({
      ...change,
      label: t`Suspend`,
      icon: "pause",
      body: { status: "SUSPENDED" },
      only: ({ status }) => status === "ACTIVE",
      question: {
        title: (count) => t`Suspend ${count}?`,
        counted: (count) => plural(count, "{n} number", "{n} numbers"),
        body: t`No new calls leave from them until they are activated again.`,
      },
    }),
    make({
      ...change,
      label: t`Activate`,
      icon: "play",
      body: { status: "ACTIVE" },
      only: ({ status }) => status === "SUSPENDED" || status === "FAILED",
    }),
  ];
}

function fits(number: PhoneNumber, { q = [], status = [], provider = [] }: Record<string, string[]>): boolean {
  const words = (q[0] ?? "").toLowerCase().replaceAll(/\s/g, "");
  const text = `${number.phoneNumber}${number.label ?? ""}`.toLowerCase().replaceAll(/\s/g, "");
  return (
    text.includes(words) &&
    (status.length === 0 || status.includes(number.status)) &&
    (provider.length === 0 || provider.includes(number.provider))
  );
}
