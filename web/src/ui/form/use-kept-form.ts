import type { UseFormReturnType } from "@mantine/form";
import { useRef } from "react";
import { useRouter } from "wouter";
import { isSame } from "./merge-fields.ts";
import { forgetUnsaved, useKeptWhenLeft } from "./unsaved.ts";

/** Key of a form's kept input, and the stored item that the form is based on. */
export interface KeptAs {
  key: string;
  base?: { read: () => unknown; write: (base: unknown) => void };
}

/** Unsaved values of a form that is not on the screen. */
interface Kept<T> {
  values: T;
  initial: T;
  base: unknown;
}

/**
 * Keeps the input of a form in a dialog, drawer or card whose screen is left, as `useKeptWhenLeft` does; null: it is not
 * kept. Returns a function for values that were sent, which are kept no longer.
 */
export function useKeptForm<T extends Record<string, unknown>>(
  form: UseFormReturnType<T>,
  kept: KeptAs | null,
): (values: T) => void {
  const { base } = useRouter();
  const key = kept && `${base} ${kept.key}`;
  const sent = useRef<T | null>(null);
  const read = (): Kept<T> | undefined => {
    const values = form.getValues();
    if (!form.isDirty() || (sent.current !== null && isSame(values, sent.current))) return undefined;
    return { values, initial: form.getInitialValues(), base: kept?.base?.read() };
  };
  useKeptWhenLeft<Kept<T>>(key, read, ({ values, initial, base: basis }) => {
    kept?.base?.write(basis);
    form.setInitialValues(initial);
    form.resetDirty(initial);
    form.setValues(values);
  });
  return (values) => {
    sent.current = values;
    if (key !== null) forgetUnsaved(key);
  };
}
