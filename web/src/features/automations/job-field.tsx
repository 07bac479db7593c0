import { Select } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { CallJob, Page } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import type { AutomationForm } from "./automation-form.ts";

/** The call jobs of the workspace as choices, the newest first. */
export function useJobChoices(): { value: string; label: string }[] {
  const jobs = useRead<Page<CallJob>>("/call-jobs", { size: 200 }).data?.content ?? [];
  return jobs.map(({ id, name }) => ({ value: id, label: name }));
}

/** Field for the automation's call job. */
export function JobField({ form }: { form: UseFormReturnType<AutomationForm> }) {
  const choices = useJobChoices();
  const isExport = form.getValues().kind === "EXPORT";
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
