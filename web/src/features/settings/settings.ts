import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useRef } from "react";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf, useRead, useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";

/** When calls may go out. */
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
  createdAt: string;
  version: string;
}

/** Reads the settings of the workspace. */
export function useSettings(): UseQueryResult<Settings> {
  return useRead<Settings>("");
}

/** What FormPage takes of a form over settings. */
export interface SettingsForm<T extends Record<string, unknown>> {
  form: UseFormReturnType<T>;
  save: (values: T, isForced: boolean) => Promise<void>;
  reload: () => Promise<T>;
}

/**
 * A form over some settings. It is saved on top of the version that its values came from: what somebody else saved
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
  const write = useWrite<Settings, object>({ failed: "The settings were not saved", method: "PATCH", path: "" });
  const save = async (values: T, isForced: boolean) => {
    // They were taken over in the dialog: from then on the form stands on what is stored.
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
