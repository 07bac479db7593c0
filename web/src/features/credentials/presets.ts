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
  name: "Sandbox",
  hint: "Everything, for 30 days. In this workspace nothing rings, whatever it is used for.",
  values: { name: "Sandbox key", permissions: ALL_PERMISSIONS, expiresInSeconds: String(MONTH_SECONDS) },
};
const EVERYTHING: Preset = {
  name: "Everything",
  hint: "Whatever the API can do.",
  values: { name: "", permissions: ALL_PERMISSIONS },
};
const OTHERS: Preset[] = [
  {
    name: "Calls and jobs",
    hint: "Places calls, runs jobs and reads what came of them.",
    values: { name: "Calls key", permissions: ALL_PERMISSIONS.filter((name) => CALLS.includes(name)) },
  },
  {
    name: "Read only",
    hint: "Sees everything and changes nothing.",
    values: { name: "Read-only key", permissions: ALL_PERMISSIONS.filter((name) => name.endsWith("_READ")) },
  },
];

/** The presets of a workspace; the form begins with the first. */
export function presetsOf(mode: "SANDBOX" | "LIVE"): Preset[] {
  return [mode === "SANDBOX" ? SANDBOX : EVERYTHING, ...OTHERS];
}
