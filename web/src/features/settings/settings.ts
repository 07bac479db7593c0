import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useRef } from "react";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf, useRead, useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";

/** Hours and dates in which calls may be placed. */
export interface CallingWindow {
  timeZoneMode: "RECIPIENT" | "FIXED";
  timeZone: string | null;
  windows: { days: string[]; start: string; end: string }[];
  excludeDates: string[];
}

/** The settings of a workspace. */
export interface Settings {
  id: string;
  name: string;
  mode: "SANDBOX" | "LIVE";
  sandboxSpeed: number | "instant";
  rateLimit: { capacity: number; refill: number; periodSeconds: number };
  defaultFlowId: string | null;
  defaultPhoneNumberId: string | null;
  countries: string[] | null;
  timeZone: string;
  callingWindow: CallingWindow | null;
  maxAttemptsPerDay: number | null;
  attemptGapMinutes: number | null;
  recordingRetentionDays: number | null;
  conversationRetentionDays: number | null;
  requiresSecondFactor: boolean;
  credentialDays: number | null;
  createdAt: string;
  version: string;
}

/** Reads the settings of the workspace. */
export function useSettings(): UseQueryResult<Settings> {
  return useRead<Settings>("");
}

/** Parts of a settings form that FormPage takes. */
export interface SettingsForm<T extends Record<string, unknown>> {
  form: UseFormReturnType<T>;
  save: (values: T, isForced: boolean) => Promise<void>;
  reload: () => Promise<T>;
}

/**
 * Form for some settings. It is saved on top of the version that its values came from; a change saved by another person
 * meanwhile is shown, not overwritten.
 */
export function useSettingsForm<T extends Record<string, unknown>>(
  settings: Settings,
  toValues: (settings: Settings) => T,
  toChange: (values: T) => object,
): SettingsForm<T> {
  const { id } = useWorkspace();
  const client = useQueryClient();
  const form = useForm<T>({ initialValues: toValues(settings) });
  const base = useRef(settings);
  const theirs = useRef<Settings | null>(null);
  const keep = (next: Settings) => client.setQueryData(keyOf(id, ""), next);
  const write = useWrite<Settings, object>({ failed: t`The settings were not saved`, method: "PATCH", path: "" });
  const save = async (values: T, isForced: boolean) => {
    // The person took the stored values in the dialog, so the form is now based on them.
    const hasTaken =
      theirs.current !== null && JSON.stringify(toValues(theirs.current)) === JSON.stringify(form.getInitialValues());
    if (hasTaken && theirs.current) base.current = theirs.current;
    const version = isForced ? {} : { version: base.current.version };
    const body = { ...toChange(values), ...version };
    base.current = await write.mutateAsync(body);
    keep(base.current);
  };
  const reload = async () => {
    theirs.current = await send<Settings>("GET", inWorkspace(id, ""));
    keep(theirs.current);
    return toValues(theirs.current);
  };
  return { form, save, reload };
}
