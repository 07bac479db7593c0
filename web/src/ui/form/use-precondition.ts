import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";
import { keepUnsaved, takeUnsaved } from "./unsaved.ts";

/** Time of the stored version that a form is based on. */
export interface Seen {
  /** The server's `updatedAt`; null for an unsaved item. */
  at: () => string | null;
  /** Notes the time at which the form's own save was stored. */
  note: (updatedAt: string) => void;
}

/** Unsaved values of a form that is not on the screen. */
interface Kept<T> {
  values: T;
  initial: T;
  seenAt: string | null;
}

/**
 * Keeps a form without changes in step with the stored version. One with changes keeps its base, also while another tab
 * or screen is shown.
 */
export function usePrecondition<T extends Record<string, unknown>>(
  form: UseFormReturnType<T>,
  stored: { key: string; updatedAt: string | null; toValues: () => T },
): Seen {
  const seenAt = useRef(stored.updatedAt);
  const isDirty = form.isDirty();
  const latest = useRef({ form, stored });
  useEffect(() => {
    latest.current = { form, stored };
  });
  const { key, updatedAt } = stored;
  useEffect(() => {
    if (isDirty || updatedAt === null) return;
    const { form: shown, stored: now } = latest.current;
    const values = now.toValues();
    seenAt.current = updatedAt;
    shown.setInitialValues(values);
    shown.setValues(values);
    shown.resetDirty(values);
  }, [updatedAt, isDirty]);
  useEffect(() => {
    const kept = takeUnsaved<Kept<T>>(key);
    if (kept) {
      seenAt.current = kept.seenAt;
      latest.current.form.setInitialValues(kept.initial);
      latest.current.form.setValues(kept.values);
    }
    return () => {
      const { form: left } = latest.current;
      if (!left.isDirty()) return;
      const kept: Kept<T> = { values: left.getValues(), initial: left.getInitialValues(), seenAt: seenAt.current };
      keepUnsaved(key, kept);
    };
  }, [key]);
  return {
    at: () => seenAt.current,
    note: (savedAt) => {
      seenAt.current = savedAt;
    },
  };
}
