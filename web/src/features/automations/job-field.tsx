import { Select } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useJobChoices } from "#web/domain/job/use-job-choices.ts";
import { t } from "#web/i18n/t.ts";
import type { AutomationForm } from "./automation-form.ts";

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
      clearable
      {...choices}
      {...form.getInputProps("callJobId")}
    />
  );
}
