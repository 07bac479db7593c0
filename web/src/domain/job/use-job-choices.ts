import type { SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { CallJob, Page } from "@parley/sdk";
import { useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";

const OFFERED = 50;
const PAUSE_MS = 300;

/**
 * Props of a field that chooses a call job: it offers the newest, or those of all whose name holds what is typed, and
 * names the chosen one, however old it is.
 */
export function useJobChoices(chosenId: string | null) {
  const [typed, setTyped] = useState("");
  const chosen = useRead<CallJob>(`/call-jobs/${chosenId ?? ""}`, undefined, { enabled: chosenId !== null }).data;
  const chosenName = chosen?.id === chosenId ? chosen?.name : undefined;
  // A field that shows its choice is not searched for it.
  const [name] = useDebouncedValue(typed === chosenName ? "" : typed.trim(), PAUSE_MS);
  const found = useRead<Page<CallJob>>("/call-jobs", { size: OFFERED, name: name === "" ? undefined : name });
  const jobs = (found.data?.content ?? []).map((job) => ({ value: job.id, label: job.name }));
  const isFound = chosenId === null || jobs.some(({ value }) => value === chosenId);
  return {
    data: isFound ? jobs : [...jobs, { value: chosenId, label: chosenName ?? chosenId }],
    searchable: true,
    onSearchChange: setTyped,
    // The service has searched; the choice is there only to be named.
    filter: ({ options }) =>
      isFound || name === "" ? options : options.filter((one) => "items" in one || one.value !== chosenId),
    nothingFoundMessage: name === "" ? t`There are no call jobs yet` : t`No call job of this name`,
  } satisfies SelectProps;
}
