import { Select } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { CallJob, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import type { AutomationForm } from "./automation-form.ts";

/** The newest call jobs of the workspace as choices, and the chosen one, however old it is. */
export function useJobChoices(chosenId: string | null): { value: string; label: string }[] {
  const newest = useRead<Page<CallJob>>("/call-jobs", { size: 200 }).data?.content;
  const isOlder = chosenId !== null && newest?.every(({ id }) => id !== chosenId) === true;
  const chosen = useRead<CallJob>(`/call-jobs/${chosenId ?? ""}`, undefined, { enabled: isOlder });
  const choices = (newest ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (!isOlder || chosen.isLoading) return choices;
  return [...choices, { value: chosenId, label: chosen.data?.name ?? chosenId }];
}

/** Field for the automation's call job. */
export function JobField({ form }: { form: UseFormReturnType<AutomationForm> }) {
  const { kind, callJobId } = form.getValues();
  const choices = useJobChoices(callJobId);
  const isExport = kind === "EXPORT";
  return (
    <Select
      label={t`Call job`}
      description={isExport ? t`Empty: the whole call history` : t`Empty: every call job`}
      placeholder={isExport ? t`Whole call history` : t`Every call job`}
      searchable
      clearable
      data={choices}
      {...form.getInputProps("callJobId")}
    />
  );
}
