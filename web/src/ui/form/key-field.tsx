import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** Field for a provider's key: the stored key is never shown, and an empty field keeps it. */
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
