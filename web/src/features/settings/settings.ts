import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { isStaleSave } from "#web/api/api-error.ts";
import { markReported } from "#web/api/fault-notes.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf, useRead, useWrite } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { isSame } from "#web/ui/form/merge-fields.ts";
import { usePrecondition } from "#web/ui/form/use-precondition.ts";

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
 * Form for some settings, which `name` tells from the other ones. It is saved on top of the version that its values
 * came from; a change saved by another person meanwhile is shown, not overwritten.
 */
export function useSettingsForm<T extends Record<string, unknown>>(
  name: string,
  settings: Settings,
  toValues: (settings: Settings) => T,
  toChange: (values: T) => object,
): SettingsForm<T> {
  const { id } = useWorkspace();
  const client = useQueryClient();
  const form = useForm<T>({ initialValues: toValues(settings) });
  const base = usePrecondition(form, {
    key: `settings ${id} ${name}`,
    version: settings.version,
    toValues: () => toValues(settings),
  });
  const keep = (next: Settings) => client.setQueryData(keyOf(id, ""), next);
  const readStored = async () => {
    const stored = await send<Settings>("GET", inWorkspace(id, ""));
    keep(stored);
    return stored;
  };
  const write = useWrite<Settings, object>({ failed: t`The settings were not saved`, method: "PATCH", path: "" });
  const save = async (values: T, isForced: boolean) => {
    const saveOn = (version: object) => write.mutateAsync({ ...toChange(values), ...version });
    const saved = await saveOn(isForced ? {} : { version: base.version() }).catch(async (error: unknown) => {
      if (isForced || !isStaleSave(error)) throw error;
      markReported(error);
      const stored = await readStored();
      // The version is that of all settings: if only others were saved meanwhile, nobody has to choose.
      if (!isSame(toValues(stored), form.getInitialValues())) throw error;
      return saveOn({ version: stored.version });
    });
    base.note(saved.version);
    keep(saved);
  };
  return { form, save, reload: async () => toValues(await readStored()) };
}
