import { Select } from "@mantine/core";
import { useState } from "react";
import { languageChoices } from "#web/domain/flow/languages.ts";
import { t } from "#web/i18n/t.ts";
import type { FlowFormType } from "./flow-values.ts";

/** Field for the language: searched by name, or by a BCP 47 code. */
export function LanguageField({ form }: { form: FlowFormType }) {
  const [typed, setTyped] = useState("");
  const { language } = form.getValues();
  return (
    <Select
      label={t`Language`}
      description={t`Type a name, or a code.`}
      placeholder={t`American English (the default)`}
      data={languageChoices(language, typed)}
      searchable
      clearable
      nothingFoundMessage={t`No language of this name; a BCP 47 code such as eu-ES can be typed.`}
      onSearchChange={setTyped}
      {...form.getInputProps("language")}
      value={language === "" ? null : language}
      onChange={(code) => form.setFieldValue("language", code ?? "")}
    />
  );
}
