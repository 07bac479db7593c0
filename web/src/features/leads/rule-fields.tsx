import { NumberInput, PasswordInput, Select, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Page, PhoneNumber } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { useNumberOptions } from "#web/domain/number/use-number-options.ts";
import { t } from "#web/i18n/t.ts";
import { SIGNATURES } from "./lead-source.ts";
import type { SourceForm } from "./source-form.ts";

const NUMBERS_OFFERED = 200;
const REPEATS = [
  { value: "EITHER", label: t`Same id or same number` },
  { value: "EXTERNAL_ID", label: t`Same id` },
  { value: "NUMBER", label: t`Same number` },
  { value: "NONE", label: t`Only the same delivery` },
];

/** Fields of how a source's leads are called, and which are not. */
export function RuleFields({ form, hasSecret }: { form: UseFormReturnType<SourceForm>; hasSecret: boolean }) {
  const flows = useFlowChoices();
  const numbers = useRead<Page<PhoneNumber>>("/phone-numbers", { size: NUMBERS_OFFERED });
  return (
    <>
      <Select
        label={t`Flow`}
        placeholder={t`The default flow`}
        clearable
        searchable
        data={flows}
        {...form.getInputProps("flowId")}
      />
      <Select
        label={t`Call from`}
        placeholder={t`The default number`}
        clearable
        {...useNumberOptions(numbers.data?.content ?? [], "phoneNumber")}
        {...form.getInputProps("fromPhoneNumber")}
      />
      <NumberInput label={t`Minutes until the call`} min={0} max={43_200} {...form.getInputProps("delayMinutes")} />
      <TextInput
        label={t`Country of numbers without one`}
        placeholder="US"
        maxLength={2}
        {...form.getInputProps("defaultCountry")}
      />
      <Select
        label={t`A lead is a repeat by`}
        allowDeselect={false}
        data={REPEATS}
        {...form.getInputProps("deduplicateBy")}
      />
      <NumberInput label={t`For so many hours`} min={1} max={720} {...form.getInputProps("deduplicateHours")} />
      <NumberInput label={t`Calls a day`} placeholder={t`No limit`} min={1} {...form.getInputProps("dailyLimit")} />
      <Switch
        label={t`Refuse leads without consent`}
        description={t`Looks for yes, true, on, 1 or granted where Consent is mapped.`}
        {...form.getInputProps("consentRequired", { type: "checkbox" })}
      />
      <SignatureFields form={form} hasSecret={hasSecret} />
    </>
  );
}

function SignatureFields({ form, hasSecret }: { form: UseFormReturnType<SourceForm>; hasSecret: boolean }) {
  const { signature } = form.getValues();
  const kinds = Object.entries(SIGNATURES).map(([value, label]) => ({ value, label }));
  return (
    <>
      <Select label={t`Signed by`} allowDeselect={false} data={kinds} {...form.getInputProps("signature")} />
      {signature === "HMAC_SHA256" && (
        <TextInput label={t`Header`} placeholder="X-Hub-Signature-256" {...form.getInputProps("signatureHeader")} />
      )}
      {signature !== "NONE" && (
        <PasswordInput
          label={t`The sender's secret`}
          description={hasSecret ? t`One is stored. Leave this empty to keep it.` : t`Sealed when it is stored.`}
          autoComplete="off"
          {...form.getInputProps("signingSecret")}
        />
      )}
    </>
  );
}
