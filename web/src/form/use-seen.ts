import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef } from "react";

/** When what a form began from was saved. */
export interface Seen {
  /** As the server wrote it; null for what is not saved yet. */
  at: () => string | null;
  /** The form's own save was stored at that time. */
  note: (updatedAt: string) => void;
}

/** A form without changes follows what is stored; one with changes remembers what it began from. */
export function useSeen<T extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<T>, "isDirty" | "setInitialValues" | "setValues" | "resetDirty">,
  stored: { updatedAt: string | null; toValues: () => T },
): Seen {
  const seenAt = useRef(stored.updatedAt);
  const isDirty = form.isDirty();
  const latest = useRef({ form, stored });
  useEffect(() => {
    latest.current = { form, stored };
  });
  const { updatedAt } = stored;
  useEffect(() => {
    if (isDirty || updatedAt === null) return;
    const { form: shown, stored: now } = latest.current;
    const values = now.toValues();
    seenAt.current = updatedAt;
    shown.setInitialValues(values);
    shown.setValues(values);
    shown.resetDirty(values);
  }, [updatedAt, isDirty]);
  return {
    at: () => seenAt.current,
    note: (savedAt) => {
      seenAt.current = savedAt;
    },
  };
}
