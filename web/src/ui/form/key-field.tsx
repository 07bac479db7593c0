import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { t } from "#web/i18n/t.ts";

/** Field for a provider's key: the stored key is never shown, and an empty field keeps it. */
export function KeyField({ isStored, ...field }: PasswordInputProps & { isStored: boolean }) {
  return (
    <PasswordInput
      label={t`Key`}
      description={
        isStored ? t`One is stored. Leave this empty to keep it.` : t`Sealed when it is stored, never shown again.`
      }
      autoComplete="off"
      maxLength={2048}
      {...field}
    />
  );
}
