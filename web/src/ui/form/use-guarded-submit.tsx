import type { UseFormReturnType } from "@mantine/form";
import { type ReactNode, useRef, useState } from "react";
import { isStaleSave } from "#web/api/api-error.ts";
import { markReported } from "#web/api/fault-notes.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { isSame, mergeFields } from "./merge-fields.ts";
import { StaleDialog } from "./stale-dialog.tsx";
import { type Submit, useSubmit } from "./use-submit.ts";

/** Stored item that a form was filled from, and the way to read it again. */
export interface Guard<R, T> {
  /** The item as it was read; null: a new one, which nobody else can have saved. */
  stored: R | null;
  toValues: (stored: R) => T;
  /** Path to read it, below the workspace. */
  path: string;
  /** Key of the unsaved input, where several forms have this path. */
  keptAs?: string;
  /** True: the path is below /api/console, outside any workspace. */
  isOfConsole?: boolean;
  /** Finds it in the reply when the path is a list's. */
  find?: (reply: never) => R | undefined;
  /** True: numbers are sent back exactly as they came. */
  isExact?: boolean;
  /** True for values that contain data never read back, such as a key: a stale save then always asks the person. */
  hidesChange?: (values: T) => boolean;
}

/** A request body, and the stored item that it is based on. */
export interface Based<R, B = object> {
  body: B;
  base: R | null;
}

/** Maximum saves of a form when other parts of the item were changed meanwhile, but none of its own fields. */
const MOST_TRIES = 3;

/** Query that makes the server refuse a save when the stored item has changed since, or was created since. */
export function ifUnchanged(base: { updatedAt: string | null } | null): string {
  return base === null ? "" : `?ifUpdatedAt=${encodeURIComponent(base.updatedAt ?? "null")}`;
}

/**
 * `useSubmit` for an item that another person may have changed since: both versions are shown, and the person chooses.
 * `sendValues` gets the item that its values are based on. The dialog belongs inside the form.
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
  const sendGuarded = async (values: T) => {
    for (let tries = 1; ; tries++) {
      try {
        base.current = await sendValues(values, base.current);
        return;
      } catch (error) {
        if (!isStaleSave(error) || base.current === null) throw error;
        // The save is repeated on top of the version read now, so this error is not shown.
        markReported(error);
        const read = await readStored();
        if (tries === MOST_TRIES || hidesChange(values) || !isSame(toValues(read), toValues(base.current))) {
          theirs.current = read;
          return notify(error, () => setStored(toValues(read)));
        }
        base.current = read;
      }
    }
  };
  const { submit, ...shown } = useSubmit(form, sendGuarded, {
    key: guard.keptAs ?? guard.path,
    base: { read: () => base.current, write: (kept) => void (base.current = kept as R | null) },
  });
  /** Makes the other person's version the base of the form, with these values in it. */
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

function useReadAgain<R, T>({ path, isOfConsole = false, find, isExact = false }: Guard<R, T>): () => Promise<R> {
  const { id } = useWorkspace();
  return async () => {
    const address = isOfConsole ? `/api/console${path}` : inWorkspace(id, path);
    const reply = await send<unknown>("GET", address, { isExact });
    const found = find ? find(reply as never) : (reply as R);
    if (found === undefined) throw new Error(t`It is no longer there: somebody else deleted it.`);
    return found;
  };
}
