import { t } from "#web/i18n/t.ts";
import { ALL_PERMISSIONS } from "./credential.ts";

/** A common purpose of a credential, with its values in the form. */
export interface Preset {
  name: string;
  hint: string;
  values: { name: string; permissions: string[]; expiresInSeconds?: string };
}

const MONTH_SECONDS = 2_592_000;
const CALLS = ["OUTBOUND_CALLS_TRIGGER", "CALL_JOBS_READ", "CALL_JOBS_WRITE", "CALL_HISTORY_READ"];

const SANDBOX: Preset = {
  name: t`Sandbox`,
  hint: t`Everything, for 30 days. In this workspace nothing rings, whatever it is used for.`,
  values: { name: t`Sandbox key`, permissions: ALL_PERMISSIONS, expiresInSeconds: String(MONTH_SECONDS) },
};
const EVERYTHING: Preset = {
  name: t`Everything`,
  hint: t`Whatever the API can do.`,
  values: { name: "", permissions: ALL_PERMISSIONS },
};
const OTHERS: Preset[] = [
  {
    name: t`Calls and jobs`,
    hint: t`Places calls, runs jobs and reads what came of them.`,
    values: { name: t`Calls key`, permissions: ALL_PERMISSIONS.filter((name) => CALLS.includes(name)) },
  },
  {
    name: t`Read only`,
    hint: t`Sees everything and changes nothing.`,
    values: { name: t`Read-only key`, permissions: ALL_PERMISSIONS.filter((name) => name.endsWith("_READ")) },
  },
];

/** The presets of a workspace; the form begins with the first. */
export function presetsOf(mode: "SANDBOX" | "LIVE"): Preset[] {
  return [mode === "SANDBOX" ? SANDBOX : EVERYTHING, ...OTHERS];
}
