import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";
import { keepUnsaved, takeUnsaved } from "./unsaved.ts";

/** The stored version that a form is based on. */
export interface Base {
  /** The server's `updatedAt` or `version`, as the item has one; null for an unsaved item. */
  version: () => string | null;
  /** Notes the version as which the form's own save was stored. */
  note: (version: string) => void;
}

/** Unsaved values of a form that is not on the screen. */
interface Kept<T> {
  values: T;
  initial: T;
  version: string | null;
}

/**
 * Keeps a form without changes in step with the stored version. One with changes keeps its base, also while another tab
 * or screen is shown.
 */
export function usePrecondition<T extends Record<string, unknown>>(
  form: UseFormReturnType<T>,
  stored: { key: string; version: string | null; toValues: () => T },
): Base {
  const base = useRef(stored.version);
  const isDirty = form.isDirty();
  const latest = useRef({ form, stored });
  useEffect(() => {
    latest.current = { form, stored };
  });
  const { key, version } = stored;
  useEffect(() => {
    if (isDirty || version === null) return;
    const { form: shown, stored: now } = latest.current;
    const values = now.toValues();
    base.current = version;
    shown.setInitialValues(values);
    shown.setValues(values);
    shown.resetDirty(values);
  }, [version, isDirty]);
  useEffect(() => {
    const kept = takeUnsaved<Kept<T>>(key);
    if (kept) {
      base.current = kept.version;
      latest.current.form.setInitialValues(kept.initial);
      latest.current.form.setValues(kept.values);
    }
    return () => {
      const { form: left } = latest.current;
      if (!left.isDirty()) return;
      const kept: Kept<T> = { values: left.getValues(), initial: left.getInitialValues(), version: base.current };
      keepUnsaved(key, kept);
    };
  }, [key]);
  return {
    version: () => base.current,
    note: (saved) => {
      base.current = saved;
    },
  };
}
