import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A provider's key in a form: what is stored is never shown, and stays when the field is left empty. */
export function KeyField({ isStored, ...field }: PasswordInputProps & { isStored: boolean }) {
  return (
    <PasswordInput
      label="Key"
      description={
        isStored ? "One is stored. Leave this empty to keep it." : "Sealed when it is stored, never shown again."
      }
      autoComplete="off"
      maxLength={2048}
      {...field}
    />
  );
}
