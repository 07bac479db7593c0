import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, useRef, useState } from "react";
import { isStaleSave } from "#web/api/api-error.ts";
import { markReported } from "#web/api/fault-notes.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { isSame, mergeFields } from "./merge-fields.ts";
import { StaleDialog } from "./stale-dialog.tsx";
import { type Submit, useSubmit } from "./use-submit.ts";

/** What a form was filled in from, and how to read it again. */
export interface Guard<R, T> {
  /** As it was read; null: something new, which nobody else can have saved. */
  stored: R | null;
  toValues: (stored: R) => T;
  /** Where it is read, below the workspace. */
  path: string;
  /** Finds it in the reply, where the path is a list's. */
  find?: (reply: never) => R | undefined;
  /** True: numbers are written back as they came. */
  isExact?: boolean;
  /** True for values with what is never read back, such as a key: the person is asked even if all else is the same. */
  hidesChange?: (values: T) => boolean;
}

/** A write, and what it is based on. */
export interface Based<R, B = object> {
  body: B;
  base: R | null;
}

/** How often a form whose own fields nobody changed is saved again on top of what else was. */
const MOST_TRIES = 3;

/** Query of a save that is refused when what it is based on is no longer what is stored, or something is by now. */
export function ifUnchanged(base: { updatedAt: string | null } | null): string {
  return base === null ? "" : `?ifUpdatedAt=${encodeURIComponent(base.updatedAt ?? "null")}`;
}

/**
 * `useSubmit` for what somebody else may have changed since: then both are shown, and the person chooses. `sendValues`
 * gets what its values are based on; the dialog belongs into the form.
 */
export function useGuardedSubmit<R, T extends Record<string, unknown>>(
  form: UseFormReturnType<T>,
  guard: Guard<R, T>,
  sendValues: (values: T, base: R | null) => Promise<R>,
): Submit<T> & { staleDialog: ReactNode } {
  const { toValues, hidesChange = () => false } = guard;
  const readStored = useReadAgain(guard);
  const notify = useFaultNotice();
  const base = useRef(guard.stored);
  const theirs = useRef<R | null>(null);
  const [stored, setStored] = useState<T | null>(null);
  const { submit, ...shown } = useSubmit(form, async (values) => {
    for (let tries = 1; ; tries++) {
      try {
        base.current = await sendValues(values, base.current);
        return;
      } catch (error) {
        if (!isStaleSave(error) || base.current === null) throw error;
        // Saved again on top of what was read, it is none to tell of.
        markReported(error);
        const read = await readStored();
        if (tries === MOST_TRIES || hidesChange(values) || !isSame(toValues(read), toValues(base.current))) {
          theirs.current = read;
          return notify(error, () => setStored(toValues(read)));
        }
        base.current = read;
      }
    }
  });
  /** From here on the form stands on what they saved, with these values in it. */
  const standOn = (values: T, next: T) => {
    form.setInitialValues(values);
    form.resetDirty(values);
    form.setValues(next);
    base.current = theirs.current;
  };
  const saveOnTop = (values: T, next: T) => {
    standOn(values, next);
    void submit(next);
  };
  const merge = (values: T) =>
    mergeFields(base.current === null ? values : toValues(base.current), form.getValues(), values);
  const staleDialog = (
    <StaleDialog
      mine={form.getValues()}
      stored={stored}
      close={() => setStored(null)}
      overwrite={(values) => saveOnTop(values, form.getValues())}
      keepBoth={(values) => saveOnTop(values, merge(values))}
      takeTheirs={(values) => standOn(values, values)}
    />
  );
  return { ...shown, submit, staleDialog };
}

function useReadAgain<R, T>({ path, find, isExact = false }: Guard<R, T>): () => Promise<R> {
  const { id } = useWorkspace();
  return async () => {
    const reply = await send<unknown>("GET", inWorkspace(id, path), { isExact });
    const found = find ? find(reply as never) : (reply as R);
    if (found === undefined) throw new Error("It is no longer there: somebody else deleted it.");
    return found;
  };
}
