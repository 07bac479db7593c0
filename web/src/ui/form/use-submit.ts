import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { explainError, faultsByField } from "#web/api/api-error.ts";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { type KeptAs, useKeptForm } from "./use-kept-form.ts";

/** State of a form's submission: faults of fields appear at them, all others in `fault`. */
export interface Submit<T> {
  isSending: boolean;
  fault: string | null;
  submit: (values: T) => Promise<void>;
}

/**
 * Sends a form's values; the server's faults appear at the fields that they name. With `kept`, unsaved values are there
 * again after the form's screen was left; `sendValues` returns false when it sent nothing, because the person decided so.
 */
export function useSubmit<T extends Record<string, unknown>>(
  form: UseFormReturnType<T>,
  sendValues: (values: T) => Promise<unknown>,
  kept: KeptAs | null = null,
): Submit<T> {
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const notify = useFaultNotice();
  const settle = useKeptForm(form, kept);
  const submit = async (values: T) => {
    setSending(true);
    setFault(null);
    try {
      if ((await sendValues(values)) !== false) settle(values);
    } catch (error) {
      notify(error, () => {
        const faults = faultsByField(error);
        const known = Object.keys(faults).filter((path) => (path.split(".")[0] ?? "") in values);
        form.setErrors(Object.fromEntries(known.map((path) => [path, faults[path]])));
        if (known.length < Object.keys(faults).length || known.length === 0) setFault(explainError(error));
      });
    } finally {
      setSending(false);
    }
  };
  return { isSending, fault, submit };
}
